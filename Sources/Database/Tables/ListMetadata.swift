package import Listings

package struct ListMetadata: Hashable, Sendable {
    package let name: String
    package let table: String
    package let idType: ColumnType
    package let columns: [Column]
    /// The positions of the columns with values of all types.
    package let keyed: Set<Int>
    package let version: ListVersion
    /// At the import.
    package let rowCount: Int
    package let missingIndexes: Int
    package let wordIndex: String?
    package let trigramIndex: String?

    package init(
        name: String,
        table: String,
        idType: ColumnType,
        columns: [Column],
        keyed: Set<Int> = [],
        version: ListVersion,
        rowCount: Int,
        missingIndexes: Int = 0,
        wordIndex: String? = nil,
        trigramIndex: String? = nil
    ) {
        self.name = name
        self.table = table
        self.idType = idType
        self.columns = columns
        self.keyed = keyed
        self.version = version
        self.rowCount = rowCount
        self.missingIndexes = missingIndexes
        self.wordIndex = wordIndex
        self.trigramIndex = trigramIndex
    }
}
