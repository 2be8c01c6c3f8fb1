package import Database
package import Listings
import Locks

package final class PostgresSession: TableSession {
    let connection: PooledConnection
    let schema: ListSchema
    let sql: TableSQL
    package let reading: TableQueries
    package var dialect: any Dialect { connection.dialect }
    private let mark: SharedNumber?
    private let quotedName: String
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

    /// The server may be slow, busy or unreachable.
    package func immediateVersion() -> ListVersion? { nil }

    package var waitsForPrograms: Bool { true }

    package func version() throws(ReadingError) -> ListVersion {
        let version = try beginReading()
        endReading()
        return version
    }

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

    /// The check runs only after a write to the cluster.
    private func checkSchema(_ version: ListVersion) throws(ReadingError) {
        guard let mark, version != checked else { return }
        let found = try connection.run(SchemaFingerprint.ofTable, [quotedName])
        guard SchemaFingerprint.number(found) == mark.value else { throw .engine(.redefined) }
        checked = version
    }

    /// Also rolls back anything that is not committed.
    package func endReading() { connection.giveBack() }
}
