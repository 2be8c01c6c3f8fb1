package import Database
package import Listings
import Locks

/// One reader's way to a table of PostgreSQL.
package final class PostgresSession: TableSession {
    /// The way to the server, which is also that of writers.
    let connection: BorrowedConnection
    let schema: ListSchema
    /// The columns of the list in SQL.
    let sql: TableSQL
    /// Reads the table.
    package let reading: TableReading
    /// The number of the schema by which the table was described.
    private let mark: SharedNumber?
    private let quotedName: String
    /// The state of the database in which the schema was found to be that one.
    private var checked: ListVersion?

    init(
        _ database: PostgresDatabase,
        table: TableDescription,
        schema: ListSchema,
        mark: SharedNumber? = nil
    ) {
        self.mark = mark
        quotedName = table.quotedName
        connection = BorrowedConnection(database)
        self.schema = schema
        sql = TableSQL(table, schema: schema, dialect: connection.dialect)
        reading = TableReading(connection, table: table, schema: schema)
    }

    /// Throws where others wait for the thread: a server may be slow, busy or not there.
    package func hurry(_ isHurried: Bool) throws(ReadingError) {
        if isHurried { throw .outOfTime }
    }

    /// The state of the database now.
    package func version() throws(ReadingError) -> ListVersion {
        let version = try beginReading()
        endReading()
        return version
    }

    /// Begins to read one state of the database, until ``endReading()``.
    package func beginReading() throws(ReadingError) -> ListVersion {
        do throws(ReadingError) {
            let version: ListVersion
            do throws(PostgresError) {
                try connection.beginReading()
                version = try connection.snapshot()
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

    /// Refuses to read the table by a description that may not be its own any more; asked where
    /// something was written to the cluster.
    private func checkSchema(_ version: ListVersion) throws(ReadingError) {
        guard let mark, version != checked else { return }
        let found = try connection.run(SchemaFingerprint.ofTable, [quotedName])
        guard SchemaFingerprint.number(found) == mark.value else { throw .engine(.redefined) }
        checked = version
    }

    /// Ends the reading of one state, and undoes what was written and not committed.
    package func endReading() { connection.giveBack() }
}
