import CSQLite

/// What the engine has done for the pages of a connection, as it counts itself.
package struct EngineWork: Hashable, Sendable {
    /// Statements run to their end or to an error.
    package var statements = 0
    /// Records that the statements gave.
    package var records = 0
    /// Rows that were looked at one after the other without a condition that an index helps with
    /// (`SQLITE_STMTSTATUS_FULLSCAN_STEP`).
    package var scannedRows = 0
    /// Sortings (`SQLITE_STMTSTATUS_SORT`).
    package var sorts = 0
    /// Instructions of the engine's programs, each row looked at taking several
    /// (`SQLITE_STMTSTATUS_VM_STEP`).
    package var instructions = 0

    /// No work.
    package init() {}
}

extension Statement {
    /// Adds what this statement has done since the last time.
    func report(records: Int) {
        var work = core.work
        work.statements += 1
        work.records += records
        work.scannedRows += taken(SQLITE_STMTSTATUS_FULLSCAN_STEP)
        work.sorts += taken(SQLITE_STMTSTATUS_SORT)
        work.instructions += taken(SQLITE_STMTSTATUS_VM_STEP)
        core.work = work
    }

    private func taken(_ counter: Int32) -> Int {
        // SAFETY: prepared in init; the counter begins again at zero.
        unsafe Int(sqlite3_stmt_status(pointer, counter, 1))
    }
}

extension DatabaseConnection {
    /// What reading through this connection has taken since it was last set to none.
    package var work: EngineWork {
        get { core.work }
        set { core.work = newValue }
    }
}
