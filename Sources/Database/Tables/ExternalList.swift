package import Listings

package struct ExternalList: Sendable {
    package let name: String
    package let table: TableDescription
    package let columns: [Column]
    /// The reason why the rows are numbered by their positions.
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

    package enum Reason: Error, Hashable, Sendable {
        /// The table is a view whose first column is not named like an id, so that nothing
        /// identifies rows.
        case viewWithoutID
        /// The named column should identify rows but has equal values or null.
        case ambiguousKey(column: String)
        /// The named column is part of the key and holds values that an id cannot represent.
        case unsuitableKey(column: String)
        case noKey
        case unknownKey(column: String, columns: [String])
        /// The engine cannot read the table. The message is for the log.
        case unreadable(message: String)
    }
}
