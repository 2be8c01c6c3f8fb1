package import Database
package import Listings
import Locks

/// It reopens the database when the file is replaced.
package final class FileSession: TableSession {
    private let location: DatabaseLocation
    private let table: TableDescription
    private let schema: ListSchema
    /// The number of the schema with which a foreign table was described.
    private let mark: SharedNumber?
    private let check: DescriptionCheck?
    private let log: WriteAheadLog?
    /// The marks of a description that does not fit the data, and of one with equal or missing keys.
    package static let (outdated, refuted) = (UInt64.max, UInt64.max - 1)
    private let lockTimeout: LockTimeout
    private var checked: UInt32?
    package private(set) var reading: TableQueries
    package private(set) var connection: DatabaseConnection
    private var opened: FileFingerprint?
    private var generation = MemorySnapshots.generation
    /// The last version whose columns matched the schema.
    private var knownVersion: ListVersion?
    /// The last version of the list, with SQLite's number of that state of the database.
    private var known: (data: UInt32, version: ListVersion)?
    private var neverWaits = false

    init(
        _ location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        mark: SharedNumber? = nil,
        check: DescriptionCheck? = nil,
        log: WriteAheadLog? = nil,
        lockTimeout: LockTimeout = LockTimeout()
    ) throws(ReadingError) {
        self.location = location
        self.lockTimeout = lockTimeout
        (self.mark, self.check, self.log) = (mark, check, log)
        self.table = table
        self.schema = schema
        opened = try Self.inspect(at: location, withLog: true)
        let copy = MemorySnapshots.copy(of: location)
        connection = try withExtendedLifetime(copy) { () throws(ReadingError) in
            try Self.open(
                copy?.location ?? location,
                table,
                waiting: LockWaiting.isAllowed ? Self.busyTimeout(location, lockTimeout) : .zero,
                lockTimeout
            )
        }
        reading = TableQueries(connection, table: table, schema: schema)
    }

    private static func inspect(
        at location: DatabaseLocation,
        withLog: Bool
    ) throws(ReadingError) -> FileFingerprint? {
        guard case .file(let path) = location else { return nil }
        return try FileFingerprint(path: path, withLog: withLog)
    }

    /// The version of an imported list is in the database, so the log is not examined then.
    private func inspect() throws(ReadingError) -> FileFingerprint? {
        var files = try Self.inspect(
            at: location,
            withLog: !table.isStored || connection.isImmutable
        )
        // An open database in write-ahead mode has a log.
        guard files?.hasLog ?? false, !table.isStored else { return files }
        do throws(SQLiteError) {
            files?.logIndexHeader = try connection.logIndexHeader()
        } catch {
            throw ReadingError(error)
        }
        return files
    }

    private static func busyTimeout(
        _ location: DatabaseLocation,
        _ lockTimeout: LockTimeout
    ) -> Duration {
        location.isMemory ? DatabaseConnection.longestWaitInMemory : lockTimeout.wait
    }

    private static func open(
        _ location: DatabaseLocation,
        _ table: TableDescription,
        waiting busyTimeout: Duration,
        _ lockTimeout: LockTimeout
    ) throws(ReadingError) -> DatabaseConnection {
        do {
            let connection = try DatabaseConnection(
                location,
                access: .readOnly,
                busyTimeout: busyTimeout
            )
            try WordIndex.openPlaceholders(of: table, on: connection)
            return connection
        } catch {
            if error.cause == .busy, busyTimeout > .zero { lockTimeout.waitedInVain() }
            throw ReadingError(error)
        }
    }

    package func version() throws(ReadingError) -> ListVersion {
        let files = try refresh()
        if case .stored(let list) = table.origin { return try storedVersion(of: list) }
        // The log counts as far as readers see it. The header of its index shows that without a
        // read transaction, which would keep the log from being emptied.
        guard let files, files.hasLog, files.logIndexHeader == nil else {
            return foreignVersion(files)
        }
        defer { endReading() }
        return try beginReading()
    }

    package func immediateVersion() throws(ReadingError) -> ListVersion? {
        neverWaits = true
        defer { neverWaits = false }
        connection.setBusyTimeout(.zero)
        return try version()
    }

    package func beginReading() throws(ReadingError) -> ListVersion {
        do {
            return try beginReadingVersion()
        } catch {
            endReading()
            throw error
        }
    }

    private func beginReadingVersion() throws(ReadingError) -> ListVersion {
        var files = try refresh()
        try begin()
        if case .stored(let list) = table.origin {
            // An earlier state has the version that was read in it.
            let data = connection.dataVersion()
            if let known, known.data == data { return known.version }
            let version = try storedVersion(of: list)
            known = data.map { ($0, version) }
            return version
        }
        // The state of the files belongs to the transaction if nothing changed in between. With
        // constant writes, nothing is known to belong to it.
        var isKnown = false
        for attempt in 0...3 where !isKnown {
            isKnown = try inspect() == files
            guard !isKnown, attempt < 3 else { continue }
            endReading()
            files = try refresh()
            try begin()
        }
        let version = foreignVersion(files, isKnown: isKnown)
        try checkDescription(version)
        return version
    }

    package func refuteKey() -> Bool {
        guard let mark, table.key[0].name != RowNumbers.name else { return false }
        mark.value = Self.refuted
        return true
    }

    private func checkDescription(_ version: ListVersion) throws(ReadingError) {
        guard let mark else { return }
        let data = connection.dataVersion()
        guard data == nil || data != checked else { return }
        let number: UInt64
        do { number = try connection.schemaNumber() } catch { throw ReadingError(error) }
        guard number == mark.value else { throw .engine(.redefined) }
        let fits = try check?.fits(version, connection, neverWaits: neverWaits)
        if let fits { checked = fits ? data : nil }
        guard fits == false else { return }
        mark.value = Self.outdated
        throw .engine(.redefined)
    }

    package func endReading() {
        connection.core.watch.cancellation = nil
        // If the cached COMMIT fails, the rollback ends the transaction.
        if connection.isInTransaction { try? connection.commit() }
        connection.rollback()
        connection.core.watch.read = nil
    }

    private func begin() throws(ReadingError) {
        if !neverWaits { connection.setBusyTimeout(Self.busyTimeout(location, lockTimeout)) }
        do {
            connection.core.watch.read = log.map { ($0, .now) }
            try connection.begin(.reading)
            // SQLite fixes the state at the first read, not at BEGIN.
            let probe = try connection.statement("SELECT 1 FROM sqlite_schema LIMIT 1")
            _ = try probe.step()
            probe.reset()
            connection.core.watch.cancellation = .current
        } catch {
            if !neverWaits, error.cause == .busy { lockTimeout.waitedInVain() }
            throw ReadingError(error)
        }
    }

    private func refresh() throws(ReadingError) -> FileFingerprint? {
        guard let opened, let now = try inspect() else {
            try follow()
            return nil
        }
        if !now.isSameFile(as: opened) || connection.isImmutable && now != opened {
            // The state is taken before opening, so that later changes are noticed.
            let replacing = try Self.inspect(at: location, withLog: true)
            try reopen(location)
            self.opened = replacing
            return replacing
        }
        return now
    }

    private func follow() throws(ReadingError) {
        let now = MemorySnapshots.generation
        guard now != generation else { return }
        let copy = MemorySnapshots.copy(of: location)
        // The copy must stay alive until it is open.
        try withExtendedLifetime(copy) { () throws(ReadingError) in
            let location = copy?.location ?? location
            if location != connection.location { try reopen(location) }
        }
        generation = now
    }

    private func reopen(_ location: DatabaseLocation) throws(ReadingError) {
        let wait = neverWaits ? .zero : Self.busyTimeout(location, lockTimeout)
        connection = try Self.open(location, table, waiting: wait, lockTimeout)
        (known, checked) = (nil, nil)
        reading = TableQueries(connection, table: table, schema: schema)
    }

    private func foreignVersion(_ files: FileFingerprint?, isKnown: Bool = true) -> ListVersion {
        guard let files else { return ListVersion(epoch: 0, counter: 0) }
        let version = files.version()
        guard !isKnown || !files.isSettled(at: .now()) else { return version }
        // A new version for every read, so that responses are never taken for equal.
        return .random()
    }

    private func storedVersion(of list: String) throws(ReadingError) -> ListVersion {
        let version: ListVersion?
        var columns: [String: ColumnType]?
        do throws(SQLiteError) {
            version = try ListCatalog.version(of: list, in: connection)
            if version != knownVersion {
                columns = try ListCatalog.types(of: list, in: connection)
            }
        } catch {
            throw ReadingError(error)
        }
        guard let version else { throw .listGone(list) }
        if let columns {
            guard columns == types else { throw .engine(.redefined) }
            knownVersion = version
        }
        return version
    }

    private var types: [String: ColumnType] {
        Dictionary(
            zip(table.columns, schema.columns).map { ($0.name, $1.type) }
                + schema.hidden.map { ($0.id, $0.type) },
            uniquingKeysWith: { $1 }
        )
    }
}
