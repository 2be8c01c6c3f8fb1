import CSQLite
import Listings

extension Statement {
    /// The number of columns of a record.
    package var columnCount: Int {
        // SAFETY: prepared in init.
        unsafe Int(sqlite3_column_count(pointer))
    }

    /// A whole number; what is none is converted as SQLite does.
    package func integer(_ column: Int) -> Int64 { held(column).integer }

    /// Lends the bytes of a text or blob; empty for null.
    package func withBytes<R, E: Error>(
        _ column: Int,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try held(column).withBytes(body)
    }

    /// A copy of a text; malformed UTF-8 becomes U+FFFD, empty for null.
    package func text(_ column: Int) -> String {
        withBytes(column) { String(decoding: $0) }
    }
}
