import Listings

/// The version of a whole database: the set of transactions that its readers see.
///
/// Equal snapshots show the same rows, and reading one is cheap. Every write to the cluster changes
/// it, including writes to other tables. So clients may reload once more than necessary, but never
/// miss a change.
enum SnapshotVersion {
    private static let sql = """
        SELECT pg_current_snapshot()::text, pg_postmaster_start_time()::text || current_database()
        """

    static func read(
        _ connection: PostgresConnection,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> ListVersion {
        let found = try connection.run(sql, until: deadline)
        guard found.count == 1, let snapshot = found.text(0, 0), let epoch = found.text(0, 1) else {
            throw .lost(reason: "no snapshot")
        }
        return ListVersion(epoch: hash(epoch), counter: hash(snapshot))
    }

    /// Returns the 64-bit FNV-1a hash (RFC 9923).
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
