import Listings

extension PostgresConnection {
    /// They end with a transaction, because a pooler gives the session to other programs then.
    static let settings = """
        SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL TimeZone = 'UTC'; \
        SET LOCAL IntervalStyle = 'iso_8601'; SET LOCAL extra_float_digits = 1; \
        SET LOCAL jit = off; SET LOCAL enable_hashagg = off; \
        SET LOCAL idle_in_transaction_session_timeout = '60s';
        """

    func limitStatements(
        to timeout: Duration,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        guard isLimited else { return }
        let milliseconds = max(1, Int64((timeout / .milliseconds(1)).rounded(.up)))
        // A limit that is slightly longer than the remaining time stays, to save a statement.
        guard
            statementTimeout == 0 || statementTimeout > milliseconds * 5 / 4 + 5
                || statementTimeout < milliseconds / 2
        else { return }
        try execute("SET LOCAL statement_timeout = \(milliseconds)", until: deadline)
        statementTimeout = milliseconds
    }

    /// The time after which the server ends a statement of a transaction without deadlines.
    private static let longestStatement = Duration.seconds(3_600)

    /// The server itself ends a statement after ``longestStatement``, and soon after the connection
    /// breaks if it can notice that.
    ///
    /// It finds rows by their keys, because its statistics of a table that has just grown are out
    /// of date. When `isCancelled` returns true, the session breaks.
    func liftLimits(
        until deadline: ContinuousClock.Instant,
        _ isCancelled: @escaping () -> Bool
    ) throws(PostgresError) {
        try execute(
            """
            SET LOCAL statement_timeout = \(Int64(Self.longestStatement / .milliseconds(1)));
            SET LOCAL enable_seqscan = off; SET LOCAL enable_indexonlyscan = off;
            SELECT set_config('client_connection_check_interval', '5s', true)
            WHERE version() LIKE '%-linux-%' AND current_setting('server_version_num')::int >= 140000
            """,
            until: deadline
        )
        (self.isCancelled, isLimited) = (isCancelled, false)
    }

    func restoreLimits() { (isCancelled, isLimited) = (nil, true) }

    @discardableResult
    func begin(until deadline: ContinuousClock.Instant) throws(PostgresError) -> ListVersion {
        statementTimeout = 0
        return try SnapshotVersion.read(
            execute(
                """
                BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(settings) SAVEPOINT reading; \
                \(SnapshotVersion.sql)
                """,
                until: deadline
            )
        )
    }

    func readOn(until deadline: ContinuousClock.Instant) throws(PostgresError) {
        statementTimeout = 0
        try execute("ROLLBACK TO SAVEPOINT reading", until: deadline)
    }

    /// A commit is acknowledged only after it is on disk, regardless of the server's default.
    func beginWriting(
        until deadline: ContinuousClock.Instant,
        longestWait: Duration,
        budget: Duration
    ) throws(PostgresError) {
        let milliseconds = Int64(budget / .milliseconds(1))
        try execute(
            """
            BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \(settings)
            SET LOCAL lock_timeout = \(Int64(longestWait / .milliseconds(1)));
            SET LOCAL statement_timeout = \(milliseconds);
            SELECT set_config('synchronous_commit', 'on', true)
            WHERE current_setting('synchronous_commit') = 'off'
            """,
            until: deadline
        )
        statementTimeout = milliseconds
    }

    /// A session whose rollback fails is not used again.
    func rollback(until deadline: ContinuousClock.Instant) {
        guard !isBroken else { return }
        restoreLimits()
        do { try execute("ROLLBACK", until: deadline) } catch { isBroken = true }
    }
}
