import CSQLite

extension DatabaseConnection {
    /// The kind of a transaction.
    package enum Transaction: String, Sendable {
        /// Reads a consistent state of the database.
        case reading = "BEGIN"
        /// Writes. It waits for another writer before anything is done.
        case writing = "BEGIN IMMEDIATE"
    }

    /// Begins a transaction.
    package func begin(_ transaction: Transaction) throws(SQLiteError) {
        try run(transaction.rawValue, as: .begin)
    }

    /// Commits the transaction.
    package func commit() throws(SQLiteError) {
        try run("COMMIT", as: .commit)
    }

    /// Rolls back the transaction, if one is open.
    package func rollback() {
        guard isInTransaction else { return }
        // A rollback fails only if no transaction is open, which is the intended state.
        // SAFETY: the text is a literal; no callback is given.
        unsafe _ = sqlite3_exec(core.pointer, "ROLLBACK", nil, nil, nil)
    }

    /// Runs a closure in a transaction, which is committed when it returns and rolled back when it
    /// throws.
    package func transaction<R>(
        _ transaction: Transaction,
        _ body: () throws(SQLiteError) -> R
    ) throws(SQLiteError) -> R {
        try begin(transaction)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    private func run(_ sql: String, as operation: SQLiteError.Operation) throws(SQLiteError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        do {
            _ = try statement.step()
        } catch .engine(_, let code, let message) {
            throw .engine(operation, code: code, message: message)
        }
    }
}
