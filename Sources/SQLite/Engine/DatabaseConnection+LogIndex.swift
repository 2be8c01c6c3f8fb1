import CSQLite

extension DatabaseConnection {
    /// What every commit to a database in write-ahead mode changes: the header of its log's index.
    ///
    /// - Returns: 48 bytes in words; nil in another mode, or where the index cannot be had.
    func logIndexHeader() throws(SQLiteError) -> [UInt32]? {
        guard !isImmutable else { return nil }
        let mode = try statement("PRAGMA journal_mode")
        defer { mode.reset() }
        guard try mode.step(), mode.text(0) == "wal" else { return nil }
        var header = [UInt32](repeating: 0, count: 12)
        let isThere = unsafe header.withUnsafeMutableBufferPointer { words in
            // SAFETY: the connection is open, and there is room for the twelve words.
            unsafe csqlite_log_index_header(core.pointer, words.baseAddress) == 1
        }
        return isThere ? header : nil
    }
}
