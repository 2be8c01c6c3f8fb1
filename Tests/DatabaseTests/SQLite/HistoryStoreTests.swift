import Database
import Foundation
import Listings
import SQLite
import Testing

@Suite("The file of the history")
struct HistoryStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/history.db" }

    private func store(days: Int = 365, bytes: Int = 1 << 30) throws -> HistoryStore {
        let store = try HistoryStore(at: path, .init(age: .seconds(days * 86_400), bytes: bytes))
        try store.show(["people": [], "it's": []])
        return store
    }

    private func change(_ row: Int, _ list: String = "people", size: Int = 1) -> RecordedChange {
        let text = String(repeating: "x", count: size)
        return RecordedChange(
            of: list,
            row: "\(row)",
            "changed",
            from: #"{"name":"a","pay":1}"#,
            to: "{\"name\":\"\(text)\",\"pay\":2}"
        )
    }

    /// Row, outcome and old values of the shown entries, oldest first.
    private func shown() throws -> [String] {
        let connection = try DatabaseConnection(.file(path), access: .readOnly)
        let rows = try connection.prepare("SELECT row, outcome, old FROM history ORDER BY id")
        var all: [String] = []
        while try rows.step() {
            all.append("\(rows.text(0)) \(rows.text(1)) \(rows.text(2).dropFirst())")
        }
        return all
    }

    private func count(_ sql: String) throws -> Int {
        let connection = try DatabaseConnection(.file(path), access: .readWrite)
        let rows = try connection.prepare(sql)
        return try rows.step() ? Int(rows.integer(0)) : 0
    }

    @Test("entries are shown when they are settled, and with an unknown outcome after a crash")
    func outcomes() throws {
        let store = try store()
        let batches = try (0..<3).map { try store.prepare([change($0)], in: nil) }
        #expect(try shown().isEmpty)
        store.settle(batches[0], isCommitted: true)
        store.settle(batches[1], isCommitted: false)
        let values = #"{"name":"a","pay":1}"#
        #expect(try shown() == ["0 committed \(values)"])
        _ = try self.store()
        #expect(try shown() == ["0 committed \(values)", "2 unknown \(values)"])
        // The first process goes on.
        store.settle(batches[2], isCommitted: true)
        #expect(try shown() == ["0 committed \(values)", "2 committed \(values)"])
    }

    @Test("a long transaction adds to its batch, and is removed as a whole")
    func longTransactions() throws {
        let store = try store()
        let batch = try store.prepare([change(0)], in: nil)
        #expect(try store.prepare([change(1)], in: batch) == batch)
        store.settle(batch, isCommitted: false)
        #expect(try count("SELECT count(*) FROM entries") == 0)
        #expect(try count("SELECT count(*) FROM batches") == 0)
    }

    @Test("old entries are removed at the start")
    func age() throws {
        let store = try store()
        for row in 0..<3 {
            store.settle(try store.prepare([change(row)], in: nil), isCommitted: true)
        }
        let connection = try DatabaseConnection(.file(path), access: .readWrite)
        try connection.execute("UPDATE entries SET time = '2020-01-01T00:00:00.000Z' WHERE id < 3")
        _ = try self.store(days: 30)
        #expect(try shown().map { $0.prefix(1) } == ["2"])
        #expect(try count("SELECT count(*) FROM batches") == 1)
    }

    @Test("the oldest entries make room, so that the size stays bounded")
    func size() throws {
        let limit = 1 << 20
        let store = try store(bytes: limit)
        for round in 0..<8 {
            let changes = (0..<1_000).map { change(round * 1_000 + $0, size: 400) }
            store.settle(try store.prepare(changes, in: nil), isCommitted: true)
        }
        let used = try count(
            "SELECT (page_count - freelist_count) * page_size"
                + " FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
        )
        #expect(used < 2 * limit)
        let files = try ["", "-wal"].map { suffix in
            let path = path + suffix
            return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
        #expect(files.reduce(0, +) < 3 * limit, "\(files)")
        let rows = try shown().compactMap { Int($0.prefix { $0 != " " }) }
        #expect(rows.count > 500)
        #expect(rows == Array((8_000 - rows.count)..<8_000))
    }

    @Test("changes with values of a column that is hidden now show none")
    func hidden() throws {
        let store = try store()
        let changes = [change(1), change(2, "it's")]
        store.settle(try store.prepare(changes, in: nil), isCommitted: true)
        try store.show(["people": ["pay", "a\"b'c"], "it's": ["nam"]])
        #expect(try shown() == ["1 committed ", #"2 committed {"name":"a","pay":1}"#])
        try store.show(["people": []])
        #expect(try shown().count == 1 && shown()[0] == #"1 committed {"name":"a","pay":1}"#)
    }
}
