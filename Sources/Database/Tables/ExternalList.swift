package import Listings

package struct ExternalList: Sendable {
    /// Can differ from the name of the table.
    package let name: String
    package let table: TableDescription
    /// The types are those of the sampled values.
    package let columns: [Column]
    /// The reason why the rows are numbered by their positions.
    ///
    /// Nil if columns identify them.
    package let numbered: TableRefusal.Reason?

    package init(
        name: String,
        table: TableDescription,
        columns: [Column],
        numbered: TableRefusal.Reason? = nil
    ) {
        self.name = name
        self.table = table
        self.columns = columns
        self.numbered = numbered
    }
}

package struct TableRefusal: Hashable, Sendable {
    package let name: String
    package let reason: Reason

    package init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }

    /// The reasons why a table or view cannot be served as a list, or only with numbered rows.
    package enum Reason: Error, Hashable, Sendable {
        /// The table is a view whose first column is not named like an id, so that nothing
        /// identifies rows.
        case viewWithoutID
        /// The named column should identify rows but has equal values or null.
        case ambiguousKey(column: String)
        /// The named column is part of the key and holds values that an id cannot represent.
        case unsuitableKey(column: String)
        case noKey
        /// The table lacks a column that a setting names as its key.
        case unknownKey(column: String, columns: [String])
        /// The engine cannot read the table. The message is for the log.
        case unreadable(message: String)
    }
}
