package import Database
import Listings

/// The tables and views of a foreign database: those served as lists, and the reasons for refusing
/// others.
package struct ForeignCatalog: Sendable {
    /// A table or view served as a list.
    package typealias List = ExternalList
    /// A table or view that cannot be served as a list.
    package typealias Refusal = TableRefusal
    /// The reason of a refusal.
    package typealias Reason = TableRefusal.Reason

    /// The lists, by name.
    package let lists: [List]
    /// The refused tables and views, by name.
    package let refusals: [Refusal]
    /// The number of the schema before the search.
    package let schema: UInt64

    /// Searches a database without writing to it.
    ///
    /// SQLite's own tables, shadow tables of virtual ones and Roster's tables are skipped. The
    /// search of a table is limited by instructions, never by time, so that every replica finds the
    /// same lists.
    ///
    /// - Parameters:
    ///   - location: The location of the database.
    ///   - steps: The maximum number of SQLite instructions per table.
    /// - Throws: ``SQLiteError`` when the database cannot be read at all.
    package init(
        _ location: DatabaseLocation,
        steps: Int = ExternalTable.stepsOfLook
    ) throws(SQLiteError) {
        let connection = try DatabaseConnection(location, access: .readOnly)
        schema = try connection.schemaNumber()
        var lists: [List] = []
        var refusals: [Refusal] = []
        for entry in try ExternalTable.entries(connection) {
            do {
                lists.append(try ExternalTable(entry, connection, steps: steps).list())
            } catch {
                refusals.append(Refusal(name: entry.name, reason: error))
            }
        }
        self.lists = lists
        self.refusals = refusals
    }

    /// The number of a database's schema, which every schema change increases.
    package static func schema(of location: DatabaseLocation) throws(SQLiteError) -> UInt64 {
        try DatabaseConnection(location, access: .readOnly).schemaNumber()
    }
}
