import Locks

/// An object that keeps a database in memory alive.
package final class MemoryDatabase: Sendable {
    /// The location for other connections, valid for the lifetime of this object.
    package let location: DatabaseLocation
    private let connection: Locked<DatabaseConnection>

    /// Creates an empty database.
    package init() throws(SQLiteError) {
        location = .uniqueMemory()
        connection = Locked(try DatabaseConnection(location, access: .readWrite))
    }
}
