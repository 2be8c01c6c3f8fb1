import CSQLite

/// A prepared statement and its values; used by the thread of its connection.
///
/// Bind, step until there is no record left, reset. Places of values count from 1, columns from 0,
/// as everywhere in SQLite.
@safe
package final class Statement {
    let core: ConnectionCore
    let pointer: OpaquePointer

    init(_ sql: String, core: ConnectionCore) throws(SQLiteError) {
        self.core = core
        var prepared: OpaquePointer?
        var sql = sql
        let code = sql.withUTF8 { utf8 in
            // SAFETY: the text lives for the call and its length is given.
            unsafe utf8.withMemoryRebound(to: CChar.self) { text in
                unsafe sqlite3_prepare_v3(
                    core.pointer,
                    text.baseAddress,
                    Int32(text.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT),
                    &prepared,
                    nil
                )
            }
        }
        guard code == SQLITE_OK else { throw core.error(.prepare, code: code) }
        // SAFETY: the engine has filled the pointer; this statement alone owns and finalises it.
        guard let prepared = unsafe prepared else {
            throw .engine(.prepare, code: SQLITE_MISUSE, message: "no statement in the text")
        }
        unsafe pointer = unsafe prepared
    }

    deinit {
        // SAFETY: prepared in init, used by nobody else.
        unsafe _ = sqlite3_finalize(pointer)
    }

    /// Goes to the next record.
    ///
    /// - Returns: Whether there is one; the statement is reset when there is none.
    /// - Throws: ``SQLiteError``; the statement is then reset.
    package func step() throws(SQLiteError) -> Bool {
        // SAFETY: prepared in init.
        let code = unsafe sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        // The error is read before the reset, which would describe it once more.
        let error = code == SQLITE_DONE ? nil : core.error(.step, code: code)
        reset()
        if let error { throw error }
        return false
    }

    /// Runs a statement that gives no records, and resets it.
    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Ends the reading, so that the statement can be used again; values stay bound.
    package func reset() {
        // It repeats the error of the last step, which was thrown there.
        // SAFETY: prepared in init.
        unsafe _ = sqlite3_reset(pointer)
    }

    /// Makes every value null.
    package func clearBindings() {
        // SAFETY: prepared in init.
        unsafe _ = sqlite3_clear_bindings(pointer)
    }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw core.error(.bind, code: code) }
    }
}
