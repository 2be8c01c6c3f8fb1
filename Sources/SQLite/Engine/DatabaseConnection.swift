import Bytes
import CSQLite
import Database
import Listings
import Synchronization

/// A session with SQLite, for one thread at a time.
///
/// Every connection has functions of texts, such as `roster_order` and `roster_words`. Read-only
/// databases are not trusted: functions and tables with side effects in a schema are not run. SQLite
/// reports a damaged page if it can detect it.
@safe
package final class DatabaseConnection {
    package let location: DatabaseLocation
    package let access: DatabaseAccess
    /// Can be used from any thread.
    package let interruption: Interruption

    package private(set) var isImmutable = false

    private var isLogged = false

    private(set) var core: ConnectionHandle
    private var statements = LRUCache<String, Statement>(capacity: 64)

    /// A file in write-ahead mode needs a second file even for reading.
    ///
    /// On a read-only mount, for example, that file cannot be created. If the log is then empty,
    /// the database is read as immutable. A caller that notices a change has to reopen it. If the
    /// log has changes, the error is ``SQLiteError/unreadableLog``.
    ///
    /// A path that begins with `file:` is an ordinary path. A file that is not a database, or has
    /// another ``DatabaseFormat``, is refused here.
    package init(
        _ location: DatabaseLocation,
        access: DatabaseAccess,
        busyTimeout: Duration = .seconds(2)
    ) throws(SQLiteError) {
        self.location = location
        self.access = access
        interruption = Interruption()
        var flags = SQLITE_OPEN_NOMUTEX
        switch access {
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .readWrite: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .writeForeign: flags |= SQLITE_OPEN_READWRITE
        }
        core = try ConnectionHandle(
            path: try Self.enginePath(location),
            flags: flags,
            virtualFileSystem: location.isMemory ? "memdb" : nil,
            interruption: interruption
        )
        do {
            try configure(busyTimeout: busyTimeout)
        } catch {
            guard access == .readOnly, error.isAboutLogIndex, case .file(let path) = location,
                let isEmpty = FileFingerprint.hasEmptyLog(path)
            else { throw error }
            guard isEmpty else { throw .unreadableLog }
            core = try ConnectionHandle(
                path: Self.immutableAddress(of: try Self.enginePath(location)),
                flags: flags | SQLITE_OPEN_URI,
                virtualFileSystem: nil,
                interruption: interruption
            )
            isImmutable = true
            try configure(busyTimeout: busyTimeout)
        }
    }

    private static func immutableAddress(of path: [UInt8]) -> [UInt8] {
        var address = ByteBuffer(minimumCapacity: path.count * 3 + 32)
        address.append("file:")
        for byte in path {
            if byte == UInt8(ascii: "/") || isPlain(byte) {
                address.append(byte)
            } else {
                address.append(UInt8(ascii: "%"))
                address.append(hexadecimal: UInt64(byte >> 4))
                address.append(hexadecimal: UInt64(byte & 0xF))
            }
        }
        address.append("?immutable=1")
        return address.array()
    }

    /// The path for SQLite.
    ///
    /// `file:`, `:memory:` and an empty text never reach SQLite, because it gives them a special
    /// meaning.
    private static func enginePath(_ location: DatabaseLocation) throws(SQLiteError) -> [UInt8] {
        switch location {
        case .file(let path):
            guard !path.isEmpty else { throw .unusableLocation }
            return path.first == UInt8(ascii: "/") ? path : Array("./".utf8) + path
        case .memory(let name):
            guard !name.isEmpty, name.utf8.allSatisfy(isPlain) else { throw .unusableLocation }
            // SQLite shares a database in memory between connections if its name begins with a
            // slash.
            return Array("/".utf8) + Array(name.utf8)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The longest read: no log separates readers of a database in memory from its writers.
    package static var longestWaitInMemory: Duration { .seconds(10) }

    func setBusyTimeout(_ timeout: Duration) { core.busyTimeout = timeout }

    private func configure(busyTimeout: Duration) throws(SQLiteError) {
        setBusyTimeout(busyTimeout)
        // Imported lists have triggers that update a word index, which is a virtual table. The
        // triggers of another program are rules of its database, and may have texts in double
        // quotes.
        let trustsSchema = access.isForWriting ? 1 : 0
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, trustsSchema),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
            (SQLITE_DBCONFIG_DQS_DML, access == .writeForeign ? 1 : 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        ] {
            // SAFETY: the connection is open.
            let code = unsafe csqlite_switch(core.pointer, Int32(option), Int32(value))
            guard code == SQLITE_OK else { throw core.error(.configure, code: code) }
        }
        try registerFunctions()
        switch access {
        case .readOnly:
            try execute("PRAGMA query_only = 1; PRAGMA temp_store = 2; PRAGMA cell_size_check = 1;")
        case .readWrite:
            // A database in memory is used where no file can be created, so temporary files are
            // impossible.
            try execute(
                location.isMemory ? "PRAGMA temp_store = 2;" : "PRAGMA journal_mode = WAL;"
            )
            if location.isMemory { core.removeMemoryLimit() } else { core.boundLog() }
            // A second thread sorts the rows of a new index.
            try execute("PRAGMA synchronous = FULL; PRAGMA threads = 1;")
        case .writeForeign:
            // A rollback journal that is deleted must not come back after a power failure.
            try execute("PRAGMA synchronous = EXTRA;")
        }
        // The first access to the file throws if it is not a database.
        try execute("SELECT count(*) FROM sqlite_schema;")
        try DatabaseFormat.check(self)
    }
}

extension DatabaseConnection {
    /// Runs trusted statements separated by `;` and discards their records.
    package func execute(_ sql: String) throws(SQLiteError) {
        // SAFETY: the text lives for the call; no callback is given.
        let code = unsafe sqlite3_exec(core.pointer, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw core.error(.step, code: code) }
    }

    /// Moves the write-ahead log into the file, so that a copy of the file alone is complete.
    ///
    /// False while another connection uses the log.
    package func emptyLog() throws(SQLiteError) -> Bool {
        let statement = try prepare("PRAGMA wal_checkpoint(TRUNCATE)")
        return try statement.step() && statement.integer(0) == 0
    }

    func countBytes() throws(SQLiteError) -> Int {
        let sizes = try statement(
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        )
        defer { sizes.reset() }
        return try sizes.step() ? Int(sizes.integer(0)) : 0
    }

    func copy(to other: DatabaseConnection) throws(SQLiteError) {
        // SAFETY: both connections are open, and no other thread uses them during the call.
        let backup = unsafe sqlite3_backup_init(
            other.core.pointer,
            "main",
            core.pointer,
            "main"
        )
        guard let backup = unsafe backup else {
            throw other.core.error(.open, code: unsafe sqlite3_errcode(other.core.pointer))
        }
        let code = unsafe sqlite3_backup_step(backup, -1)
        unsafe sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw other.core.error(.step, code: code) }
    }

    /// The text must be trusted, with bound values and quoted names.
    ///
    /// At most 64 statements are cached, and the least recently used is dropped first. Concurrent
    /// uses of one text interfere with each other; see ``prepare(_:)``.
    package func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = statements.take(sql) {
            statement.reset()
            statement.clearBindings()
            return statement
        }
        let statement = try prepare(sql)
        statements.insert(statement, for: sql)
        return statement
    }

    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try Statement(sql, core: core)
    }

    package var lastInsertedRowID: Int64 {
        // SAFETY: the connection is open.
        unsafe sqlite3_last_insert_rowid(core.pointer)
    }

    /// The rows that the last statement itself has changed.
    var changedRows: Int {
        // SAFETY: the connection is open.
        unsafe Int(sqlite3_changes(core.pointer))
    }

    /// Whether the file may not be written.
    package var isReadOnly: Bool {
        // SAFETY: the connection is open.
        unsafe sqlite3_db_readonly(core.pointer, "main") == 1
    }

    package var isInTransaction: Bool {
        // SAFETY: the connection is open.
        unsafe sqlite3_get_autocommit(core.pointer) == 0
    }

    package var deadline: ContinuousClock.Instant? {
        get { core.watch.deadline }
        set { core.watch.deadline = newValue }
    }
}

