import CSQLite

extension DatabaseConnection {
    /// A number that changes with each commit to the database by any process, as the current read
    /// transaction sees it.
    ///
    /// Nil if SQLite does not report it.
    ///
    /// The number is specific to this connection. Reading it needs neither file access nor a
    /// statement (SQLITE_FCNTL_DATA_VERSION, sqlite.org/c3ref/c_fcntl_begin_atomic_write.html).
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

    /// The number of the schema in the file, which every schema change increases (PRAGMA
    /// schema_version).
    func schemaNumber() throws(SQLiteError) -> UInt64 {
        let statement = try statement("PRAGMA schema_version")
        defer { statement.reset() }
        return try statement.step() ? UInt64(bitPattern: statement.integer(0)) : 0
    }
}
