package import Listings

/// A list made of a foreign table or view.
package struct ExternalList: Sendable {
    /// The name of the table.
    package let name: String
    /// The table description.
    ///
    /// Its columns are those of the list.
    package let table: TableDescription
    /// The columns of the list.
    ///
    /// Their types are those of the sampled values.
    package let columns: [Column]

    /// Describes a list.
    package init(name: String, table: TableDescription, columns: [Column]) {
        self.name = name
        self.table = table
        self.columns = columns
    }
}

/// A foreign table or view that cannot be served as a list.
package struct TableRefusal: Hashable, Sendable {
    /// The name of the table.
    package let name: String
    /// The reason of the refusal.
    package let reason: Reason

    /// Refuses a table.
    package init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }

    /// The reasons why a table or view cannot be served as a list.
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
        /// The engine cannot read the table. The message is for the log.
        case unreadable(message: String)
    }
}
