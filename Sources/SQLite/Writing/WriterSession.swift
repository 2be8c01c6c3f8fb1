import Bytes
import Database
import Listings

/// It may be sent although it is not safe to share, because only the thread that has passed the
/// ``WriterQueue`` uses it.
final class WriterSession: @unchecked Sendable {
    let connection: DatabaseConnection
    /// The files when the connection was opened; nil in memory.
    let files: FileFingerprint?
    private var readings = LRUCache<UInt64, TableQueries>(capacity: 32)

    init(_ connection: DatabaseConnection, _ files: FileFingerprint?) {
        self.connection = connection
        self.files = files
    }

    /// The queries read what the transaction has written.
    func reading(
        _ number: UInt64,
        _ table: TableDescription,
        _ schema: ListSchema
    ) -> TableQueries {
        if let reading = readings.take(number) { return reading }
        let reading = TableQueries(connection, table: table, schema: schema)
        readings.insert(reading, for: number)
        return reading
    }
}
