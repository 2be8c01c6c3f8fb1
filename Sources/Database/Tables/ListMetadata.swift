package import Listings

/// A list that was imported into a database, with its table and columns.
package struct ListMetadata: Hashable, Sendable {
    /// The name in URLs.
    package let name: String
    /// The table that holds the rows.
    package let table: String
    /// The type of the ids: integer or text.
    package let idType: ColumnType
    /// The columns.
    ///
    /// Their ids are the names of the table's columns.
    package let columns: [Column]
    /// The positions of the columns with values of all types.
    package let keyed: Set<Int>
    package let version: ListVersion
    /// The number of rows at import.
    package let rowCount: Int
    /// Whether the table has the columns with sort keys of the current rules.
    package let hasOrderColumns: Bool
    /// The number of indexes that are still to be created.
    package let missingIndexes: Int
    /// The name of the table that indexes words, or nil if there is none.
    package let wordIndex: String?
    /// The name of the table that indexes trigrams, or nil if there is none.
    package let trigramIndex: String?

    /// Describes a list.
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
