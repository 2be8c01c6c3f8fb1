import CSQLite

extension DatabaseConnection {
    /// The header of the index of the write-ahead log, which every commit in this mode changes.
    ///
    /// - Returns: 48 bytes as words. Nil in another mode, or if the index is not accessible.
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
