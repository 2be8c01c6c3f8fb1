import CSQLite

/// A value of the record that a statement stands at, as the engine holds it.
///
/// Good until the statement goes on or is reset. What is asked of a column is asked of this: the
/// engine looks for the column once, and not for each question.
@safe
package struct HeldValue {
    /// How the engine holds a value.
    package enum Storage: Hashable, Sendable {
        case null, integer, real, text, blob
    }

    private let pointer: OpaquePointer

    /// The value of a column, counted from 0; null outside of a record.
    fileprivate init(_ column: Int, of statement: Statement) {
        // SAFETY: the statement was prepared in init. The engine calls what it gives unprotected:
        // good for one thread, and a connection and its statements are used by one.
        unsafe pointer = unsafe sqlite3_column_value(statement.pointer, Int32(column))
    }

    /// An argument of a function, valid for the call.
    @unsafe
    init(_ argument: OpaquePointer) {
        // SAFETY: the caller vouches that the argument is valid for as long as this value is used.
        unsafe pointer = unsafe argument
    }

    /// How it is held.
    ///
    /// To be asked before anything else, which may convert it.
    package var storage: Storage {
        // SAFETY: valid until the statement goes on, see the type.
        switch unsafe sqlite3_value_type(pointer) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// A whole number; what is none is converted as SQLite does.
    package var integer: Int64 {
        // SAFETY: valid until the statement goes on, see the type.
        unsafe sqlite3_value_int64(pointer)
    }

    /// A number; what is none is converted as SQLite does.
    package var real: Double {
        // SAFETY: valid until the statement goes on, see the type.
        unsafe sqlite3_value_double(pointer)
    }

    /// Lends a text as UTF-8; empty for null.
    ///
    /// The bytes are what was stored: not checked to be UTF-8. Of a database that keeps another
    /// encoding the text is converted.
    package func withText<R, E: Error>(
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        // SAFETY: the engine keeps the text until the next step, reset or conversion, none of which
        // the borrower can do to this value; the order of the calls is the one SQLite asks for.
        let start = unsafe sqlite3_value_text(pointer)
        return try unsafe lend(UnsafeRawPointer(start), body)
    }

    /// Lends the bytes of a blob; empty for null.
    package func withBlob<R, E: Error>(
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        // SAFETY: as for a text.
        try unsafe lend(sqlite3_value_blob(pointer), body)
    }

    /// Lends the bytes that the engine has just lent; it says how many there are.
    @inline(__always)
    @unsafe
    private func lend<R, E: Error>(
        _ start: UnsafeRawPointer?,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        // SAFETY: the count is that of the bytes, which stay for the call; see the callers.
        let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(pointer))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return try body(unsafe Span(_unsafeBytes: bytes))
    }
}

extension Statement {
    /// The value of a column of the record.
    package func held(_ column: Int) -> HeldValue { HeldValue(column, of: self) }
}
