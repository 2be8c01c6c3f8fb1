import Locks

/// Keeps a database in memory alive.
package final class MemoryDatabase: Sendable {
    /// Where other connections find the database, for as long as this object lives.
    package let location: DatabaseLocation
    private let connection: Locked<DatabaseConnection>

    /// Creates an empty database.
    package init() throws(SQLiteError) {
        location = .uniqueMemory()
        connection = Locked(try DatabaseConnection(location, access: .readWrite))
    }
}
