import Synchronization

/// Keeps a database in memory alive.
package final class MemoryDatabase: Sendable {
    /// Where other connections find the database, for as long as this object lives.
    package let location: DatabaseLocation
    private let connection: Mutex<DatabaseConnection>

    /// Creates an empty database.
    package init() throws(SQLiteError) {
        location = .uniqueMemory()
        connection = Mutex(try DatabaseConnection(location, access: .readWrite))
    }
}
