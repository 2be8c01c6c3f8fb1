import Database
import Listings
import SQLite
import TestSupport
import Testing

/// Pages of a list whose sections, and the rows that have a word, are more than are sorted: what they
/// take is counted, and they are what a plain question to the engine gives.
@Suite("Pages of sections and words of many rows")
struct ManyRowsTests {
    private let folder = TemporaryFolder()
    private static let rows = 36_000

    /// Three cities of 12,000 people each; every third is a Zed, who all stand behind the others.
    private func list() throws -> ListFixture {
        try .people(
            Self.rows,
            name: "CASE WHEN i % 3 = 0 THEN 'Zed ' ELSE 'Ann ' END || (i * 7919 % 1000)",
            city: """
                CASE WHEN i <= 12000 THEN 'Alta' WHEN i <= 24000 THEN 'Bodø' ELSE 'New Crete' END
                """,
            in: folder
        )
    }

    private static let city = Grouping(column: 1)
    private static let name = SortKey(.column(0))
    private static let age = SortKey(.column(2))

    /// Looks at no rows for their words before those that have them are gathered.
    private static let gathering = ReadingBudgets(
        rows: .seconds(60),
        counts: .seconds(60),
        attempt: .seconds(60),
        shortestTrial: .zero
    )

    private func query(_ grouping: Grouping?, _ sort: [SortKey], q: String?) -> ListQuery {
        var query = ListQuery(grouping: grouping, sort: sort, shape: .flow(limit: 50))
        query.search = q.flatMap(TextSearch.init)
        return query
    }

    @Test("words that name a section are found there, and no row before it is looked at")
    func namedSection() throws {
        let counted = try MeasuredReader(try list(), budgets: Self.gathering)
        let query = query(Self.city, [Self.name], q: "crete")
        let first = try counted.page(query)
        #expect(first.ids.map(\.count) == [50])
        #expect(first.ids[0].allSatisfy { Int($0).map { $0 > 24_000 } ?? false })
        #expect(first.total == Count(10_000, .atLeast))
        var rows = query
        rows.counting = .off
        let found = try counted.work(rows)
        #expect(found.rows == 50)
        #expect(found.work.instructions < 3_000, "\(found)")
        #expect(found.work.scannedRows <= 100, "\(found)")
    }