extension DatabaseConnection {
    /// The number is rounded to the interval of SQLite's checks; nil if it did not suffice.
    func within<R>(steps: Int, _ body: () throws(SQLiteError) -> R) throws(SQLiteError) -> R? {
        core.watch.looksLeft = steps / Int(StatementWatch.stepsBetweenLooks)
        defer { core.watch.looksLeft = nil }
        do {
            return try body()
        } catch .outOfTime {
            return nil
        }
    }
}

extension DatabaseLocation {
    package var isMemory: Bool {
        if case .memory = self { true } else { false }
    }
}

extension DatabaseConnection {
    /// A number that changes with each commit by any process, as the current read transaction sees
    /// it.
    ///
    /// It is specific to this connection, and reading it needs neither file access nor a statement
    /// (SQLITE_FCNTL_DATA_VERSION).
    package func dataVersion() -> UInt32? {
        precondition(isInTransaction, "no transaction sees a version")
        var version: UInt32 = 0
        // SAFETY: the connection is open, and the engine writes one number during the call only.
        let code = unsafe sqlite3_file_control(
            core.pointer,
            nil,
            SQLITE_FCNTL_DATA_VERSION,
            &version
        )
        return code == SQLITE_OK ? version : nil
    }

    /// The number of the schema in the file, which every schema change increases (PRAGMA
    /// schema_version).
    func schemaNumber() throws(SQLiteError) -> UInt64 {
        let statement = try statement("PRAGMA schema_version")
        defer { statement.reset() }
        return try statement.step() ? UInt64(bitPattern: statement.integer(0)) : 0
    }
}

