import CPostgres
import Database
import Glibc
import Listings

/// A session with a server, for one thread at a time.
///
/// It is sendable because ``PostgresDatabase`` passes it from thread to thread, although sharing is
/// unsafe. libpq may wait forever, so only its nonblocking functions are used. This type waits
/// itself, until a deadline.
@safe
final class PostgresConnection: @unchecked Sendable {
    /// The maximum number of prepared statements of a session.
    static let maximumStatements = 256
    /// Settings that make results independent of the server and optimize for small pages.
    private static let settings = """
        SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'; SET IntervalStyle = 'iso_8601'; \
        SET extra_float_digits = 1; SET default_transaction_read_only = on; SET jit = off; \
        SET enable_hashagg = off; SET idle_in_transaction_session_timeout = '60s'; \
        SELECT set_config(name, 'off', false) FROM pg_catalog.pg_settings \
        WHERE name = 'enable_async_append'
        """

    let pointer: OpaquePointer
    private var statements: [String: String] = [:]
    private var statementTimeout: Int64 = 0
    /// The number of statements run, including those that begin and end transactions.
    private(set) var statementCount = 0
    /// The constraint, column and row-level security flag of the last refused statement.
    ///
    /// A name is empty if the server reported none.
    private(set) var broken = (constraint: "", column: "", isPolicy: false)
    /// Whether the session can no longer be used.
    private(set) var isBroken = false
    /// Whether the transaction is no longer wanted; nil for one whose statements have deadlines.
    ///
    /// A transaction without deadlines waits until the server responds or this returns true.
    private var isCancelled: (() -> Bool)?
    /// The time between two checks whether the transaction is still wanted.
    private static let timeBetweenChecks = Duration.milliseconds(100)

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - timeout: The maximum time to wait.
    /// - Throws: ``PostgresError``.
    init(_ address: PostgresAddress, timeout: Duration) throws(PostgresError) {
        guard cpostgres_load() != 0 else { throw .noLibrary }
        let password = try address.passwordFile.map(PasswordFile.read)
        let deadline = ContinuousClock.now + timeout
        // SAFETY: no other code gets the pointer from libpq.
        guard let pointer = unsafe Self.start(address, password: password) else {
            throw .unreachable(reason: "out of memory")
        }
        // SAFETY: libpq created the pointer. This object alone owns and finishes it.
        unsafe self.pointer = unsafe pointer
        try connect(until: deadline, hiding: address.secrets + [password ?? ""])
        // SAFETY: the connection is open.
        unsafe cpostgres_drop_notices(pointer)
        guard unsafe cpostgres_set_nonblocking(pointer, 1) == 0 else { throw lost() }
        try execute(Self.settings, until: deadline)
    }

    deinit {
        // SAFETY: created in init, and not used after this.
        unsafe cpostgres_finish(pointer)
    }

    /// Starts to connect.
    ///
    /// The address comes last, so that it overrides the defaults.
    private static func start(_ address: PostgresAddress, password: String?) -> OpaquePointer? {
        var words = [
            ("fallback_application_name", "roster"), ("client_encoding", "UTF8"),
            ("tcp_user_timeout", "5000"), ("keepalives_idle", "30"), ("dbname", address.text),
        ]
        if let password { words.append(("password", password)) }
        let keywords = CStrings(words.map(\.0))
        let values = CStrings(words.map(\.1))
        return unsafe keywords.withPointers { keywords in
            // SAFETY: both arrays end in null and outlive the call. libpq copies them.
            unsafe values.withPointers { values in
                unsafe cpostgres_connect_start(keywords, values, 1)
            }
        }
    }

    private func connect(
        until deadline: ContinuousClock.Instant,
        hiding secrets: [String]
    ) throws(PostgresError) {
        // SAFETY: libpq keeps the pointer valid until deinit.
        guard unsafe Int(cpostgres_status(pointer)) != CPOSTGRES_CONNECTION_BAD else {
            throw .unreachable(reason: message(hiding: secrets))
        }
        var events = Int16(POLLOUT)
        while true {
            guard try wait(for: events, until: deadline) else {
                throw .unreachable(reason: "no response in time")
            }
            // SAFETY: libpq keeps the pointer valid until deinit.
            switch unsafe Int(cpostgres_connect_poll(pointer)) {
            case CPOSTGRES_POLLING_OK: return
            case CPOSTGRES_POLLING_READING: events = Int16(POLLIN)
            case CPOSTGRES_POLLING_WRITING: events = Int16(POLLOUT)
            default: throw .unreachable(reason: message(hiding: secrets))
            }
        }
    }

    /// Returns libpq's error message in one line, without secrets.
    private func message(hiding secrets: [String] = []) -> String {
        // SAFETY: libpq owns the text, which is copied immediately.
        let text = unsafe cpostgres_error_message(pointer).map { unsafe String(cString: $0) } ?? ""
        let line = text.split(separator: "\n").joined(separator: " ")
        return secrets.contains { !$0.isEmpty && line.contains($0) } ? "the address is wrong" : line
    }

