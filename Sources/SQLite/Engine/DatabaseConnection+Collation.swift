import CSQLite
import Listings

extension DatabaseConnection {
    /// Registers the collation `roster`: ``TextCollation`` on the bytes as they are stored.
    func registerCollation() throws(SQLiteError) {
        // SAFETY: the callback uses no context and keeps nothing.
        let code = unsafe sqlite3_create_collation_v2(
            core.pointer,
            "roster",
            SQLITE_UTF8,
            nil,
            { _, leftCount, left, rightCount, right in
                // SAFETY: the engine lends both texts for the call with their lengths.
                let left = unsafe UnsafeRawBufferPointer(start: left, count: Int(leftCount))
                let right = unsafe UnsafeRawBufferPointer(start: right, count: Int(rightCount))
                return unsafe Int32(
                    TextCollation.compare(
                        Span(_unsafeBytes: left),
                        Span(_unsafeBytes: right)
                    ).signum()
                )
            },
            nil
        )
        guard code == SQLITE_OK else { throw core.error(.configure, code: code) }
    }

    /// Registers `roster_initial(text)`: the first letter as sections name it; null stays null.
    func registerInitial() throws(SQLiteError) {
        // SAFETY: the callback uses no context and keeps nothing.
        let code = unsafe sqlite3_create_function_v2(
            core.pointer,
            "roster_initial",
            1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            nil,
            { context, _, arguments in
                // SAFETY: the engine passes exactly one argument, valid for the call.
                guard let value = unsafe arguments?[0] else { return }
                guard unsafe sqlite3_value_type(value) != SQLITE_NULL else {
                    return unsafe sqlite3_result_null(context)
                }
                let text = unsafe sqlite3_value_text(value)
                let count = unsafe Int(sqlite3_value_bytes(value))
                let bytes = unsafe UnsafeBufferPointer(start: text, count: count)
                var letter = unsafe TextCollation.initial(ofUTF8: Span(_unsafeElements: bytes))
                letter.withUTF8 { utf8 in
                    // SAFETY: the engine copies the letter before it returns.
                    unsafe csqlite_result_text_copy(context, utf8.baseAddress, UInt64(utf8.count))
                }
            },
            nil,
            nil,
            nil
        )
        guard code == SQLITE_OK else { throw core.error(.configure, code: code) }
    }
}