extension DatabaseConnection {
    /// 48 bytes as words, which every commit changes; nil in another mode, or if they are not
    /// accessible.
    func logIndexHeader() throws(SQLiteError) -> [UInt32]? {
        guard !isImmutable else { return nil }
        if !isLogged {
            let mode = try statement("PRAGMA journal_mode")
            defer { mode.reset() }
            isLogged = try mode.step() && mode.text(0) == "wal"
        }
        guard isLogged else { return nil }
        var header = [UInt32](repeating: 0, count: 12)
        let isThere = unsafe header.withUnsafeMutableBufferPointer { words in
            // SAFETY: the connection is open, and there is room for the twelve words.
            unsafe csqlite_log_index_header(core.pointer, words.baseAddress) == 1
        }
        return isThere ? header : nil
    }
}

extension DatabaseConnection {
    package enum Transaction: String, Sendable {
        case reading = "BEGIN"
        /// Writes. It waits for another writer before anything is done.
        case writing = "BEGIN IMMEDIATE"
    }

    package func begin(_ transaction: Transaction) throws(SQLiteError) {
        try run(transaction.rawValue, as: .begin)
    }

    package func commit() throws(SQLiteError) {
        try run("COMMIT", as: .commit)
    }

    package func rollback() {
        guard isInTransaction else { return }
        // A rollback fails only if no transaction is open, which is the intended state.
        // SAFETY: the text is a literal; no callback is given.
        unsafe _ = sqlite3_exec(core.pointer, "ROLLBACK", nil, nil, nil)
    }

    func beginSavepoint() throws(SQLiteError) { try run("SAVEPOINT roster", as: .begin) }

    func endSavepoint() throws(SQLiteError) { try run("RELEASE roster", as: .commit) }

    func rollbackToSavepoint() throws(SQLiteError) {
        try run("ROLLBACK TO roster", as: .step)
        try endSavepoint()
    }

    package func transaction<R>(
        _ transaction: Transaction,
        _ body: () throws(SQLiteError) -> R
    ) throws(SQLiteError) -> R {
        try begin(transaction)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    private func run(_ sql: String, as operation: SQLiteError.Operation) throws(SQLiteError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        do {
            _ = try statement.step()
        } catch .engine(_, let code, let message) {
            throw .engine(operation, code: code, message: message)
        }
    }
}

/// Stops the statements of a connection, from any thread.
package final class Interruption: Sendable {
    private let raised = Atomic<Bool>(false)

    package init() {}

    package var isRaised: Bool { raised.load(ordering: .relaxed) }

    /// Makes the running statement, and every later one, fail with
    /// ``SQLiteError/interrupted``.
    package func raise() { raised.store(true, ordering: .relaxed) }
}
