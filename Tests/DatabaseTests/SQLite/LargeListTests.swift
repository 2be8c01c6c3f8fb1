import Database
import Listings
import SQLite
import TestSupport
import Testing

/// Pages of a table of another program, whose indexes serve some orders and conditions.
///
/// Work is counted, never timed.
@Suite("Queries of large tables")
struct LargeListTests {
    private let folder = TemporaryFolder()
    private static let rows = 40_000

    private func list(
        _ budgets: ReadingBudgets = .ample,
        names: String = "char(65 + i * 7 % 26) || 'ame' || (i * 7919 % 1000)",
        encoding: String = "UTF-8",
        indexes: String = "CREATE INDEX a ON users (lastName, firstName, id)"
    ) throws -> (reader: any ListReader, session: FileSession, schema: ListSchema) {
        let location = folder.file("\(UInt64.random(in: 0...UInt64.max)).db")
        let writer = try DatabaseConnection(location, access: .readWrite)
        try writer.execute(
            """
            PRAGMA encoding = '\(encoding)';
            PRAGMA synchronous = OFF;
            CREATE TABLE users (id INTEGER PRIMARY KEY, firstName TEXT NOT NULL,
                lastName TEXT NOT NULL, occupation TEXT NOT NULL, age INTEGER,
                city TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
            INSERT INTO users SELECT i, 'First ' || (i % 211), \(names), 'Work ' || (i * 31 % 20),
                i % 90, 'City ' || (i * 13 % 100) FROM n;
            \(indexes);
            CREATE INDEX b ON users (occupation, id);
            """
        )
        let catalog = try ForeignCatalog(location)
        let found = try #require(catalog.lists.first)
        let schema = try ListSchema(columns: found.columns, idType: found.table.idType)
        var registry = ControllerRegistry()
        let source = TableSource(
            location: location,
            table: found.table,
            schema: schema,
            registration: try registry.register(
                RecordController(list: "users", columns: found.columns)
            ),
            budgets: budgets
        )
        let session = try #require(try source.openSession() as? FileSession)
        return (source.makeReader(through: session), session, schema)
    }

    private func column(_ name: String, _ schema: ListSchema) throws -> Int {
        try #require(schema.index(of: name))
    }

    private func read(
        _ query: ListQuery,
        _ list: (reader: any ListReader, session: FileSession, schema: ListSchema)
    ) throws -> (ids: [[String]], work: EngineStatistics) {
        var page = Page(list: "users", schema: list.schema)
        list.session.connection?.work = EngineStatistics()
        try list.reader.read(query, into: &page)
        return (ids(page), list.session.connection?.work ?? EngineStatistics())
    }

    @Test("an order is followed no longer than a scan takes, and the choice is remembered")
    func trial() throws {
        for (budgets, sorts) in [(ReadingBudgets.ample, 0), (.withoutTrials, 1)] {
            let list = try list(budgets)
            let city = try column("city", list.schema)
            let lastName = try column("lastName", list.schema)
            var query = ListQuery(sort: [SortKey(.column(lastName))], shape: .flow(limit: 5))
            query.filters = [Filter(column: city, .equal, [.text("Nowhere")])]
            query.counting = .off
            let first = try read(query, list)
            #expect(first.ids.isEmpty)
            #expect(first.work.sorts == sorts, "\(first)")
            let second = try read(query, list)
            #expect(second.work.sorts == sorts, "\(second)")
            #expect(second.work.statements <= 4, "\(second)")
            #expect(second.work.scannedRows <= Self.rows, "\(second)")
        }
    }

    @Test("rows are found alike in order and by a scan, whatever the conditions")
    func sameRows() throws {
        let lists = try [list(), list(.withoutTrials)]
        let schema = lists[0].schema
        let (city, age) = (try column("city", schema), try column("age", schema))
        let (job, last) = (try column("occupation", schema), try column("lastName", schema))
        for sort in [[SortKey(.column(last))], [SortKey(.column(age), .descending)], []] {
            for filters in [
                [Filter(column: city, .equal, [.text("City 7")])],
                [
                    Filter(column: city, .equal, [.text("City 7")]),
                    Filter(column: age, .greater, [.integer(60)]),
                ],
                [
                    Filter(column: job, .atLeast, [.text("Work")]),
                    Filter(column: age, .equal, [.integer(7)]),
                ],
            ] {
                var query = ListQuery(sort: sort, shape: .flow(limit: 50))
                query.filters = filters
                for start in [ListQuery.Start.beginning, .offset(20)] {
                    query.start = start
                    let found = try lists.map { try read(query, $0).ids }
                    #expect(found[0] == found[1], "\(query)")
                    #expect(!found[0].isEmpty)
                }
            }
        }
    }

    @Test("an index whose condition most rows meet is replaced by a scan")
    func commonCondition() throws {
        let list = try list(.withoutTrials)
        let (job, age) = (
            try column("occupation", list.schema), try column("age", list.schema)
        )
        var query = ListQuery(sort: [SortKey(.column(age))], shape: .flow(limit: 5))
        query.filters = [Filter(column: job, .atLeast, [.text("Work")])]
        query.counting = .off
        let found = try read(query, list)
        // A search of the index would count no scanned rows. Rows without an age are no range of
        // their own, which another scan would find.
        #expect(found.work.scannedRows == Self.rows - 1, "\(found)")
        #expect(found.ids.joined().allSatisfy { (Int($0) ?? 1) % 90 == 0 })
    }

