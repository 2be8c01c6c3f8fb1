import Database
import Locks
import Synchronization

/// Copies of databases in memory, which are read while the originals are written to for long.
///
/// A database in memory has no log that would part its readers from a writer: while one writes,
/// nobody else can begin to read.
enum MemoryCopies {
    private static let copies = Locked<[DatabaseLocation: MemoryDatabase]>([:])
    private static let counter = Atomic(0)

    /// Another number whenever a database is to be read elsewhere.
    static var generation: Int { counter.load(ordering: .acquiring) }

    /// The copy that is to be read in the place of a database; nil for most.
    static func copy(of location: DatabaseLocation) -> MemoryDatabase? {
        copies.withLock { $0[location] }
    }

    /// Has a database be read as it is now, until ``end(of:)``.
    ///
    /// - Throws: ``SQLiteError`` where there is no memory for the copy.
    /// - Complexity: O(bytes of the database), which are there twice from then on.
    static func begin(with original: DatabaseConnection) throws(SQLiteError) {
        let copy = try MemoryDatabase()
        try original.copy(to: try DatabaseConnection(copy.location, access: .readWrite))
        copies.withLock { $0[original.location] = copy }
        counter.add(1, ordering: .releasing)
    }

    /// Has a database be read itself again.
    static func end(of location: DatabaseLocation) {
        // What is dropped goes with the last reader of it.
        _ = copies.withLock { $0.removeValue(forKey: location) }
        counter.add(1, ordering: .releasing)
    }
}
