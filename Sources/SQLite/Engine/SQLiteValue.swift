import CSQLite

/// It is valid until the statement is stepped or reset.
///
/// Several calls on one value save SQLite repeated look-ups of the column.
@safe
package struct SQLiteValue {
    package enum Storage: Hashable, Sendable {
        case null, integer, real, text, blob
    }

    private let pointer: OpaquePointer

    fileprivate init(_ column: Int, of statement: Statement) {
        // SAFETY: the statement was prepared in init. The value is unprotected, which permits use
        // by one thread. A connection and its statements are used by one thread.
        unsafe pointer = unsafe sqlite3_column_value(statement.pointer, Int32(column))
    }

    /// An argument of a function, valid for the call.
    @unsafe
    init(_ argument: OpaquePointer) {
        // SAFETY: the caller guarantees that the argument is valid while this value is used.
        unsafe pointer = unsafe argument
    }

    /// Must be read before any other property, which may convert the value.
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

    /// Converted by SQLite if it is not an integer.
    package var integer: Int64 {
        // SAFETY: valid until the statement goes on, see the type.
        unsafe sqlite3_value_int64(pointer)
    }

    package var real: Double {
        // SAFETY: valid until the statement goes on, see the type.
        unsafe sqlite3_value_double(pointer)
    }

    /// The bytes are as stored and may not be valid UTF-8.
    ///
    /// Text of a database in another encoding is converted.
    package func withText<R, E: Error>(
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        // SAFETY: SQLite keeps the text until the next step, reset or conversion, which the closure
        // cannot cause for this value. The order of the calls is the one that SQLite requires.
        let start = unsafe sqlite3_value_text(pointer)
        return try unsafe lend(UnsafeRawPointer(start), body)
    }

    package func withBlob<R, E: Error>(
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        // SAFETY: as for a text.
        try unsafe lend(sqlite3_value_blob(pointer), body)
    }

    @inline(__always)
    @unsafe
    private func lend<R, E: Error>(
        _ start: UnsafeRawPointer?,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        // SAFETY: the count is that of the bytes, which are valid for the call; see the callers.
        let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(pointer))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return try body(unsafe Span(_unsafeBytes: bytes))
    }
}

extension Statement {
    package func held(_ column: Int) -> SQLiteValue { SQLiteValue(column, of: self) }
}
