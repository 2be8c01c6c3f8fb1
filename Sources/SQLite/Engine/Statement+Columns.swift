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

    /// A copy of a text; malformed UTF-8 becomes U+FFFD, empty for null.
    package func text(_ column: Int) -> String {
        held(column).withText { String(decoding: $0) }
    }
}
