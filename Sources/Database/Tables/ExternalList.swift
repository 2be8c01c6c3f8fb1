package import Listings

/// A list made of a foreign table or view.
package struct ExternalList: Sendable {
    /// The name of the list, which can differ from that of the table.
    package let name: String
    /// The table description.
    ///
    /// Its columns are those of the list.
    package let table: TableDescription
    /// The columns of the list.
    ///
    /// Their types are those of the sampled values.
    package let columns: [Column]
    /// The reason why the rows are numbered by their positions.
    ///
    /// Nil if columns identify them.
    package let numbered: TableRefusal.Reason?

    /// Describes a list.
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

/// A foreign table or view that cannot be served as a list.
package struct TableRefusal: Hashable, Sendable {
    package let name: String
    package let reason: Reason

    /// Refuses a table.
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
        /// The table has neither a key nor a row id that a query can name.
        case noKey
        /// The table lacks a column that a setting names as its key.
        case unknownKey(column: String, columns: [String])
        /// The engine cannot read the table. The message is for the log.
        case unreadable(message: String)
    }
}
