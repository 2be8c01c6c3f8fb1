package import Database
package import Listings

/// The tables and views of somebody else's database: those that make a list, and why others do not.
package struct ForeignCatalog: Sendable {
    /// A table or view that makes a list.
    package struct List: Sendable {
        /// The name of the table.
        package let name: String
        /// The table as it is read; its columns are those of the list.
        package let table: TableDescription
        /// The columns of the list, with the types that their values have as far as was looked.
        package let columns: [Column]
    }
    /// A table or view that makes none.
    package struct Refusal: Hashable, Sendable {
        /// The name of the table.
        package let name: String
        /// Why not.
        package let reason: Reason
    }
    /// Why a table or view makes no list.
    package enum Reason: Hashable, Sendable {
        /// It is a view whose first column is not called like an id, so nothing tells rows apart.
        case viewWithoutID
        /// The named column, which should tell rows apart, has equal values or null.
        case ambiguousKey(column: String)
        /// Whether the named column tells rows apart could not be found out in time.
        case uncheckedKey(column: String)
        /// The named column is in the key and holds what no id can show.
        case unsuitableKey(column: String)
        /// It has neither a key nor a row id that a query can name.
        case noKey
        /// The engine cannot read it; its message for the log.
        case unreadable(message: String)
    }

    /// The lists, by name.
    package let lists: [List]
    /// What makes no list, by name.
    package let refusals: [Refusal]

    /// Looks through a database, without writing to it.
    ///
    /// The engine's own tables, shadow tables of virtual ones and what Roster made are left out. At
    /// most ``sampleSize`` rows of each table are looked at for the types of its columns.
    ///
    /// - Parameter location: Where the database is.
    /// - Throws: ``SQLiteError`` when it cannot be read at all.
    package init(_ location: DatabaseLocation) throws(SQLiteError) {
        let connection = try DatabaseConnection(location, access: .readOnly)
        var lists: [List] = []
        var refusals: [Refusal] = []
        for entry in try ForeignTable.entries(connection) {
            do {
                lists.append(try ForeignTable(entry, connection).list())
            } catch {
                refusals.append(Refusal(name: entry.name, reason: error))
            }
        }
        self.lists = lists
        self.refusals = refusals
    }

    /// The rows of a table that are looked at for the types of its columns.
    package static let sampleSize = 1000
}

extension ForeignCatalog.Reason: Error {}
