import CPostgres
import Database
import Glibc
import Listings
import Locks
import System

/// It is sendable because ``PostgresDatabase`` passes it on, although sharing is unsafe.
///
/// libpq may wait forever, so only its nonblocking functions are used. This type waits itself, until
/// a deadline.
@safe
final class PostgresConnection: @unchecked Sendable {
    static let maximumStatements = 256
    let pointer: OpaquePointer
    /// Whether a pooler lends sessions of the server, so that nothing may outlast a transaction.
    private(set) var isPooled = true
    private(set) var settings = PostgresConnection.settings
    private var statements: [String: String] = [:]
    private var preparedCount = 0
    /// In milliseconds, 0 if none is set.
    var statementTimeout: Int64 = 0
    private(set) var statementCount = 0
    /// A name is empty if the server reported none.
    private(set) var broken = (constraint: "", column: "", isPolicy: false)
    var isBroken = false
    var isCancelled: (() -> Bool)?
    var isLimited = true
    private static let timeBetweenChecks = Duration.milliseconds(100)

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
        // A pooler does not know the process that will run a statement.
        let server = try run(
            "SELECT pg_backend_pid(), current_setting('server_version_num')::int >= 140000",
            isKept: false,
            until: deadline
        )
        // SAFETY: libpq keeps the pointer valid until deinit.
        isPooled = unsafe server.text(0, 0) != "\(cpostgres_backend(pointer))"
        if server.text(0, 1) == "t" { settings += " SET LOCAL enable_async_append = off;" }
    }

    deinit {
        // SAFETY: created in init, and not used after this.
        unsafe Self.end(pointer)
    }

    /// It waits a second at most for the cancellation, because the process may end then.
    @unsafe
    private static func end(_ pointer: OpaquePointer) {
        // SAFETY: only the thread that ends the session uses it from now on.
        nonisolated(unsafe) let pointer = unsafe pointer
        guard unsafe Int(cpostgres_transaction_status(pointer)) == CPOSTGRES_ACTIVE else {
            return unsafe cpostgres_finish(pointer)
        }
        let isEnded = Monitor(false)
        var threads = ThreadGroup()
        do {
            try threads.start(named: "roster-cancel") {
                // A pooler finds the statement by the session, which must be open until then.
                // SAFETY: the thread that started this one leaves the pointer to it.
                unsafe cpostgres_cancel(pointer)
                unsafe cpostgres_finish(pointer)
                isEnded.withLock { $0 = true }
            }
            if !isEnded.wait(for: .seconds(1), until: { $0 }) { threads.detach() }
        } catch {
            // SAFETY: no thread was started.
            unsafe cpostgres_finish(pointer)
        }
    }

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

    /// Returns false at the deadline, and when the transaction is no longer wanted.
    func wait(
        for events: Int16,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> Bool {
        while true {
            let rest = isLimited ? deadline - .now : Self.timeBetweenChecks
            guard rest > .zero, isCancelled?() != true else { return false }
            let pause = isCancelled == nil ? rest : min(rest, Self.timeBetweenChecks)
            // SAFETY: the pointer is valid until deinit. poll fills one entry and stores nothing.
            var entry = unsafe pollfd(fd: cpostgres_socket(pointer), events: events, revents: 0)
            let ready = unsafe poll(&entry, 1, Int32(min(pause / .milliseconds(1) + 1, 1e9)))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { throw .lost(reason: "poll: errno \(errno)") }
        }
    }
}

extension PostgresConnection {
    var hasFailed: Bool {
        // SAFETY: libpq keeps the pointer valid until deinit.
        unsafe Int(cpostgres_transaction_status(pointer)) == CPOSTGRES_INERROR
    }

    /// Runs trusted statements, separated by `;`, and returns the result of the last one.
    @discardableResult
    func execute(
        _ sql: String,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> PostgresResult {
        statementCount += 1
        // SAFETY: the text outlives the call.
        try check(unsafe cpostgres_send_query(pointer, sql))
        return try answer(until: deadline)
    }

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

    /// The text is trusted: values must be bound and names quoted.
    ///
    /// One-time statements should not stay prepared. Usually the server ends a statement by the
    /// deadline. If it does not respond, the connection is lost.
    func run(
        _ sql: String,
        _ values: [String?] = [],
        isKept: Bool = true,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> PostgresResult {
        var name = isKept ? statements[sql] : nil
        if isKept, name == nil { name = try prepare([sql], until: deadline)[sql] }
        try send(sql, named: name, values)
        return try answer(until: deadline)
    }

    func send(_ sql: String, named name: String?, _ values: [String?]) throws(PostgresError) {
        statementCount += 1
        let sent = unsafe CStrings(values).withPointers { texts in
            // SAFETY: the texts outlive the call. libpq copies the data it sends.
            unsafe cpostgres_send(pointer, name, sql, Int32(values.count), texts)
        }
        try check(sent)
    }

    /// Prepares statements, unless a pooler lends the session.
    ///
    /// Returns the names by the texts.
    func prepare(
        _ texts: Set<String>,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> [String: String] {
        guard !isPooled else { return [:] }
        let isNew = texts.contains { statements[$0] == nil }
        // One-time statements may refer to prepared ones by name.
        if isNew, statements.count + texts.count > Self.maximumStatements {
            try execute("DEALLOCATE ALL", until: deadline)
            statements.removeAll()
        }
        var names: [String: String] = [:]
        for sql in texts {
            let name = statements[sql] ?? "roster_\(preparedCount)"
            if statements[sql] == nil {
                // A cancelled preparation may have taken place, so that its name is taken.
                preparedCount += 1
                // SAFETY: both texts outlive the call.
                try check(unsafe cpostgres_send_prepare(pointer, name, sql))
                _ = try answer(until: deadline)
                statements[sql] = name
            }
            names[sql] = name
        }
        return names
    }

    func check(_ sent: Int32) throws(PostgresError) {
        if sent == 0 { throw lost() }
    }

    /// `first` is a result that was received before.
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

    func note(_ result: PostgresResult) -> PostgresError? {
        guard let refusal = result.refusal else { return nil }
        // 42501 also means a missing privilege, and texts depend on the server's language.
        let isPolicy = result.field("C") == "42501" && result.field("R") == "ExecWithCheckOptions"
        broken = (result.field("n"), result.field("c"), isPolicy)
        if refusal.isFatal { isBroken = true }
        return refusal
    }

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
