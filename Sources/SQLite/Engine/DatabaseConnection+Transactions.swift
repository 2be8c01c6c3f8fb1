import CSQLite

extension DatabaseConnection {
    /// What a transaction is for.
    package enum Transaction: String, Sendable {
        /// Reads one state of the database.
        case reading = "BEGIN"
        /// Writes; waits for another writer before anything is done.
        case writing = "BEGIN IMMEDIATE"
    }

    /// Begins a transaction.
    package func begin(_ transaction: Transaction) throws(SQLiteError) {
        try run(transaction.rawValue, as: .begin)
    }

    /// Ends the transaction and keeps what it wrote.
    package func commit() throws(SQLiteError) {
        try run("COMMIT", as: .commit)
    }

    /// Ends the transaction, if one is open, and drops what it wrote.
    package func rollback() {
        guard isInTransaction else { return }
        // A rollback fails only where no transaction is open any more, which is what is wanted.
        // SAFETY: the text is a literal; no callback is given.
        unsafe _ = sqlite3_exec(core.pointer, "ROLLBACK", nil, nil, nil)
    }

    /// Runs something in a transaction, which is kept when it returns and dropped when it throws.
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
