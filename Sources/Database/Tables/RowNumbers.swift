/// Every statement counts the rows from 1.
///
/// The order has to be the same for every statement, so that pages neither lose nor repeat a row
/// while the data stays the same.
package enum RowNumbers: Hashable, Sendable {
    /// SQLite runs the numbering query in the same way inside every statement, because it neither
    /// moves conditions into a window function nor omits columns of one.
    case asRead
    /// PostgreSQL can read rows in another order for every statement. Rows with equal texts cannot
    /// be distinguished, so their order does not matter.
    case byText

    package static let name = "roster:row"

    func source(of quotedName: String) -> String {
        switch self {
        case .asRead:
            "(SELECT row_number() OVER () AS \"\(Self.name)\", * FROM \(quotedName))"
                + " AS \"roster:rows\""
        case .byText:
            "(SELECT row_number() OVER (ORDER BY (\"roster:all\".*)::text COLLATE \"C\")"
                + " AS \"\(Self.name)\", * FROM \(quotedName) AS \"roster:all\")"
                + " AS \"roster:rows\""
        }
    }
}