    @Test("rows that have the words and all stand far behind are looked up by their numbers")
    func gathered() throws {
        let counted = try MeasuredReader(try list(), budgets: Self.gathering)
        let query = query(nil, [Self.name], q: "zed")
        let first = try counted.firstWork(query)
        #expect(first.rows == 50)
        // 10,001 are counted, 12,000 gathered, 24,000 passed over.
        #expect(first.work.instructions < 20 * Self.rows, "\(first)")
        let page = try counted.page(query)
        #expect(page.total == Count(10_000, .atLeast))
        // Behind the first of them nothing is passed over, and nothing sorted anew.
        var next = query
        next.counting = .off
        next.start = .after(try #require(page.next))
        let second = try counted.work(next)
        #expect(second.rows == 50)
        #expect(second.work.instructions < 5_000, "\(second)")
        #expect(second.work.sorts == 0, "\(second)")
        var none = query
        none.search = TextSearch("\"zed\" \"ann\"")
        let empty = try counted.page(none)
        #expect(empty.ids.isEmpty)
        #expect(empty.total == Count(0))
        #expect(try counted.work(none).work.instructions < 2_000)
    }

    @Test(
        "letters that few texts contain are found without reading the others",
        arguments: [Filter.Operator.contains, .startsWith, .endsWith]
    )
    func letters(operation: Filter.Operator) throws {
        let list = try ListFixture.people(
            Self.rows,
            name: "'Zoë ' || (i + 100000) || ' Ångström'",
            city: "'Oslo'",
            in: folder
        )
        let counted = try MeasuredReader(list)
        let needle =
            switch operation {
            case .startsWith: "zoe 10123"
            case .endsWith: "0123 angstrom"
            default: "012"
            }
        var query = query(nil, [Self.name], q: nil)
        query.filters = [Filter(column: 0, operation, [.text(needle)])]
        let expected = (1...Self.rows).filter { row in
            let text = "zoe \(row + 100_000) angstrom"
            return switch operation {
            case .startsWith: text.hasPrefix(needle)
            case .endsWith: text.hasSuffix(needle)
            default: text.contains(needle)
            }
        }
        #expect(!expected.isEmpty)
        let page = try counted.page(query)
        #expect(page.total == Count(expected.count))
        #expect(page.ids.flatMap { $0 } == expected.prefix(50).map(String.init))
        let found = try counted.firstWork(query)
        #expect(found.work.instructions < 200 * expected.count, "\(found)")
        // Another write changes what is found.
        try list.writer.execute(
            """
            UPDATE people SET name = 'Max' WHERE id = \(expected[0]);
            DELETE FROM people WHERE id = \(expected[1]);
            UPDATE roster_lists SET counter = counter + 1;
            """
        )
        #expect(try counted.page(query).total == Count(expected.count - 2))
    }

    @Test("who gathers finds what is found by looking at every row")
    func sameRows() throws {
        let list = try list()
        let looking = try MeasuredReader(list)
        let gathering = try MeasuredReader(list, budgets: Self.gathering)
        for q in ["zed", "crete", "zed cre", "\"new crete\" ann"] {
            for (grouping, sort) in [
                (nil, [Self.name]), (Self.city, [SortKey(.column(2), .descending), Self.name]),
            ] as [(Grouping?, [SortKey])] {
                var query = query(grouping, sort, q: q)
                query.shape = .flow(limit: 500)
                let what = "\(q), \(sort.count) steps"
                let first = try gathering.page(query)
                #expect(try looking.page(query) == first, "\(what)")
                query.counting = .off
                query.start = .after(try #require(first.next))
                let second = try gathering.page(query)
                #expect(try looking.page(query) == second, "\(what)")
                query.start = .before(try #require(second.previous))
                #expect(try gathering.page(query).ids == first.ids, "\(what)")
                query.filters = [Filter(column: 4, .equal, [.boolean(true)])]
                query.start = .beginning
                query.shape = .peek(limit: 5, rows: 3)
                #expect(try gathering.page(query) == looking.page(query), "\(what)")
            }
        }
    }

    @Test("what was gathered is forgotten when a row is written")
    func forgotten() throws {
        let list = try list()
        let counted = try MeasuredReader(list, budgets: Self.gathering)
        var query = query(nil, [SortKey(.column(0), .descending, nulls: .last)], q: "zed")
        query.counting = .off
        let before = try counted.page(query).ids[0]
        try list.writer.execute(
            """
            \(ListFixture.insertion) VALUES (90000, 1, 'Zed Zz', 'Alta', 1, 1, 1, '2020-01-01');
            DELETE FROM people WHERE id = \(before[0]);
            UPDATE roster_lists SET counter = counter + 1;
            """
        )
        let after = try counted.page(query).ids[0]
        #expect(after.prefix(2) == ["90000", before[1]])
    }

    @Test(
        "sections of many rows are read in an order that only the list has an index of",
        arguments: [
            [SortKey(.column(2))], [SortKey(.column(2), .descending)],
            [SortKey(.column(2), .descending, nulls: .first), SortKey(.column(0))],
        ]
    )
    func sortedSections(sort: [SortKey]) throws {
        let list = try list()
        let counted = try MeasuredReader(list)
        var query = query(Self.city, sort, q: nil)
        query.counting = .off
        // Up to 10,001 rows are counted where a range begins, none is sorted but those of one age.
        for cursor in [nil, 100, 13_000, 35_000] {
            if let cursor { query.start = .after(try counted.cursor(after: cursor, query)) }
            let found = try counted.work(query)
            #expect(found.rows == 50)
            #expect(found.work.instructions < 5 * 5 * ListQuery.countCap, "\(sort) \(found)")
            #expect(found.work.records < 400, "\(sort) \(found)")
        }
        query.shape = .flow(limit: 500)
        let words = sort.map { key in
            let column = key.field == .column(0) ? ListFixture.sortKey(of: "name") : "age"
            return column + (key.direction == .ascending ? "" : " DESC")
                + (key.nulls == .first ? " NULLS FIRST" : " NULLS LAST")
        }
        let expected = try list.writer.prepare(
            "SELECT id FROM people ORDER BY \(ListFixture.sortKey(of: "city")), \(words.joined(separator: ", ")), id"
        )
        var ids: [String] = []
        while try expected.step() { ids.append("\(expected.integer(0))") }
        let walked = try counted.walk(query)
        #expect(walked == ids)
        query.start = .before(try counted.cursor(after: 20_000, query))
        #expect(try counted.page(query).ids.flatMap(\.self) == Array(ids[19_499..<19_999]))
    }

    @Test(
        "a bound of the column that rows are sorted by begins or ends the reading of its index",
        arguments: [SortKey.Direction.ascending, .descending]
    )
    func boundedOrder(direction: SortKey.Direction) throws {
        let list = try list()
        let counted = try MeasuredReader(list)
        for filters in [
            [Filter(column: 2, .atLeast, [.integer(85)])],
            [Filter(column: 2, .less, [.integer(5)])],
            [
                Filter(column: 2, .greater, [.integer(40)]),
                Filter(column: 2, .atMost, [.integer(44)]),
            ],
        ] {
            var query = query(nil, [SortKey(.column(2), direction)], q: nil)
            query.counting = .off
            query.filters = filters
            for location in [nil, 100, 1_000, 1_300] {
                if let location { query.start = .after(try counted.cursor(after: location, query)) }
                let found = try counted.work(query)
                #expect(found.rows == 50)
                let limit = direction == .ascending ? 8_000 : 16_000
                #expect(found.work.instructions < limit, "\(filters) \(location ?? 0): \(found)")
            }
            let all = try counted.walk(query)
            #expect(Set(all).count == all.count)
            let ages = Set(all.compactMap { Int($0) }.map { $0 % 90 })
            #expect(ages.count == (filters.count == 2 ? 4 : 5))
        }
    }
}
