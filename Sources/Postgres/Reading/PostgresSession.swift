package import Database
package import Listings

/// One reader's way to a table of PostgreSQL.
package final class PostgresSession: TableSession {
    /// The way to the server, which is also that of writers.
    let connection: BorrowedConnection
    let schema: ListSchema
    /// The columns of the list in SQL.
    let sql: TableSQL
    /// Reads the table.
    package let reading: TableReading

    init(_ database: PostgresDatabase, table: TableDescription, schema: ListSchema) {
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
        do throws(PostgresError) {
            try connection.beginReading()
            return try connection.snapshot()
        } catch {
            endReading()
            throw ReadingError(error)
        }
    }

    /// Ends the reading of one state, and undoes what was written and not committed.
    package func endReading() { connection.giveBack() }
}
