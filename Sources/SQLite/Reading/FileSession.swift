package import Database
package import Listings
import Locks

/// It borrows a connection for each read, because the lists of a database share them.
package final class FileSession: TableSession {
    private let readers: DatabaseReaders
    private let table: TableDescription
    private let schema: ListSchema
    /// The number of the table, under which connections know it.
    private let number: UInt64
    /// The number of the schema with which a foreign table was described.
    private let mark: SharedNumber?
    private let check: DescriptionCheck?
    private let log: WriteAheadLog?
    /// The marks of a description that does not fit the data, and of one with equal or missing keys.
    package static let (outdated, refuted) = (UInt64.max, UInt64.max - 1)
    /// The connection of the current read.
    private var current: ReadingConnection?
    private var begun: TableQueries?
    private weak var last: ReadingConnection?
    /// The last version whose columns matched the schema.
    private var knownVersion: ListVersion?
    private var neverWaits = false
    package let dialect: any Dialect = SQLiteDialect()

    /// Fails if the database cannot be opened.
    init(
        _ readers: DatabaseReaders,
        table: TableDescription,
        schema: ListSchema,
        number: UInt64,
        mark: SharedNumber? = nil,
        check: DescriptionCheck? = nil,
        log: WriteAheadLog? = nil
    ) throws(ReadingError) {
        self.readers = readers
        (self.mark, self.check, self.log) = (mark, check, log)
        self.table = table
        self.schema = schema
        self.number = number
        let connection = try readers.borrow(
            waiting: LockWaiting.isAllowed ? readers.busyTimeout : .zero
        )
        last = connection
        readers.giveBack(connection)
    }

    deinit { endReading() }

    /// The connection of the last read, which another session may use by now.
    package var connection: DatabaseConnection? { last?.connection }

    private var wait: Duration { neverWaits ? .zero : readers.busyTimeout }

    package var reading: TableQueries {
        guard let begun else { preconditionFailure("the session has begun no read") }
        return begun
    }

    /// Performs an action on a borrowed connection, which an open read keeps.
    private func borrowing<R>(
        _ body: (ReadingConnection) throws(ReadingError) -> R
    ) throws(ReadingError) -> R {
        if let current { return try body(current) }
        let connection = try readers.borrow(waiting: wait)
        (current, last) = (connection, connection)
        defer { if begun == nil { giveBack() } }
        if neverWaits { connection.connection.setBusyTimeout(.zero) }
        return try body(connection)
    }

    private func giveBack() {
        guard let connection = current else { return }
        (current, begun) = (nil, nil)
        connection.end()
        readers.giveBack(connection)
    }

    package func version() throws(ReadingError) -> ListVersion {
        try borrowing { (connection) throws(ReadingError) in
            let files = try refresh(connection)
            if case .stored(let list) = table.origin {
                return try storedVersion(of: list, connection.connection)
            }
            // The log counts as far as readers see it. The header of its index shows that without
            // a read transaction, which would keep the log from being emptied.
            guard let files, files.hasLog, files.logIndexHeader == nil else {
                return foreignVersion(files)
            }
            defer { endReading() }
            return try beginReading()
        }
    }

    package func immediateVersion() throws(ReadingError) -> ListVersion? {
        neverWaits = true
        defer { neverWaits = false }
        return try version()
    }

    package func beginReading() throws(ReadingError) -> ListVersion {
        do {
            return try borrowing { (connection) throws(ReadingError) in
                let version = try begin(on: connection)
                connection.forgetGathered(of: number, unless: version)
                begun = try knowledge(connection).reading
                return version
            }
        } catch {
            endReading()
            throw error
        }
    }

    package func endReading() { giveBack() }

    private func knowledge(
        _ connection: ReadingConnection
    ) throws(ReadingError) -> ReadingConnection.Knowledge {
        try connection.knowledge(of: number, table, schema)
    }

    private func begin(on connection: ReadingConnection) throws(ReadingError) -> ListVersion {
        var files = try beginTransaction(on: connection)
        if case .stored(let list) = table.origin {
            var knowledge = try knowledge(connection)
            let data = connection.connection.dataVersion()
            // An earlier state has the version that was read in it.
            if let known = knowledge.known, known.data == data { return known.version }
            let version = try storedVersion(of: list, connection.connection)
            knowledge.known = data.map { ($0, version) }
            connection.keep(knowledge, of: number)
            return version
        }
        // The state of the files belongs to the transaction if nothing changed in between. With
        // constant writes, nothing is known to belong to it.
        var isKnown = false
        for attempt in 0...3 where !isKnown {
            isKnown = try connection.inspect(isStored: false) == files
            guard !isKnown, attempt < 3 else { continue }
            connection.end()
            files = try beginTransaction(on: connection)
        }
        let version = foreignVersion(files, isKnown: isKnown)
        var knowledge = try knowledge(connection)
        defer { connection.keep(knowledge, of: number) }
        try checkDescription(version, connection.connection, &knowledge)
        return version
    }

    package func refuteKey() -> Bool {
        guard let mark, table.key[0].name != RowNumbers.name else { return false }
        mark.value = Self.refuted
        return true
    }

    private func checkDescription(
        _ version: ListVersion,
        _ connection: DatabaseConnection,
        _ knowledge: inout ReadingConnection.Knowledge
    ) throws(ReadingError) {
        guard let mark else { return }
        let data = connection.dataVersion()
        guard data == nil || data != knowledge.checked else { return }
        let number: UInt64
        do { number = try connection.schemaNumber() } catch { throw ReadingError(error) }
        guard number == mark.value else { throw .engine(.redefined) }
        let fits = try check?.fits(version, connection, neverWaits: neverWaits)
        if let fits { knowledge.checked = fits ? data : nil }
        guard fits == false else { return }
        mark.value = Self.outdated
        throw .engine(.redefined)
    }

    private func beginTransaction(
        on readingConnection: ReadingConnection
    ) throws(ReadingError) -> FileFingerprint? {
        let files = try refresh(readingConnection)
        let connection = readingConnection.connection
        connection.setBusyTimeout(wait)
        // A rollback of the transaction must not remove the table of the indexed words.
        _ = try knowledge(readingConnection)
        do {
            connection.core.watch.read = log.map { ($0, .now) }
            try connection.begin(.reading)
            // SQLite fixes the state at the first read, not at BEGIN.
            let probe = try connection.statement("SELECT 1 FROM sqlite_schema LIMIT 1")
            _ = try probe.step()
            probe.reset()
            connection.core.watch.cancellation = .current
            return files
        } catch {
            if !neverWaits, error.cause == .busy { readers.lockTimeout.waitedInVain() }
            throw ReadingError(error)
        }
    }

    private func refresh(
        _ connection: ReadingConnection
    ) throws(ReadingError) -> FileFingerprint? {
        try connection.refresh(isStored: table.isStored, waiting: wait)
    }

    private func foreignVersion(_ files: FileFingerprint?, isKnown: Bool = true) -> ListVersion {
        guard let files else { return ListVersion(epoch: 0, counter: 0) }
        let version = files.version()
        guard !isKnown || !files.isSettled(at: .now()) else { return version }
        // A new version for every read, so that responses are never taken for equal.
        return .random()
    }

    private func storedVersion(
        of list: String,
        _ connection: DatabaseConnection
    ) throws(ReadingError) -> ListVersion {
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
