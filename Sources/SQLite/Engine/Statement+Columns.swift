import CSQLite
import Listings

extension Statement {
    /// How the engine holds a value.
    package enum Storage: Hashable, Sendable {
        case null, integer, real, text, blob
    }

    /// The number of columns of a record.
    package var columnCount: Int {
        // SAFETY: prepared in init.
        unsafe Int(sqlite3_column_count(pointer))
    }

    /// How the value of a column is held.
    ///
    /// To be asked before any other access to the column, which may convert it.
    package func storage(_ column: Int) -> Storage {
        // SAFETY: prepared in init; the engine answers null outside of a record.
        switch unsafe sqlite3_column_type(pointer, Int32(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// A whole number; what is none is converted as SQLite does.
    package func integer(_ column: Int) -> Int64 {
        // SAFETY: prepared in init; the engine answers 0 outside of a record.
        unsafe sqlite3_column_int64(pointer, Int32(column))
    }

    /// A number; what is none is converted as SQLite does.
    package func real(_ column: Int) -> Double {
        // SAFETY: prepared in init; the engine answers 0 outside of a record.
        unsafe sqlite3_column_double(pointer, Int32(column))
    }

    /// Lends the bytes of a text or blob; empty for null.
    ///
    /// The bytes of a text are what was stored: not checked to be UTF-8.
    package func withBytes<R, E: Error>(
        _ column: Int,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        // SAFETY: the engine keeps the bytes until the next step, reset or conversion, none of which
        // the borrower can do to this column; the order of the calls is the one SQLite asks for.
        let start = unsafe sqlite3_column_blob(pointer, Int32(column))
        let count = unsafe Int(sqlite3_column_bytes(pointer, Int32(column)))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
        return try body(unsafe Span(_unsafeBytes: bytes))
    }

    /// A copy of a text; malformed UTF-8 becomes U+FFFD, empty for null.
    package func text(_ column: Int) -> String {
        withBytes(column) { String(decoding: $0) }
    }
}
