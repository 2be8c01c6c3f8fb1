import CSQLite
import Glibc
import Locks

/// It is closed with the last of them.
@safe
final class ConnectionHandle {
    let pointer: OpaquePointer
    let watch: StatementWatch
    var work = EngineStatistics()
    let gathered = RowIDBitmap()
    var log = WriteAheadLog()
    /// The maximum wait for another connection.
    var busyTimeout = Duration.zero {
        didSet {
            // SAFETY: the connection is open.
            unsafe sqlite3_busy_timeout(pointer, Int32(busyTimeout / .milliseconds(1)))
        }
    }

    init(
        path: [UInt8],
        flags: Int32,
        virtualFileSystem: String?,
        interruption: Interruption
    ) throws(SQLiteError) {
        guard !path.contains(0) else { throw .unusableLocation }
        var opened: OpaquePointer?
        let name = path.map(CChar.init(bitPattern:)) + [0]
        // SAFETY: `name` ends in NUL and lives for the call, as the file system's name does.
        let code = unsafe sqlite3_open_v2(name, &opened, flags, virtualFileSystem)
        guard let opened = unsafe opened else {
            throw .engine(.open, code: code, message: "out of memory")
        }
        unsafe pointer = unsafe opened
        watch = StatementWatch(interruption: interruption)
        guard code == SQLITE_OK else { throw error(.open, code: code) }
        unsafe sqlite3_extended_result_codes(opened, 1)
        unsafe watch.install(on: opened)
    }

    deinit {
        // SAFETY: statements hold this object, so all of them are finalised; nothing uses the
        // pointer after this.
        unsafe _ = sqlite3_close_v2(pointer)
    }

    /// Lets a database in memory grow beyond SQLite's default of 1 GiB.
    func removeMemoryLimit() {
        var limit = Int64.max
        // SAFETY: the connection is open, and the engine reads one number during the call only.
        unsafe _ = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit)
    }

    func error(_ operation: SQLiteError.Operation, code: Int32) -> SQLiteError {
        if code & 0xFF == SQLITE_INTERRUPT, let reason = watch.reason { return reason }
        // SAFETY: the message belongs to the connection and is copied at once.
        let message = unsafe sqlite3_errmsg(pointer).map { unsafe String(cString: $0) } ?? ""
        let isFull = code & 0xFF == SQLITE_IOERR && isAtFileLimit
        return .engine(operation, code: isFull ? SQLITE_FULL : code, message: message)
    }

    /// Whether a file has reached the limit of its size, for which SQLite has no code.
    private var isAtFileLimit: Bool {
        [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER].contains { control in
            var file: UnsafeMutablePointer<sqlite3_file>?
            var code: Int32 = 0
            // SAFETY: the connection is open and owns its files, which report their last errno.
            unsafe sqlite3_file_control(pointer, "main", control, &file)
            let methods = unsafe file?.pointee.pMethods
            _ = unsafe methods?.pointee.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code)
            return code == EFBIG
        }
    }
}

@safe
final class StatementWatch {
    /// Counted in SQLite instructions.
    static let stepsBetweenLooks: Int32 = 2000

    let interruption: Interruption
    var deadline: ContinuousClock.Instant?
    var read: (log: WriteAheadLog, begin: ContinuousClock.Instant)?
    var cancellation: RequestCancellation?
    /// SQLite counts its instructions, so that a statement ends at the same row on every machine
    /// and under any load.
    var looksLeft: Int?
    private(set) var reason: SQLiteError?

    init(interruption: Interruption) { self.interruption = interruption }

    @unsafe
    func install(on pointer: OpaquePointer) {
        // SAFETY: the connection is open, and its core keeps this object for as long.
        unsafe sqlite3_progress_handler(
            pointer,
            Self.stepsBetweenLooks,
            { context in
                guard let context = unsafe context else { return 0 }
                // SAFETY: the connection owns the watch and outlives its own statements.
                let watch = unsafe Unmanaged<StatementWatch>.fromOpaque(context)
                return unsafe watch.takeUnretainedValue().mustStop() ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Called for short statements too, because they end before SQLite's own check.
    func checkTime() throws(SQLiteError) {
        if mustStop(), let reason { throw reason }
    }

    private func mustStop() -> Bool {
        if interruption.isRaised || cancellation?.isCancelled ?? false {
            reason = .interrupted
        } else if let deadline, ContinuousClock.now >= deadline {
            reason = .outOfTime
        } else if let read, read.log.ends(read.begin) {
            reason = .outOfTime
        } else if let looksLeft {
            self.looksLeft = looksLeft - 1
            guard looksLeft <= 0 else { return false }
            reason = .outOfTime
        } else {
            return false
        }
        return true
    }
}
