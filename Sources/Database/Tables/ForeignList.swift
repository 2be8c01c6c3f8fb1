package import Listings

/// A table or view of somebody else that makes a list.
package struct ForeignList: Sendable {
    /// The name of the table.
    package let name: String
    /// The table as it is read; its columns are those of the list.
    package let table: TableDescription
    /// The columns of the list, with the types that their values have as far as was looked.
    package let columns: [Column]

    /// Describes a list.
    package init(name: String, table: TableDescription, columns: [Column]) {
        self.name = name
        self.table = table
        self.columns = columns
    }
}

/// A table or view of somebody else that makes no list.
package struct TableRefusal: Hashable, Sendable {
    /// The name of the table.
    package let name: String
    /// Why not.
    package let reason: Reason

    /// Refuses a table.
    package init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }

    /// Why a table or view makes no list.
    package enum Reason: Error, Hashable, Sendable {
        /// It is a view whose first column is not called like an id, so nothing tells rows apart.
        case viewWithoutID
        /// The named column, which should tell rows apart, has equal values or null.
        case ambiguousKey(column: String)
        /// The named column is in the key and holds what no id can show.
        case unsuitableKey(column: String)
        /// It has neither a key nor a row id that a query can name.
        case noKey
        /// The engine cannot read it; its message for the log.
        case unreadable(message: String)
    }
}
