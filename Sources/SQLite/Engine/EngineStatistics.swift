import CSQLite

package struct EngineStatistics: Hashable, Sendable {
    package var statements = 0
    package var records = 0
    /// The number of rows scanned without the help of an index (`SQLITE_STMTSTATUS_FULLSCAN_STEP`).
    package var scannedRows = 0
    package var sorts = 0
    /// The number of SQLite instructions, several per row (`SQLITE_STMTSTATUS_VM_STEP`).
    package var instructions = 0

    package init() {}
}

extension Statement {
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
        // SAFETY: prepared in init. The call resets the counter.
        unsafe Int(sqlite3_stmt_status(pointer, counter, 1))
    }
}

extension DatabaseConnection {
    package var work: EngineStatistics {
        get { core.work }
        set { core.work = newValue }
    }
}
