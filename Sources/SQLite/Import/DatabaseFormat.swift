/// The format of Roster's own database files, as their headers name it.
///
/// A file that Roster made carries ``applicationID`` as `application_id` and ``current`` as
/// `user_version`. A database into which another program wrote tables keeps the numbers of that
/// program, so the catalog of lists has the number, too.
package enum DatabaseFormat {
    /// The letters `Rstr`: 0x52737472.
    package static let applicationID: Int64 = 0x5273_7472

    /// The number of the only format that this version reads and writes.
    ///
    /// It increases with each change of the catalog, of stored values, and of what `TextCollation`,
    /// ``TextKey`` and `TextSearch` return, because sort keys and words are stored.
    package static let current: Int64 = 3

    static func check(_ connection: DatabaseConnection) throws(SQLiteError) {
        guard try number("application_id", connection) == applicationID else { return }
        let found = try number("user_version", connection)
        guard found == current else { throw .unknownFormat(found) }
    }

    /// Marks a file without tables of other programs, in the transaction that enters a list.
    static func mark(_ connection: DatabaseConnection) throws(SQLiteError) {
        for name in ["application_id", "user_version"] {
            guard try number(name, connection) == 0 else { return }
        }
        guard try TableEntry.all(in: connection).isEmpty else { return }
        try connection.execute(
            "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(current);"
        )
    }

    private static func number(
        _ name: String,
        _ connection: DatabaseConnection
    ) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement("PRAGMA \(name)")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }
}