    func lost() -> PostgresError {
        isBroken = true
        return .lost(reason: message())
    }

    /// Waits until the socket is readable or writable.
    ///
    /// Returns false at the deadline, and when a transaction without one is no longer wanted.
    func wait(
        for events: Int16,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> Bool {
        while true {
            let rest: Duration
            if let isCancelled {
                guard !isCancelled() else { return false }
                rest = Self.timeBetweenChecks
            } else {
                rest = deadline - .now
                guard rest > .zero else { return false }
            }
            // SAFETY: the pointer is valid until deinit. poll fills one entry and stores nothing.
            var entry = unsafe pollfd(fd: cpostgres_socket(pointer), events: events, revents: 0)
            let ready = unsafe poll(&entry, 1, Int32(min(rest / .milliseconds(1) + 1, 1e9)))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { throw .lost(reason: "poll: errno \(errno)") }
        }
    }
}

extension PostgresConnection {
    /// Whether a statement failed in the open transaction, so that no other can run in it.
    var hasFailed: Bool {
        // SAFETY: libpq keeps the pointer valid until deinit.
        unsafe Int(cpostgres_transaction_status(pointer)) == CPOSTGRES_INERROR
    }

    /// Runs trusted statements, separated by `;`.
    func execute(
        _ sql: String,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        statementCount += 1
        // SAFETY: the text outlives the call.
        try check(unsafe cpostgres_send_query(pointer, sql))
        _ = try answer(until: deadline)
    }

