import Listings

/// All processes that write to the database share its table `roster_answers`.
struct IdempotencyStore {
    static let table = "roster_answers"
    static let definition = """
        CREATE TABLE IF NOT EXISTS roster_answers (list text NOT NULL, key text NOT NULL, \
        fingerprint text NOT NULL, answer bytea NOT NULL, made timestamptz NOT NULL DEFAULT now(), \
        number bigint NOT NULL GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (list, key)); \
        CREATE INDEX IF NOT EXISTS roster_answers_made ON roster_answers (made); \
        CREATE INDEX IF NOT EXISTS roster_answers_number ON roster_answers (number)
        """
    private static let isOld = "made <= now() - make_interval(secs => \(lifetime))"
    private static let lifetime = WriteReceipt.lifetime.components.seconds

    let connection: PooledConnection
    let list: String

    /// A new receipt is reserved and yields nil.
    func response(to receipt: WriteReceipt) throws(WriteError) -> [UInt8]? {
        let found: PostgresResult
        do throws(PostgresError) {
            // A repeated request takes no number, because the numbers count the cached responses.
            let mine = try connection.perform(
                """
                INSERT INTO roster_answers AS kept (list, key, fingerprint, answer) \
                SELECT $1, $2, $3, '' WHERE NOT EXISTS (SELECT FROM roster_answers AS kept \
                WHERE list = $1 AND key = $2 AND NOT kept.\(Self.isOld)) \
                ON CONFLICT (list, key) DO UPDATE \
                SET fingerprint = excluded.fingerprint, answer = '', made = now() \
                WHERE kept.\(Self.isOld) RETURNING 1
                """,
                [list, receipt.key, receipt.fingerprint]
            )
            guard mine.count == 0 else { return nil }
            found = try connection.perform(
                """
                SELECT fingerprint, encode(answer, 'hex') FROM roster_answers \
                WHERE list = $1 AND key = $2
                """,
                [list, receipt.key]
            )
        } catch {
            throw WriteError(error)
        }
        // Another process has just deleted it.
        guard found.count == 1 else { throw .busy }
        guard found.text(0, 0) == receipt.fingerprint else { throw .reusedKey }
        return ByteValue(hexadecimal: found.text(0, 1) ?? "")?.bytes ?? []
    }

    /// Also deletes some responses that are expired or beyond the maximum.
    func keep(_ response: [UInt8], for receipt: WriteReceipt) throws(PostgresError) {
        _ = try connection.perform(
            "UPDATE roster_answers SET answer = decode($3, 'hex') WHERE list = $1 AND key = $2",
            [list, receipt.key, ByteValue(response).hexadecimal]
        )
        // Each response gets the next number, so the numbers count the responses.
        _ = try connection.perform(
            """
            DELETE FROM roster_answers WHERE (list, key) IN (SELECT list, key FROM roster_answers \
            WHERE \(Self.isOld) OR number <= (SELECT max(number) FROM roster_answers) \
            - \(WriteReceipt.maximumCount) LIMIT 100 FOR UPDATE SKIP LOCKED)
            """
        )
    }
}

extension PostgresDatabase {
    /// Returns the action that the operator must take to enable the cache.
    package func prepareAnswers() throws(PostgresError) -> String? {
        let (connection, action) = try borrow { (connection) throws(PostgresError) in
            try Self.prepareAnswers(on: connection)
        }
        giveBack(connection)
        return action
    }

    private static func prepareAnswers(
        on connection: PostgresConnection
    ) throws(PostgresError) -> String? {
        let end = ContinuousClock.now + .seconds(5)
        func isUsable() throws(PostgresError) -> Bool? {
            let found = try connection.run(
                """
                SELECT bool_and(has_table_privilege(relation, wanted))
                FROM (SELECT to_regclass('roster_answers')::oid) AS kept(relation),
                    unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS wanted
                """,
                isKept: false,
                until: end
            )
            return found.text(0, 0).map { $0 == "t" }
        }
        var usable = try isUsable()
        if usable == nil {
            do throws(PostgresError) {
                try connection.execute(
                    "BEGIN READ WRITE; \(IdempotencyStore.definition); COMMIT",
                    until: end
                )
            } catch {
                connection.rollback(until: end)
                guard !connection.isBroken else { throw error }
                // Another process may have created it at the same time.
                usable = try isUsable()
                guard usable != nil else {
                    return "\(error.reason): \(IdempotencyStore.definition)"
                }
            }
            usable = try isUsable()
        }
        guard usable == false else { return nil }
        return "GRANT SELECT, INSERT, UPDATE, DELETE ON roster_answers TO CURRENT_USER is missing"
    }
}
