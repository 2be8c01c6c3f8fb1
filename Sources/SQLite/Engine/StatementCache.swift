/// The statements of a connection by their text; the one used longest ago makes room.
struct StatementCache {
    private struct Entry {
        let statement: Statement
        var lastUse: UInt64
    }
    private let capacity: Int
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func take(_ sql: String) -> Statement? {
        uses += 1
        entries[sql]?.lastUse = uses
        return entries[sql]?.statement
    }

    mutating func insert(_ statement: Statement, for sql: String) {
        if entries.count >= capacity,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            entries[oldest.key] = nil
        }
        uses += 1
        entries[sql] = Entry(statement: statement, lastUse: uses)
    }
}
