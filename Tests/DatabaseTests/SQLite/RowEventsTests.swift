import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Rows of a table with more than their cells")
struct RowEventsTests {
    /// Two rows for each record: what it is called and where it lives.
    private struct Parts: ExpandingController {
        let parts = [RowPart("name", kind: "p.name"), RowPart("city", kind: "p.city")]
        let columns = [Column("name")]

        func write(part: Int, of context: Context<Record>, to cells: inout CellBuffer) {
            cells.append("\(context.model.id) \(parts[part].name)")
        }

        func revision(of model: Record) -> Int64? { nil }
    }

    private let folder: TemporaryFolder
    private let list: ListFixture

    init() throws {
        folder = TemporaryFolder()
        var random = SeededGenerator(seed: 21)
        list = try ListFixture(
            .stored,
            rows: 0,
            idType: .integer,
            using: &random,
            in: folder
        )
        try list.writer.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
            INSERT INTO people (id, city) SELECT i, 'Oslo' FROM n;
            """
        )
    }

    private func source(_ registration: Registration<Record>) -> TableSource {
        TableSource(
            location: list.writer.location,
            table: list.table,
            schema: list.schema,
            registration: registration
        )
    }

    private func ids(_ page: borrowing Page) -> [String] {
        (0..<page.rowCount).map { page.id(ofRow: $0) }
    }

    @Test("pages keep the rows of a record together, count rows and follow one another")
    func parts() throws {
        var registry = ControllerRegistry()
        let reader = try source(registry.register(Parts())).makeReader()
        var page = Page(list: "people", schema: list.schema)
        var shown: [[String]] = []
        var start = ListQuery.Start.beginning
        while true {
            try reader.read(ListQuery(shape: .flow(limit: 5), start: start), into: &page)
            shown.append(ids(page))
            #expect(page.total == Count(10))
            guard let next = page.next else { break }
            start = .after(next)
        }
        #expect(
            shown == [
                ["1#name", "1#city", "2#name", "2#city"],
                ["3#name", "3#city", "4#name", "4#city"],
                ["5#name", "5#city"],
            ]
        )
        try reader.read(ListQuery(shape: .flow(limit: 5), start: .offset(5)), into: &page)
        #expect(ids(page) == shown[1])
        let found = try reader.readRow("4#city", grouping: nil, into: &page)
        #expect(found)
        #expect(page.value(row: 0, column: 0) == .text("4 city"))
        for absent in ["4", "9#city", "4#tail"] {
            let found = try reader.readRow(absent, grouping: nil, into: &page)
            #expect(!found, "\(absent)")
        }
    }

    @Test("what rows need is fetched once for each page, and shown by all of its rows")
    func prefetch() throws {
        var registry = ControllerRegistry()
        var events = RowEvents<Record>()
        let location = list.writer.location
        events.prefetch = { contexts in
            let other = try DatabaseConnection(location, access: .readWrite)
            try other.execute("UPDATE people SET score = coalesce(score, 0) + \(contexts.count)")
        }
        events.willRender = { context, row in row.cells[0] = .text("row \(context.model.id)") }
        let registration = try registry.register(
            RecordController(list: "people", columns: list.schema.columns),
            on: events
        )
        let reader = try source(registration).makeReader()
        var page = Page(list: "people", schema: list.schema)
        try reader.read(ListQuery(shape: .flow(limit: 3)), into: &page)
        let names = (0..<3).map { page.value(row: $0, column: 0).plainText }
        #expect(names == ["row 1", "row 2", "row 3"])
        let failures = page.failures
        #expect(failures.isEmpty)
        // Each page is read before its rows are fetched for: the sum of the page before.
        try reader.read(ListQuery(shape: .flow(limit: 3), start: .offset(3)), into: &page)
        #expect((0..<2).map { page.value(row: $0, column: 3) } == [.real(3), .real(3)])
        _ = try reader.readRow("1", grouping: nil, into: &page)
        #expect(page.value(row: 0, column: 3) == .real(5))
    }
}
