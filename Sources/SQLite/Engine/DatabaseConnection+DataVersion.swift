import CSQLite

extension DatabaseConnection {
    /// A number that each commit to the database changes, whoever makes it, as the transaction that has
    /// begun to read sees it; nil where the engine does not say.
    ///
    /// It is this connection's own, and asks neither the file nor a statement
    /// (SQLITE_FCNTL_DATA_VERSION, sqlite.org/c3ref/c_fcntl_begin_atomic_write.html).
    package func dataVersion() -> UInt32? {
        precondition(isInTransaction, "no transaction sees a version")
        var version: UInt32 = 0
        // SAFETY: the connection is open, and the engine writes one number during the call only.
        let code = unsafe sqlite3_file_control(
            core.pointer,
            nil,
            SQLITE_FCNTL_DATA_VERSION,
            &version
        )
        return code == SQLITE_OK ? version : nil
    }

    /// A number in the file that each change of the schema moves (PRAGMA schema_version).
    func schemaNumber() throws(SQLiteError) -> UInt64 {
        let statement = try statement("PRAGMA schema_version")
        defer { statement.reset() }
        return try statement.step() ? UInt64(bitPattern: statement.integer(0)) : 0
    }
}
