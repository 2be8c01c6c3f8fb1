package import Database
import Listings

/// The tables and views of somebody else's database: those that make a list, and why others do not.
package struct ForeignCatalog: Sendable {
    /// A table or view that makes a list.
    package typealias List = ForeignList
    /// A table or view that makes none.
    package typealias Refusal = TableRefusal
    /// Why a table or view makes no list.
    package typealias Reason = TableRefusal.Reason

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