    @Test("the first rows of each section come from the index of the group, with conditions too")
    func sectionsByIndex() throws {
        let list = try list()
        let (job, city) = (
            try column("occupation", list.schema), try column("city", list.schema)
        )
        var query = ListQuery(
            grouping: Grouping(column: job),
            shape: .peek(limit: 20, rows: 2)
        )
        query.counting = .off
        let all = try read(query, list)
        #expect(all.ids.map(\.count) == Array(repeating: 2, count: 20))
        #expect(all.work.instructions < 4_000, "\(all)")
        query.filters = [Filter(column: city, .among, [.text("City 7"), .text("City 8")])]
        let some = try read(query, list)
        #expect(some.ids.joined().allSatisfy { [7, 8].contains((Int($0) ?? 0) * 13 % 100) })
        #expect(some.work.instructions < 6 * Self.rows, "\(some)")
        #expect(some.work.scannedRows < Self.rows, "\(some)")
    }

    @Test("without an index of the group, one statement reads the first rows of all sections")
    func sectionsTogether() throws {
        let lists = try [list(), list(.withoutTrials)]
        let schema = lists[0].schema
        let (age, city) = (try column("age", schema), try column("city", schema))
        var query = ListQuery(
            grouping: Grouping(column: age),
            shape: .peek(limit: 50, rows: 2)
        )
        query.counting = .off
        for filters in [[], [Filter(column: city, .equal, [.text("City 7")])]] {
            query.filters = filters
            let found = try lists.map { try read(query, $0) }
            #expect(found[0].ids == found[1].ids)
            #expect(found[1].work.statements <= 6, "\(found[1])")
            #expect(found[1].work.scannedRows <= 3 * Self.rows, "\(found[1])")
        }
    }

    private func letters(_ schema: ListSchema, _ shape: ListQuery.Shape) throws -> ListQuery {
        let (last, first) = (try column("lastName", schema), try column("firstName", schema))
        var query = ListQuery(
            grouping: Grouping(column: last, part: .initial),
            sort: [SortKey(.column(last)), SortKey(.column(first))],
            shape: shape
        )
        query.counting = .off
        return query
    }

    @Test("sections of letters follow an index of the texts, from the first page to the last")
    func letters() throws {
        let list = try list()
        var query = try letters(list.schema, .flow(limit: 50))
        var page = Page(list: "users", schema: list.schema)
        for start in 0...2 {
            let found = try read(query, list)
            #expect(found.ids.joined().count == 50)
            #expect(found.work.sorts == 0, "\(found)")
            #expect(found.work.instructions < 6_000, "\(start): \(found)")
            try list.reader.read(query, into: &page)
            let next = page.next
            query.start = start == 0 ? .after(try #require(next)) : .letter("Z")
        }
        #expect(page.sections.map(\.info.key) == [.value(.text("Z"))])
        let sections = try read(try letters(list.schema, .peek(limit: 50, rows: 2)), list)
        #expect(sections.ids.map(\.count) == Array(repeating: 2, count: 26))
        #expect(sections.work.instructions < 10_000, "\(sections)")
    }

    @Test(
        "sections of letters are the same with an index of the texts and without",
        arguments: ["UTF-8", "UTF-16le", "UTF-16be"]
    )
    func sameLetters(encoding: String) throws {
        let names = """
            CASE i % 12 WHEN 0 THEN 'Ābel' WHEN 1 THEN 'abel' WHEN 2 THEN 'Łoś' WHEN 3 THEN '7'
            WHEN 4 THEN '' WHEN 5 THEN '~x' WHEN 6 THEN '[a' WHEN 7 THEN 'Жук' WHEN 8 THEN 'жаба'
            WHEN 9 THEN char(127) || 'a' WHEN 10 THEN char(769) || 'le' ELSE 'Zoë' END
            || CASE WHEN i < 40 THEN i ELSE '' END
            """
        let rows = "; DELETE FROM users WHERE id > 90"
        let index = "CREATE INDEX a ON users (lastName, age)"
        let lists = try [index, "PRAGMA user_version = 1"].map {
            try list(names: names, encoding: encoding, indexes: $0 + rows)
        }
        for shape in [ListQuery.Shape.flow(limit: 7), .peek(limit: 3, rows: 4)] {
            var query = try letters(lists[0].schema, shape)
            for direction in [SortKey.Direction.ascending, .descending] {
                query.sort[0] = SortKey(query.sort[0].field, direction)
                let walks = try lists.map { list in
                    var (query, found) = (query, [[String]]())
                    var page = Page(list: "users", schema: list.schema)
                    while true {
                        try list.reader.read(query, into: &page)
                        found += ids(page)
                        guard let next = page.next, found.count < 100 else { return found }
                        query.start = .after(next)
                    }
                }
                #expect(walks[0] == walks[1], "\(encoding) \(shape) \(direction)")
                #expect(walks[0].count >= 5)
                let read = walks[0].flatMap { $0 }
                #expect(Set(read).count == read.count)
            }
        }
    }
}
