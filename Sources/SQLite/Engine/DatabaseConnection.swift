import Bytes
import CSQLite
import Database
import Listings

/// One session with the embedded engine, for one thread at a time.
///
/// Every connection knows the collation of ``TextRules`` (``TextCollation``) and the functions
/// `roster_initial`, `roster_folded` and `roster_words`. Databases that are only read are not trusted:
/// functions and tables with side effects named in a schema are not run. A damaged page is noticed
/// where SQLite can notice it.
@safe
package final class DatabaseConnection {
    /// Where the database lives.
    package let location: DatabaseLocation
    /// What may be done to it.
    package let access: DatabaseAccess
    /// Stops statements, from any thread.
    package let interruption: Interruption

    /// Whether the file is read as one that cannot change: see ``init(_:access:busyTimeout:)``.
    package private(set) var isImmutable = false

    private(set) var core: ConnectionCore
    private var statements = LRUCache<String, Statement>(capacity: 64)

    /// Opens a database.
    ///
    /// A file in write-ahead mode needs a second file beside it even to be read. Where none can be
    /// made, on a read-only mount for example, and nothing waits in the log, the file is read as one
    /// that cannot change; who notices that it has changed opens it anew.
    ///
    /// - Parameters:
    ///   - location: Where it lives. A path that begins with `file:` is a path like any other.
    ///   - access: What may be done to it.
    ///   - busyTimeout: How long to wait for another writer.
    /// - Throws: ``SQLiteError``; a file that is no database is noticed here.
    package init(
        _ location: DatabaseLocation,
        access: DatabaseAccess,
        busyTimeout: Duration = .seconds(2)
    ) throws(SQLiteError) {
        self.location = location
        self.access = access
        interruption = Interruption()
        var flags = SQLITE_OPEN_NOMUTEX
        flags |=
            access == .readOnly
            ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        core = try ConnectionCore(
            path: try Self.enginePath(location),
            flags: flags,
            virtualFileSystem: location.isMemory ? "memdb" : nil,
            interruption: interruption
        )
        do {
            try configure(busyTimeout: busyTimeout)
        } catch {
            guard access == .readOnly, error.primaryCode == SQLITE_CANTOPEN,
                case .file(let path) = location, FileState.hasEmptyLog(path)
            else { throw error }
            core = try ConnectionCore(
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

    /// Neither `file:`, `:memory:` nor an empty text may reach the engine, where they mean something
    /// else than a file of that name.
    private static func enginePath(_ location: DatabaseLocation) throws(SQLiteError) -> [UInt8] {
        switch location {
        case .file(let path):
            guard !path.isEmpty else { throw .unusableLocation }
            return path.first == UInt8(ascii: "/") ? path : Array("./".utf8) + path
        case .memory(let name):
            guard !name.isEmpty, name.utf8.allSatisfy(isPlain) else { throw .unusableLocation }
            // The engine shares a database in memory between connections when its name begins so.
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

    /// How long readers and a writer of a database in memory wait for one another, which has no log
    /// that would part them: as long as the longest reading takes.
    package static var longestWaitInMemory: Duration { .seconds(5) }

    /// Changes how long to wait for another writer.
    func setBusyTimeout(_ timeout: Duration) {
        let milliseconds = timeout / .milliseconds(1)
        // SAFETY: the connection is open.
        unsafe sqlite3_busy_timeout(core.pointer, Int32(milliseconds))
    }

    private func configure(busyTimeout: Duration) throws(SQLiteError) {
        setBusyTimeout(busyTimeout)
        // Our own lists are written with triggers that keep an index of words, a virtual table.
        let trustsSchema = access == .readWrite ? 1 : 0
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, trustsSchema),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1), (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        ] {
            // SAFETY: the connection is open.
            let code = unsafe csqlite_switch(core.pointer, Int32(option), Int32(value))
            guard code == SQLITE_OK else { throw core.error(.configure, code: code) }
        }
        try registerCollation()
        try registerFunctions()
        switch access {
        case .readOnly:
            try execute("PRAGMA query_only = 1; PRAGMA temp_store = 2; PRAGMA cell_size_check = 1;")
        case .readWrite:
            // A database in memory is made where no file can be, so nothing may be put aside in one.
            try execute(
                location.isMemory ? "PRAGMA temp_store = 2;" : "PRAGMA journal_mode = WAL;"
            )
            try execute("PRAGMA synchronous = FULL;")
        }
        // The first look into the file: what is no database is refused now.
        try execute("SELECT count(*) FROM sqlite_schema;")
    }
}

extension DatabaseConnection {
    /// Runs statements of our own, separated by `;`, and drops their records.
    package func execute(_ sql: String) throws(SQLiteError) {
        // SAFETY: the text lives for the call; no callback is given.
        let code = unsafe sqlite3_exec(core.pointer, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw core.error(.step, code: code) }
    }

    /// Copies the database into another one, of which nothing is left.
    func copy(to other: DatabaseConnection) throws(SQLiteError) {
        // SAFETY: both connections are open, and for the call nobody else's.
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

    /// A statement for SQL text, prepared at its first use and kept; reset and without values.
    ///
    /// The text is ours: values are bound and names quoted. At most 64 are kept, and the one used
    /// longest ago goes first. Two users of one text at the same time would disturb each other: see
    /// ``prepare(_:)``.
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

    /// A new statement for SQL text, kept by the caller.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try Statement(sql, core: core)
    }

    /// The row id that the last insertion was given.
    package var lastInsertedRowID: Int64 {
        // SAFETY: the connection is open.
        unsafe sqlite3_last_insert_rowid(core.pointer)
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool {
        // SAFETY: the connection is open.
        unsafe sqlite3_get_autocommit(core.pointer) == 0
    }

    /// Ends statements that are still running at a point in time; nil lets them run.
    package var deadline: ContinuousClock.Instant? {
        get { core.watch.deadline }
        set { core.watch.deadline = newValue }
    }
}

extension DatabaseConnection {
    /// Runs statements for so many steps of the engine's programs, whatever time they take.
    ///
    /// - Parameters:
    ///   - steps: The steps, rounded to the looks that the engine allows.
    ///   - body: Runs the statements.
    /// - Returns: The result of the closure; nil where the steps did not suffice.
    /// - Throws: ``SQLiteError``.
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
    /// Whether the database is in memory.
    package var isMemory: Bool {
        if case .memory = self { true } else { false }
    }
}
