import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("The order of times in another program's table, while it writes")
struct ForeignTimeChangeTests {
    private let folder = TemporaryFolder()
    private let writer: DatabaseConnection
    private let source: TableSource
    private let schema: ListSchema

    init() throws {
        let location = folder.file("their.db")
        writer = try DatabaseConnection(location, access: .readWrite)
        try writer.execute(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, at TEXT, day TEXT);
            CREATE INDEX t_at ON t (at); CREATE INDEX t_day ON t (day);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO t SELECT i, strftime('%Y-%m-%d %H:%M:%S', i * 3600, 'unixepoch'),
              date(i * 3600, 'unixepoch') FROM n;
            """
        )
        let list = try #require(try ForeignCatalog(location).lists.first)
        (source, schema) = try list.source(in: location)
    }

    private func query(_ column: Int, limit: Int = 3) -> ListQuery {
        ListQuery(sort: [SortKey(.column(column))], shape: .flow(limit: limit))
    }

    @Test("an index has the order of times of one spelling, and keys that of several")
    func plans() throws {
        for column in [1, 2] {
            let plan = try source.explain(query(column)).joined()
            #expect(plan.contains("INDEX t_") && !plan.contains("B-TREE"), "\(plan)")
        }
        try writer.execute(
            "UPDATE t SET at = '1970-01-01T02:00:00+01:00', day = '1970-01-01T01:00Z' WHERE id = 9"
        )
        for column in [1, 2] {
            let plan = try source.explain(query(column)).joined()
            #expect(plan.contains("USE TEMP B-TREE FOR ORDER BY"), "\(plan)")
        }
        var grouped = query(2)
        grouped.grouping = Grouping(column: 2)
        #expect(try source.explain(grouped).joined().contains("B-TREE"))
    }

    @Test("a reader sorts each version by what that version has")
    func versions() throws {
        let reader = try source.makeReader()
        var page = Page(list: "t", schema: schema)
        for column in [1, 2] {
            try reader.read(query(column), into: &page)
            #expect(ids(page).flatMap { $0 } == ["1", "2", "3"])
        }
        try writer.execute(
            "UPDATE t SET at = '1970-01-01T05:30:00+04:00', day = '1970-01-01T00:00Z' WHERE id = 9"
        )
        try reader.read(query(1), into: &page)
        #expect(ids(page).flatMap { $0 } == ["1", "9", "2"])
        // The dates of a day sort before its midnight in another spelling.
        try reader.read(query(2, limit: 23), into: &page)
        #expect(ids(page).flatMap { $0 }.last == "9")
        try writer.execute(
            "UPDATE t SET at = '1970-01-01 09:00:00', day = '1970-01-01' WHERE id = 9"
        )
        try reader.read(query(1), into: &page)
        #expect(ids(page).flatMap { $0 } == ["1", "2", "3"])
    }

    @Test("a cursor of a row in another spelling holds its place after the row has changed")
    func cursor() throws {
        let reader = try source.makeReader()
        var page = Page(list: "t", schema: schema)
        try writer.execute("UPDATE t SET at = '1970-01-01T05:30:00+04:00' WHERE id = 9")
        try reader.read(query(1, limit: 2), into: &page)
        #expect(ids(page).flatMap { $0 } == ["1", "9"])
        let position = page.next
        let next = try #require(position)
        try writer.execute("UPDATE t SET at = '1970-01-01 09:00:00' WHERE id = 9")
        var following = query(1)
        following.start = .after(next)
        try reader.read(following, into: &page)
        #expect(ids(page).flatMap { $0 } == ["2", "3", "4"])
    }

    @Test("facets, sums and sections show the times as they are spelled, whatever sorts the rows")
    func spelling() throws {
        let reader = try source.makeReader()
        var page = Page(list: "t", schema: schema)
        for sort in [0, 1] {
            var query = query(sort)
            query.facets = [1, 2]
            query.filters = [Filter(column: 0, .atMost, [.integer(2)])]
            query.aggregates = [Aggregate(.maximum, column: 1)]
            try reader.read(query, into: &page)
            let texts = page.facets.map { $0.values.map(\.value.plainText) }
            #expect(texts == [["1970-01-01 01:00:00", "1970-01-01 02:00:00"], ["1970-01-01"]])
            #expect(page.aggregates.first??.plainText == "1970-01-01 02:00:00")
        }
    }

    @Test("equal instants of several spellings are one value of a facet")
    func facets() throws {
        try writer.execute("UPDATE t SET at = '1970-01-01T01:00:00' WHERE id IN (2, 3)")
        var query = ListQuery(shape: .flow(limit: 1))
        query.facets = [1]
        query.filters = [Filter(column: 0, .atMost, [.integer(3)])]
        var page = Page(list: "t", schema: schema)
        try source.makeReader().read(query, into: &page)
        let counts = page.facets[0].values.map { $0.count?.value }
        #expect(counts == [3])
    }
}
