import CSQLite

/// A prepared statement with its bound values, used by the thread of its connection.
///
/// The caller binds values, steps until there is no further record, and resets. As everywhere in
/// SQLite, placeholders count from 1 and columns from 0.
@safe
package final class Statement {
    let core: ConnectionHandle
    let pointer: OpaquePointer

    init(_ sql: String, core: ConnectionHandle) throws(SQLiteError) {
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
        // SAFETY: prepared in init, and no other object uses it.
        unsafe _ = sqlite3_finalize(pointer)
    }

    /// Advances to the next record.
    ///
    /// - Returns: Whether there is one. If not, the statement is reset.
    /// - Throws: ``SQLiteError``. The statement is then reset.
    package func step() throws(SQLiteError) -> Bool {
        // SAFETY: prepared in init.
        let code = unsafe sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        // The error must be read before the reset, which reports it again.
        let error = code == SQLITE_DONE ? nil : core.error(.step, code: code)
        reset()
        if let error { throw error }
        return false
    }

    /// Runs a statement without records and resets it.
    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Resets the statement for further use.
    ///
    /// Bound values stay bound.
    package func reset() {
        // The reset repeats the error of the last step, which was already thrown.
        // SAFETY: prepared in init.
        unsafe _ = sqlite3_reset(pointer)
    }

    /// Sets every bound value to null.
    package func clearBindings() {
        // SAFETY: prepared in init.
        unsafe _ = sqlite3_clear_bindings(pointer)
    }

    func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw core.error(.bind, code: code) }
    }
}
