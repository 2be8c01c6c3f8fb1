package import Database
package import Listings
import Locks

/// A reader's session with a table of PostgreSQL.
package final class PostgresSession: TableSession {
    /// The connection to the server, which writers use too.
    let connection: PooledConnection
    let schema: ListSchema
    /// The columns of the list in SQL.
    let sql: TableSQL
    /// The reading operations of the table.
    package let reading: TableQueries
    /// The fingerprint of the schema that the table description was made from.
    private let mark: SharedNumber?
    private let quotedName: String
    /// The version at which the schema was last found unchanged.
    private var checked: ListVersion?

    init(
        _ database: PostgresDatabase,
        table: TableDescription,
        schema: ListSchema,
        mark: SharedNumber? = nil
    ) {
        self.mark = mark
        quotedName = table.quotedName
        connection = PooledConnection(database)
        self.schema = schema
        sql = TableSQL(table, schema: schema, dialect: connection.dialect)
        reading = TableQueries(connection, table: table, schema: schema)
    }

    /// Nil, because the server may be slow, busy or unreachable.
    package func immediateVersion() -> ListVersion? { nil }

    /// True, because the server has the rows.
    package var waitsForPrograms: Bool { true }

    /// Returns the current version of the database.
    package func version() throws(ReadingError) -> ListVersion {
        let version = try beginReading()
        endReading()
        return version
    }

    /// Begins to read a snapshot of the database.
    ///
    /// The caller must end with ``endReading()``.
    package func beginReading() throws(ReadingError) -> ListVersion {
        do throws(ReadingError) {
            let version: ListVersion
            do throws(PostgresError) {
                version = try connection.beginReading()
            } catch {
                throw ReadingError(error)
            }
            try checkSchema(version)
            return version
        } catch {
            endReading()
            throw error
        }
    }

    /// Throws if the table no longer matches its description.
    ///
    /// The check runs only after a write to the cluster.
    private func checkSchema(_ version: ListVersion) throws(ReadingError) {
        guard let mark, version != checked else { return }
        let found = try connection.run(SchemaFingerprint.ofTable, [quotedName])
        guard SchemaFingerprint.number(found) == mark.value else { throw .engine(.redefined) }
        checked = version
    }

    /// Ends reading the snapshot and rolls back anything that is not committed.
    package func endReading() { connection.giveBack() }
}