    /// Waits for a notification of a channel that the session listens to.
    ///
    /// - Returns: Whether one arrived before the deadline.
    /// - Throws: ``PostgresError`` if the session ends.
    func awaitNotification(
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> Bool {
        while true {
            // SAFETY: libpq keeps the pointer valid until deinit.
            guard unsafe cpostgres_consume(pointer) == 1 else { throw lost() }
            if unsafe cpostgres_take_notifications(pointer) > 0 { return true }
            guard try wait(for: Int16(POLLIN), until: deadline) else { return false }
        }
    }

    /// Runs a statement, which is prepared at its first use.
    ///
    /// - Parameters:
    ///   - sql: The trusted text. Values must be bound and names quoted.
    ///   - values: The values of `$1` and so on. Nil is null.
    ///   - isKept: Whether it stays prepared. One-time statements should not.
    ///   - deadline: The time by which the result must arrive. Usually the server ends the
    ///     statement itself by then. If it does not respond, the connection is lost.
    /// - Returns: All records.
    /// - Throws: ``PostgresError``.
    func run(
        _ sql: String,
        _ values: [String?] = [],
        isKept: Bool = true,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> PostgresResult {
        try send(try prepare(sql, isKept: isKept, until: deadline), values)
        return try answer(until: deadline)
    }

    /// Sends a prepared statement.
    func send(_ name: String, _ values: [String?]) throws(PostgresError) {
        statementCount += 1
        let sent = unsafe CStrings(values).withPointers { texts in
            // SAFETY: the array outlives the call. libpq copies the data it sends.
            unsafe cpostgres_send_prepared(pointer, name, Int32(values.count), texts)
        }
        try check(sent)
    }

    /// Prepares different statements that are run together.
    ///
    /// - Returns: Their names by their texts.
    func prepare(
        _ texts: Set<String>,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> [String: String] {
        let isFull = statements.count + texts.count > Self.maximumStatements
        if isFull {
            try execute("DEALLOCATE ALL", until: deadline)
            statements.removeAll()
        }
        var names: [String: String] = [:]
        for sql in texts { names[sql] = try prepare(sql, isKept: true, until: deadline) }
        return names
    }

    private func prepare(
        _ sql: String,
        isKept: Bool,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> String {
        if let name = statements[sql] { return name }
        // One-time statements may refer to prepared ones by name.
        if isKept, statements.count >= Self.maximumStatements {
            try execute("DEALLOCATE ALL", until: deadline)
            statements.removeAll()
        }
        let name = isKept ? "roster_\(statements.count)" : ""
        // SAFETY: both texts outlive the call.
        try check(unsafe cpostgres_send_prepare(pointer, name, sql))
        _ = try answer(until: deadline)
        if isKept { statements[sql] = name }
        return name
    }

    func check(_ sent: Int32) throws(PostgresError) {
        if sent == 0 { throw lost() }
    }

    /// Waits for the complete result of the last statement.
    ///
    /// - Parameters:
    ///   - deadline: The time by which the result must arrive.
    ///   - first: A result that was received before.
    /// - Returns: The last result.
    /// - Throws: ``PostgresError``.
    func answer(
        until deadline: ContinuousClock.Instant,
        after first: PostgresResult? = nil
    ) throws(PostgresError) -> PostgresResult {
        var last: PostgresResult?
        var refusal: PostgresError?
        var received: PostgresResult? = if let first { first } else { try next(until: deadline) }
        while let result = received {
            if refusal == nil { refusal = note(result) }
            last = result
            received = try next(until: deadline)
        }
        if let refusal { throw refusal }
        guard let last else { throw lost() }
        return last
    }

    /// Notes the reason of a refused statement.
    ///
    /// - Returns: The error, or nil if the statement succeeded.
    func note(_ result: PostgresResult) -> PostgresError? {
        guard let refusal = result.refusal else { return nil }
        // 42501 also means a missing privilege, and texts depend on the server's language.
        let isPolicy = result.field("C") == "42501" && result.field("R") == "ExecWithCheckOptions"
        broken = (result.field("n"), result.field("c"), isPolicy)
        if refusal.isFatal { isBroken = true }
        return refusal
    }

    /// Waits for the next result of the last statement.
    ///
    /// - Returns: The result, or nil after the last one.
    /// - Throws: ``PostgresError`` if the session ends.
    func next(
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> PostgresResult? {
        while true {
            // SAFETY: libpq keeps the pointer valid until deinit.
            let rest = unsafe cpostgres_flush(pointer)
            if rest < 0 { throw lost() }
            if rest == 0, unsafe cpostgres_is_busy(pointer) == 0 { break }
            let events = Int16(POLLIN) | (rest == 0 ? 0 : Int16(POLLOUT))
            guard try wait(for: events, until: deadline) else {
                isBroken = true
                throw .noAnswer
            }
            guard unsafe cpostgres_consume(pointer) == 1 else { throw lost() }
        }
        // SAFETY: libpq is not busy, so it does not block. The returned object owns the result.
        guard let result = unsafe cpostgres_next_result(pointer) else {
            let isOpen = unsafe cpostgres_status(pointer) == 0
            if !isOpen { throw lost() }
            return nil
        }
        return unsafe PostgresResult(owning: result)
    }
}

extension PostgresConnection {
    /// Sets the server's statement timeout for the rest of the transaction.
    func limitStatements(
        to timeout: Duration,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        guard isCancelled == nil else { return }
        let milliseconds = max(1, Int64((timeout / .milliseconds(1)).rounded(.up)))
        // A limit that is slightly longer than the remaining time stays, to save a statement.
        guard
            statementTimeout == 0 || statementTimeout > milliseconds * 5 / 4 + 5
                || statementTimeout < milliseconds / 2
        else { return }
        try execute("SET LOCAL statement_timeout = \(milliseconds)", until: deadline)
        statementTimeout = milliseconds
    }

    /// Lifts the deadlines of all statements of the transaction except its end.
    ///
    /// - Parameters:
    ///   - deadline: The deadline of this statement.
    ///   - isCancelled: Whether the transaction is no longer wanted. The session then breaks.
    /// - Throws: ``PostgresError``.
    func liftLimits(
        until deadline: ContinuousClock.Instant,
        _ isCancelled: @escaping () -> Bool
    ) throws(PostgresError) {
        try execute("SET LOCAL statement_timeout = 0", until: deadline)
        self.isCancelled = isCancelled
    }

    /// Restores the deadlines of statements.
    func restoreLimits() { isCancelled = nil }

    /// Begins to read a snapshot of the database.
    func begin(until deadline: ContinuousClock.Instant) throws(PostgresError) {
        statementTimeout = 0
        try execute(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SAVEPOINT reading",
            until: deadline
        )
    }

    /// Continues to read the same snapshot after a refused statement.
    func readOn(until deadline: ContinuousClock.Instant) throws(PostgresError) {
        statementTimeout = 0
        try execute("ROLLBACK TO SAVEPOINT reading", until: deadline)
    }

    /// Begins to write.
    ///
    /// A wait for a lock is limited by `longestWait`. A commit is acknowledged only after it is on disk, regardless
    /// of the server's default.
    func beginWriting(
        until deadline: ContinuousClock.Instant,
        longestWait: Duration,
        budget: Duration
    ) throws(PostgresError) {
        let milliseconds = Int64(budget / .milliseconds(1))
        try execute(
            """
            BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
            SET LOCAL lock_timeout = \(Int64(longestWait / .milliseconds(1)));
            SET LOCAL statement_timeout = \(milliseconds);
            SELECT set_config('synchronous_commit', 'on', true)
            WHERE current_setting('synchronous_commit') = 'off'
            """,
            until: deadline
        )
        statementTimeout = milliseconds
    }

    /// Ends the transaction.
    ///
    /// If that fails, the session is not used again.
    func rollback(until deadline: ContinuousClock.Instant) {
        guard !isBroken else { return }
        restoreLimits()
        do { try execute("ROLLBACK", until: deadline) } catch { isBroken = true }
    }
}
