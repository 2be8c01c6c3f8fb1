package import Database
package import Listings
import Locks

/// One reader's way to a table: opens the database, opens it anew when another file has taken its
/// place, and tells the version that belongs to what is read.
package final class FileSession: TableSession {
    private let location: DatabaseLocation
    private let table: TableDescription
    private let schema: ListSchema
    /// The number of the schema by which a foreign table was described.
    private let mark: SharedNumber?
    private let patience: LockPatience
    /// The state of the database in which the schema was found to be that one.
    private var checked: UInt32?
    /// Reads the table; another one after the file has been replaced.
    package private(set) var reading: TableReading
    /// The connection in use; another one after the file has been replaced.
    package private(set) var connection: DatabaseConnection
    /// What the files looked like when they were opened; nil in memory.
    private var opened: FileState?
    /// When it was found out where a database in memory is to be read.
    private var generation = MemoryCopies.generation
    private var unsettledVersions: UInt64 = 0
    /// The last version whose columns were found to be those of the schema.
    private var knownVersion: ListVersion?
    /// The version that the list had when the engine had this number for the state of the database.
    private var known: (data: UInt32, version: ListVersion)?
    /// Whether others wait for the thread.
    private var isHurried = false

    init(
        _ location: DatabaseLocation,
        table: TableDescription,
        schema: ListSchema,
        mark: SharedNumber? = nil,
        patience: LockPatience = LockPatience()
    ) throws(ReadingError) {
        self.location = location
        self.patience = patience
        self.mark = mark
        self.table = table
        self.schema = schema
        opened = try Self.look(at: location, withLog: true)
        let copy = MemoryCopies.copy(of: location)
        connection = try withExtendedLifetime(copy) { () throws(ReadingError) in
            try Self.open(
                copy?.location ?? location,
                table,
                waiting: LockWaiting.isAllowed ? Self.busyTimeout(location, patience) : .zero,
                patience
            )
        }
        reading = TableReading(connection, table: table, schema: schema)
    }

    private static func look(
        at location: DatabaseLocation,
        withLog: Bool
    ) throws(ReadingError) -> FileState? {
        guard case .file(let path) = location else { return nil }
        return try FileState(path: path, withLog: withLog)
    }

    /// What the files look like now, as far as it matters: the version of an imported list stands in
    /// the database, so that nothing is to be learned of its log.
    private func look() throws(ReadingError) -> FileState? {
        var files = try Self.look(at: location, withLog: !table.isStored || connection.isImmutable)
        guard files != nil, !table.isStored else { return files }
        do throws(SQLiteError) {
            files?.logIndexHeader = try connection.logIndexHeader()
        } catch {
            throw ReadingError(error)
        }
        return files
    }

    /// The wait for a lock where no other client waits for the thread; see
    /// ``DatabaseConnection/longestWaitInMemory``.
    private static func busyTimeout(
        _ location: DatabaseLocation,
        _ patience: LockPatience
    ) -> Duration {
        location.isMemory ? DatabaseConnection.longestWaitInMemory : patience.wait
    }

    /// Waits for no writer where others wait for the thread.
    package func hurry(_ isHurried: Bool) {
        guard isHurried != self.isHurried else { return }
        self.isHurried = isHurried
        connection.setBusyTimeout(isHurried ? .zero : Self.busyTimeout(location, patience))
    }

    private static func open(
        _ location: DatabaseLocation,
        _ table: TableDescription,
        waiting busyTimeout: Duration,
        _ patience: LockPatience
    ) throws(ReadingError) -> DatabaseConnection {
        do {
            let connection = try DatabaseConnection(
                location,
                access: .readOnly,
                busyTimeout: busyTimeout
            )
            try WordIndex.openPlaces(of: table, on: connection)
            return connection
        } catch {
            if error.cause == .busy, busyTimeout > .zero { patience.waitedInVain() }
            throw ReadingError(error)
        }
    }

    /// The state of the list now.
    package func version() throws(ReadingError) -> ListVersion {
        let files = try refresh()
        if case .stored(let list) = table.origin { return try storedVersion(of: list) }
        // What is in the log counts as far as a reader sees it. The header of its index says so, and
        // nobody is kept from emptying the log meanwhile; where there is none, only reading does.
        guard let files, files.hasLog, files.logIndexHeader == nil else {
            return foreignVersion(files)
        }
        defer { endReading() }
        return try beginReading()
    }

    /// Begins to read one state of the list, until ``endReading()``.
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
            // A state that was read before has the version that stood in it.
            let data = connection.dataVersion()
            if let known, known.data == data { return known.version }
            let version = try storedVersion(of: list)
            known = data.map { ($0, version) }
            return version
        }
        // What was read and what was looked at belong together when nothing changed in between;
        // where somebody writes all the time, the older look makes readers ask again too early,
        // never too late.
        for _ in 0..<3 {
            let after = try look()
            if after == files { break }
            endReading()
            files = try refresh()
            try begin()
        }
        try checkSchema()
        return foreignVersion(files)
    }

    /// Refuses to read a table by a description that may not be its own any more.
    private func checkSchema() throws(ReadingError) {
        guard let mark else { return }
        let data = connection.dataVersion()
        guard data == nil || data != checked else { return }
        let number: UInt64
        do { number = try connection.schemaNumber() } catch { throw ReadingError(error) }
        guard number == mark.value else { throw .engine(.redefined) }
        checked = data
    }

    /// Ends the reading of one state.
    package func endReading() {
        // Where it cannot be ended in the statement kept for it, it is by one made anew.
        if connection.isInTransaction { try? connection.commit() }
        connection.rollback()
    }

    private func begin() throws(ReadingError) {
        if !isHurried { connection.setBusyTimeout(Self.busyTimeout(location, patience)) }
        do {
            try connection.begin(.reading)
            // The state is taken at the first look, not by the word BEGIN.
            let look = try connection.statement("SELECT 1 FROM sqlite_schema LIMIT 1")
            _ = try look.step()
            look.reset()
        } catch {
            if !isHurried, error.cause == .busy { patience.waitedInVain() }
            throw ReadingError(error)
        }
    }

    private func refresh() throws(ReadingError) -> FileState? {
        guard let opened, let now = try look() else {
            try follow()
            return nil
        }
        if !now.isSameFile(as: opened) || connection.isImmutable && now != opened {
            // Taken before, so that what changes meanwhile is noticed.
            let replacing = try Self.look(at: location, withLog: true)
            try reopen(location)
            self.opened = replacing
            return replacing
        }
        return now
    }

    /// Reads a database in memory where it is to be read now.
    private func follow() throws(ReadingError) {
        let now = MemoryCopies.generation
        guard now != generation else { return }
        let copy = MemoryCopies.copy(of: location)
        // It is there until it is opened.
        try withExtendedLifetime(copy) { () throws(ReadingError) in
            let place = copy?.location ?? location
            if place != connection.location { try reopen(place) }
        }
        generation = now
    }

    private func reopen(_ place: DatabaseLocation) throws(ReadingError) {
        let wait = isHurried ? .zero : Self.busyTimeout(location, patience)
        connection = try Self.open(place, table, waiting: wait, patience)
        (known, checked) = (nil, nil)
        reading = TableReading(connection, table: table, schema: schema)
    }

    private func foreignVersion(_ files: FileState?) -> ListVersion {
        guard let files else { return ListVersion(epoch: 0, counter: 0) }
        let version = files.version()
        guard !files.isSettled(at: .now()) else { return version }
        // A version that nobody has seen before: an answer under it is never taken for another.
        unsettledVersions += 1
        return ListVersion(
            epoch: UInt64.random(in: 0...UInt64.max),
            counter: version.counter ^ unsettledVersions,
            isLasting: false
        )
    }

    private func storedVersion(of list: String) throws(ReadingError) -> ListVersion {
        do {
            let version = try ListCatalog.version(of: list, in: connection)
            guard let version else { throw ReadingError.listGone(list) }
            if version != knownVersion {
                let columns = try ListCatalog.types(of: list, in: connection)
                guard columns == types else { throw ReadingError.engine(.redefined) }
                knownVersion = version
            }
            return version
        } catch let error as SQLiteError {
            throw ReadingError(error)
        } catch let error as ReadingError {
            throw error
        } catch {
            throw .listGone(list)
        }
    }

    /// The types of the columns that the list had when it was opened.
    private var types: [String: ColumnType] {
        Dictionary(
            zip(table.columns, schema.columns).map { ($0.name, $1.type) },
            uniquingKeysWith: { $1 }
        )
    }
}
