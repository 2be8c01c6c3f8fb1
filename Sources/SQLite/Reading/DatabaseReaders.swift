import Database
import Listings
import Locks

/// The connections that read a database, which all its lists share.
///
/// A connection has the schema of the whole database. With one for each list, time and memory would
/// grow with the square of the number of lists.
package final class DatabaseReaders: Sendable {
    private static let longestIdle = Duration.seconds(60)

    package let location: DatabaseLocation
    let lockTimeout = LockTimeout()
    /// The one that was used last is at the end, and is borrowed first.
    private let idle = Locked<[ReadingConnection]>([])

    package init(_ location: DatabaseLocation) { self.location = location }

    /// The caller must end with ``giveBack(_:)``.
    func borrow(waiting busyTimeout: Duration) throws(ReadingError) -> ReadingConnection {
        if let known = idle.withLock({ $0.popLast() }) { return known }
        return try ReadingConnection(location, waiting: busyTimeout, lockTimeout)
    }

    func giveBack(_ connection: ReadingConnection) {
        let now = ContinuousClock.now
        connection.lastUse = now
        // Removed connections close outside the lock.
        _ = idle.withLock { idle in
            let gone = idle.prefix { now - $0.lastUse > Self.longestIdle }
            idle.removeFirst(gone.count)
            idle.append(connection)
            return gone
        }
    }

    var busyTimeout: Duration {
        location.isMemory ? DatabaseConnection.longestWaitInMemory : lockTimeout.wait
    }
}

/// A connection that one session at a time reads, with its knowledge of the tables.
///
/// It may be sent although it is not safe to share, because only the session that has borrowed it
/// uses it and its statements.
final class ReadingConnection: @unchecked Sendable {
    /// The knowledge of the connection about a table.
    struct Knowledge {
        let reading: TableQueries
        /// The last version of the list, with SQLite's number of that state of the database.
        var known: (data: UInt32, version: ListVersion)?
        /// SQLite's number of the last state that fits the description.
        var checked: UInt32?
    }

    private let location: DatabaseLocation
    private let lockTimeout: LockTimeout
    private(set) var connection: DatabaseConnection
    var lastUse = ContinuousClock.now
    private var opened: FileFingerprint?
    private var generation = MemorySnapshots.generation
    private var tables = LRUCache<UInt64, Knowledge>(capacity: 32)
    /// The versions whose rows with words are cached.
    private var gathered: [UInt64: ListVersion] = [:]

    fileprivate init(
        _ location: DatabaseLocation,
        waiting busyTimeout: Duration,
        _ lockTimeout: LockTimeout
    ) throws(ReadingError) {
        self.location = location
        self.lockTimeout = lockTimeout
        opened = try Self.inspect(at: location, withLog: true)
        let copy = MemorySnapshots.copy(of: location)
        connection = try withExtendedLifetime(copy) { () throws(ReadingError) in
            try Self.open(copy?.location ?? location, waiting: busyTimeout, lockTimeout)
        }
    }

    private static func open(
        _ location: DatabaseLocation,
        waiting busyTimeout: Duration,
        _ lockTimeout: LockTimeout
    ) throws(ReadingError) -> DatabaseConnection {
        do {
            let connection = try DatabaseConnection(
                location,
                access: .readOnly,
                busyTimeout: busyTimeout
            )
            try connection.registerGathering()
            return connection
        } catch {
            if error.cause == .busy, busyTimeout > .zero { lockTimeout.waitedInVain() }
            throw ReadingError(error)
        }
    }

    /// Returns what is known of a table, under its number; the schema may have other columns.
    func knowledge(
        of number: UInt64,
        _ table: TableDescription,
        _ schema: ListSchema
    ) throws(ReadingError) -> Knowledge {
        if let known = tables.take(number) { return known }
        do { try WordIndex.openPlaceholders(of: table, on: connection) } catch {
            throw ReadingError(error)
        }
        let new = Knowledge(reading: TableQueries(connection, table: table, schema: schema))
        tables.insert(new, for: number)
        return new
    }

    func keep(_ knowledge: Knowledge, of number: UInt64) { tables.insert(knowledge, for: number) }

    /// Ends a transaction, if one is open.
    func end() {
        connection.core.watch.cancellation = nil
        // If the cached COMMIT fails, the rollback ends the transaction.
        if connection.isInTransaction { try? connection.commit() }
        connection.rollback()
        connection.core.watch.read = nil
    }

    /// Drops the rows with words that were gathered from another version of a table.
    func forgetGathered(of number: UInt64, unless version: ListVersion) {
        guard gathered.updateValue(version, forKey: number) != version else { return }
        connection.core.gathered.removeAll()
    }

    private static func inspect(
        at location: DatabaseLocation,
        withLog: Bool
    ) throws(ReadingError) -> FileFingerprint? {
        guard case .file(let path) = location else { return nil }
        return try FileFingerprint(path: path, withLog: withLog)
    }

    /// The version of an imported list is in the database, so the log is not examined then.
    func inspect(isStored: Bool) throws(ReadingError) -> FileFingerprint? {
        var files = try Self.inspect(
            at: location,
            withLog: !isStored || connection.isImmutable
        )
        // An open database in write-ahead mode has a log.
        guard files?.hasLog ?? false, !isStored else { return files }
        do throws(SQLiteError) {
            files?.logIndexHeader = try connection.logIndexHeader()
        } catch {
            throw ReadingError(error)
        }
        return files
    }

    /// Reopens the database if its file was replaced, and returns the state of its files.
    func refresh(
        isStored: Bool,
        waiting busyTimeout: Duration
    ) throws(ReadingError) -> FileFingerprint? {
        guard let opened, let now = try inspect(isStored: isStored) else {
            try follow(waiting: busyTimeout)
            return nil
        }
        if !now.isSameFile(as: opened) || connection.isImmutable && now != opened {
            // The state is taken before opening, so that later changes are noticed.
            let replacing = try Self.inspect(at: location, withLog: true)
            try reopen(location, waiting: busyTimeout)
            self.opened = replacing
            return replacing
        }
        return now
    }

    private func follow(waiting busyTimeout: Duration) throws(ReadingError) {
        let now = MemorySnapshots.generation
        guard now != generation else { return }
        let copy = MemorySnapshots.copy(of: location)
        // The copy must stay alive until it is open.
        try withExtendedLifetime(copy) { () throws(ReadingError) in
            let location = copy?.location ?? location
            if location != connection.location { try reopen(location, waiting: busyTimeout) }
        }
        generation = now
    }

    private func reopen(
        _ location: DatabaseLocation,
        waiting busyTimeout: Duration
    ) throws(ReadingError) {
        connection = try Self.open(location, waiting: busyTimeout, lockTimeout)
        tables.removeAll()
        gathered.removeAll()
    }
}
