package import Listings

package struct ListMetadata: Hashable, Sendable {
    /// The name in URLs.
    package let name: String
    package let table: String
    /// Integer or text.
    package let idType: ColumnType
    /// Their ids are the names of the table's columns.
    package let columns: [Column]
    /// The positions of the columns with values of all types.
    package let keyed: Set<Int>
    package let version: ListVersion
    /// At the import.
    package let rowCount: Int
    package let hasOrderColumns: Bool
    package let missingIndexes: Int
    /// Nil if there is none.
    package let wordIndex: String?
    /// Nil if there is none.
    package let trigramIndex: String?

    package init(
        name: String,
        table: String,
        idType: ColumnType,
        columns: [Column],
        keyed: Set<Int> = [],
        version: ListVersion,
        rowCount: Int,
        hasOrderColumns: Bool,
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
        self.hasOrderColumns = hasOrderColumns
        self.missingIndexes = missingIndexes
        self.wordIndex = wordIndex
        self.trigramIndex = trigramIndex
    }
}
