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
    /// The number of the schema before it was looked through.
    package let schema: UInt64

    /// Looks through a database, without writing to it.
    ///
    /// The engine's own tables, shadow tables of virtual ones and what Roster made are left out. Work on
    /// a table ends by what is counted, never by time, so that every replica finds the same lists.
    ///
    /// - Parameters:
    ///   - location: The location of the database.
    ///   - steps: The steps of the engine that a look at a table may take.
    /// - Throws: ``SQLiteError`` when it cannot be read at all.
    package init(
        _ location: DatabaseLocation,
        steps: Int = ForeignTable.stepsOfLook
    ) throws(SQLiteError) {
        let connection = try DatabaseConnection(location, access: .readOnly)
        schema = try connection.schemaNumber()
        var lists: [List] = []
        var refusals: [Refusal] = []
        for entry in try ForeignTable.entries(connection) {
            do {
                lists.append(try ForeignTable(entry, connection, steps: steps).list())
            } catch {
                refusals.append(Refusal(name: entry.name, reason: error))
            }
        }
        self.lists = lists
        self.refusals = refusals
    }

    /// The number of a database's schema, which each change of it moves.
    package static func schema(of location: DatabaseLocation) throws(SQLiteError) -> UInt64 {
        try DatabaseConnection(location, access: .readOnly).schemaNumber()
    }
}
