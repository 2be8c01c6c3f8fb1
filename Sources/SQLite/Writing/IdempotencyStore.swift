import Listings

/// The responses to batches with a receipt: the table `roster_answers`.
struct IdempotencyStore {
    static let table = "roster_answers"

    let connection: DatabaseConnection
    let list: String

    /// Whether the table is this one, and not that of another program.
    static func isIn(_ connection: DatabaseConnection) throws(SQLiteError) -> Bool {
        let found = try connection.statement(
            """
            SELECT count(*) = 5 FROM pragma_table_info('roster_answers')
            WHERE name IN ('list', 'key', 'fingerprint', 'answer', 'made')
            """
        )
        defer { found.reset() }
        return try found.step() && found.integer(0) == 1
    }

    /// Throws ``WriteError/reusedKey`` if the key was used for a different request.
    func response(to receipt: WriteReceipt) throws(WriteError) -> [UInt8]? {
        let known = try WriteError.ofDatabase { () throws(SQLiteError) -> (String, [UInt8])? in
            try create()
            let found = try connection.statement(
                "SELECT fingerprint, answer FROM roster_answers"
                    + " WHERE list = ?1 AND key = ?2 AND made > ?3"
            )
            defer { found.reset() }
            try found.bind(1, list)
            try found.bind(2, receipt.key)
            try found.bind(3, Self.oldest)
            guard try found.step() else { return nil }
            let response = found.held(1).withBlob { bytes in bytes.indices.map { bytes[$0] } }
            return (found.text(0), response)
        }
        guard let (fingerprint, response) = known else { return nil }
        guard fingerprint == receipt.fingerprint else { throw .reusedKey }
        return response
    }

    /// Also deletes old and surplus responses.
    func keep(_ response: [UInt8], for receipt: WriteReceipt) throws(SQLiteError) {
        let old = try connection.statement("DELETE FROM roster_answers WHERE made <= ?1")
        try old.bind(1, Self.oldest)
        try old.run()
        let entry = try connection.statement(
            """
            INSERT OR REPLACE INTO roster_answers (rowid, list, key, fingerprint, answer, made)
              SELECT coalesce(max(rowid), 0) + ?6, ?1, ?2, ?3, ?4, ?5 FROM roster_answers
            """
        )
        try entry.bind(1, list)
        try entry.bind(2, receipt.key)
        try entry.bind(3, receipt.fingerprint)
        try entry.bind(4, blob: response)
        try entry.bind(5, FileTime.now().seconds)
        try entry.bind(6, max(Int64(response.count), Self.leastBytes))
        try entry.run()
        // Each row number is the previous one plus the bytes of the response, so that differences
        // measure size.
        let surplus = try connection.statement(
            "DELETE FROM roster_answers"
                + " WHERE rowid <= (SELECT max(rowid) FROM roster_answers) - ?1"
        )
        try surplus.bind(1, Int64(WriteReceipt.maximumBytes))
        try surplus.run()
    }

    /// The minimum size that a response counts for, so that the byte limit also limits the number.
    private static var leastBytes: Int64 {
        Int64(WriteReceipt.maximumBytes / WriteReceipt.maximumCount + 1)
    }

    private static var oldest: Int64 {
        FileTime.now().seconds - WriteReceipt.lifetime.components.seconds
    }

    private func create() throws(SQLiteError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS roster_answers (
              list TEXT NOT NULL,
              key TEXT NOT NULL,
              fingerprint TEXT NOT NULL,
              answer BLOB NOT NULL,
              made INTEGER NOT NULL,
              UNIQUE (list, key)
            );
            CREATE INDEX IF NOT EXISTS roster_answers_made ON roster_answers (made);
            """
        )
    }
}
