import CSQLite
import Listings

extension DatabaseConnection {
    /// Registers the collation of ``TextRules``: ``TextCollation`` on the bytes as they are stored.
    func registerCollation(_ name: String = TextRules.collation) throws(SQLiteError) {
        // SAFETY: the callback uses no context and keeps nothing.
        let code = unsafe sqlite3_create_collation_v2(
            core.pointer,
            name,
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

    /// Registers the functions of texts.
    ///
    /// `roster_initial` is the first letter as sections name it, of the text of any value;
    /// `roster_folded` is a text without case and accents, `roster_words` its folded words, both
    /// null for what is no text.
    func registerFunctions() throws(SQLiteError) {
        // SAFETY: the engine calls it with arguments that live for the call.
        try unsafe register("roster_initial") { context, _, arguments in
            // SAFETY: the engine passes exactly one argument, valid for the call.
            guard let value = unsafe arguments?[0] else { return }
            guard unsafe sqlite3_value_type(value) != SQLITE_NULL else {
                return unsafe sqlite3_result_null(context)
            }
            var letter = unsafe DatabaseConnection.withText(of: value) {
                // SAFETY: the argument is valid for the call.
                TextCollation.initial(ofUTF8: $0)
            }
            letter.withUTF8 { utf8 in
                // SAFETY: the engine copies the letter before it returns.
                unsafe csqlite_result_text_copy(context, utf8.baseAddress, UInt64(utf8.count))
            }
        }
        // SAFETY: the engine calls it with arguments that live for the call.
        try unsafe register("roster_folded") { context, _, arguments in
            // SAFETY: the engine's own, for the call.
            unsafe DatabaseConnection.answer(context, arguments) {
                TextCollation.appendFolded($0, to: &$1)
            }
        }
        // SAFETY: the engine calls it with arguments that live for the call.
        try unsafe register("roster_words") { context, _, arguments in
            // SAFETY: the engine's own, for the call.
            unsafe DatabaseConnection.answer(context, arguments) {
                TextSearch.appendWords(of: $0, to: &$1)
            }
        }
    }

    /// Registers a function of one argument.
    ///
    /// - Parameters:
    ///   - name: What statements call it.
    ///   - context: What the engine hands to it, which lives as long as the connection; nil for a
    ///     function whose result depends on the argument alone.
    ///   - function: The function.
    /// - Throws: ``SQLiteError``.
    @unsafe
    func register(
        _ name: String,
        _ context: UnsafeMutableRawPointer? = nil,
        _ function:
            @convention(c) (
                OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
            ) -> Void
    ) throws(SQLiteError) {
        // SAFETY: the callback keeps nothing, and the context outlives the connection.
        let isPure = unsafe context == nil
        let code = unsafe sqlite3_create_function_v2(
            core.pointer,
            name,
            1,
            SQLITE_UTF8 | SQLITE_INNOCUOUS | (isPure ? SQLITE_DETERMINISTIC : 0),
            context,
            function,
            nil,
            nil,
            nil
        )
        guard code == SQLITE_OK else { throw core.error(.configure, code: code) }
    }

    /// Lends the text of a value.
    private static func withText<R>(
        of value: OpaquePointer,
        _ body: (borrowing Span<UInt8>) -> R
    ) -> R {
        // SAFETY: the engine keeps the text until the function returns.
        let text = unsafe sqlite3_value_text(value)
        let count = unsafe Int(sqlite3_value_bytes(value))
        let bytes = unsafe UnsafeBufferPointer(start: text, count: text == nil ? 0 : count)
        return body(unsafe Span(_unsafeElements: bytes))
    }

    /// Answers what a closure makes of a text, and null where there is none.
    private static func answer(
        _ context: OpaquePointer?,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ make: (borrowing Span<UInt8>, inout [UInt8]) -> Void
    ) {
        // SAFETY: the engine passes exactly one argument, valid for the call.
        guard let value = unsafe arguments?[0], unsafe sqlite3_value_type(value) == SQLITE_TEXT
        else { return unsafe sqlite3_result_null(context) }
        var made: [UInt8] = []
        unsafe withText(of: value) { make($0, &made) }
        unsafe made.withUnsafeBufferPointer { bytes in
            // SAFETY: the engine copies the text before it returns.
            unsafe csqlite_result_text_copy(context, bytes.baseAddress, UInt64(bytes.count))
        }
    }
}
