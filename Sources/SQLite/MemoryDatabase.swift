import Database
import Locks
import Synchronization

package final class MemoryDatabase: Sendable {
    package let location: DatabaseLocation
    private let connection: Locked<DatabaseConnection>

    package init() throws(SQLiteError) {
        location = .uniqueMemory()
        connection = Locked(try DatabaseConnection(location, access: .readWrite))
    }
}

/// A database in memory has no log that separates its readers from a writer.
///
/// During a write, no reader can begin.
enum MemorySnapshots {
    private static let copies = Locked<[DatabaseLocation: MemoryDatabase]>([:])
    private static let counter = Atomic(0)

    static var generation: Int { counter.load(ordering: .acquiring) }

    static func copy(of location: DatabaseLocation) -> MemoryDatabase? {
        copies.withLock { $0[location] }
    }

    /// Readers see this state until ``end(of:)``.
    ///
    /// - Complexity: O(bytes of the database), which are then in memory twice.
    static func begin(with original: DatabaseConnection) throws(SQLiteError) {
        let copy = try MemoryDatabase()
        try original.copy(to: try DatabaseConnection(copy.location, access: .readWrite))
        copies.withLock { $0[original.location] = copy }
        counter.add(1, ordering: .releasing)
    }

    static func end(of location: DatabaseLocation) {
        // The copy is released with its last reader.
        _ = copies.withLock { $0.removeValue(forKey: location) }
        counter.add(1, ordering: .releasing)
    }
}
