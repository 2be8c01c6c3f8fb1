/// The format of Roster's own database files, as their headers name it.
///
/// A file that Roster made carries ``applicationID`` as `application_id` and the number of its format
/// as `user_version`. Roster 0.1.0 set neither. A database into which another program wrote tables
/// keeps the numbers of that program.
package enum DatabaseFormat {
    /// The letters `Rstr`: 0x52737472.
    package static let applicationID: Int64 = 0x5273_7472

    /// The number of the current format.
    ///
    /// It increases whenever an older version of Roster would misread a file.
    package static let current: Int64 = 2

    static func check(_ connection: DatabaseConnection) throws(SQLiteError) {
        guard try number("application_id", connection) == applicationID else { return }
        let found = try number("user_version", connection)
        if found > current { throw .newerFormat(found) }
    }

    /// Brings the lists of an older version to the current format.
    ///
    /// A file of the current format, and one without lists, stays unchanged. Sort keys and indexes of
    /// other rules of texts are created again by ``TableIndexes``.
    ///
    /// The connection is outside a transaction. After an error, the database is unchanged.
    package static func migrate(_ connection: DatabaseConnection) throws(SQLiteError) {
        guard try ListCatalog.exists(in: connection) else { return }
        guard try !isCurrent(connection) else { return }
        try connection.transaction(.writing) { () throws(SQLiteError) in
            try ListCatalog.create(in: connection)
            try mark(connection)
        }
    }

    /// Called in the transaction that created or changed the catalog.
    static func mark(_ connection: DatabaseConnection) throws(SQLiteError) {
        guard try !isCurrent(connection) else { return }
        guard try isOwn(connection) else { return }
        try connection.execute(
            "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(current);"
        )
    }

    private static func isCurrent(_ connection: DatabaseConnection) throws(SQLiteError) -> Bool {
        guard try number("application_id", connection) == applicationID else { return false }
        return try number("user_version", connection) == current
    }

    private static func isOwn(_ connection: DatabaseConnection) throws(SQLiteError) -> Bool {
        let application = try number("application_id", connection)
        if application == applicationID { return true }
        guard application == 0 else { return false }
        guard try number("user_version", connection) == 0 else { return false }
        return try TableEntry.all(in: connection).isEmpty
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
