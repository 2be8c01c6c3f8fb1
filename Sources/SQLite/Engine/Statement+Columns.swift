import CSQLite
import Listings

extension Statement {
    /// The number of columns of a record.
    package var columnCount: Int {
        // SAFETY: prepared in init.
        unsafe Int(sqlite3_column_count(pointer))
    }

    /// The integer in a column, converted by SQLite if it is not one.
    package func integer(_ column: Int) -> Int64 { held(column).integer }

    /// A copy of the text in a column.
    ///
    /// Malformed UTF-8 becomes U+FFFD, null becomes an empty text.
    package func text(_ column: Int) -> String {
        held(column).withText { String(decoding: $0) }
    }
}
