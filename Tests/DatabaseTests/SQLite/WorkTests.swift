import Database
import Listings
import SQLite
import TestSupport
import Testing

/// Counts what pages of a list of thousands of rows take: statements, records and rows looked at,
/// never time.
@Suite("What a page takes")
struct WorkTests {
    private let folder = TemporaryFolder()
    private static let rows = 25_000
    private static let limit = 50

    /// People with a thousand names, some of them without one: half of them in Oslo, a third in
    /// Paris, every three hundredth in Rare, the others in small places or in none.
    private func list() throws -> ListFixture {
        try .people(
            Self.rows,
            name: """
                CASE WHEN i % 50 = 7 THEN NULL
                ELSE char(65 + i * 7 % 26) || 'ame ' || (i * 7919 % 1000) END
                """,
            city: """
                CASE WHEN i % 300 = 5 THEN 'Rare' WHEN i % 2 = 1 THEN 'Oslo' WHEN i % 3 > 0
                THEN 'Paris' WHEN i % 7 = 0 THEN NULL ELSE 'Place ' || (i % 2000) END
                """,
            in: folder
        )
    }

    private struct Order {
        let name: String
        var grouping: Grouping?
        var sort: [SortKey] = []
        /// Whether an index has all of it.
        var isIndexed = true

        func query(_ shape: ListQuery.Shape) -> ListQuery {
            var query = ListQuery(grouping: grouping, sort: sort, shape: shape)
            query.counting = .off
            return query
        }
    }

    private static let orders = [
        Order(name: "id"), Order(name: "a column", sort: [SortKey(.column(0))]),
        Order(name: "sections", grouping: Grouping(column: 1)),
        Order(
            name: "a column, down",
            sort: [SortKey(.column(0), .descending, nulls: .first)],
            isIndexed: false
        ),
        Order(
            name: "the order of the list",
            grouping: Grouping(column: 1),
            sort: [SortKey(.column(0)), SortKey(.column(2), .descending)],
            isIndexed: false
        ),
        Order(
            name: "down and up",
            sort: [SortKey(.column(0), .descending), SortKey(.column(2))],
            isIndexed: false
        ),
        Order(
            name: "nulls first, up and down",
            sort: [SortKey(.column(0), nulls: .first), SortKey(.column(2), .descending)],
            isIndexed: false
        ),
    ]

    private func expect(
        _ found: (work: EngineStatistics, rows: Int),
        statements: Int,
        instructions: Int,
        scanned: Int = limit + 1,
        _ what: String
    ) {
        #expect(found.work.statements <= statements, "\(what): \(found)")
        #expect(found.work.instructions <= instructions, "\(what): \(found)")
        #expect(found.work.scannedRows <= scanned, "\(what): \(found)")
    }

    @Test("wherever a page stands, and whichever way it is read, it takes a few small statements")
    func pages() throws {
        let counted = try MeasuredReader(try list())
        for order in Self.orders {
            var query = order.query(.flow(limit: Self.limit))
            var works = [("start", try counted.work(query))]
            for location in [100, Self.rows / 2, Self.rows - 60] {
                let cursor = try counted.cursor(after: location, query)
                query.start = .after(cursor)
                works.append(("behind \(location)", try counted.work(query)))
                query.start = .before(cursor)
                works.append(("before \(location)", try counted.work(query)))
            }
            for (location, found) in works {
                #expect(found.rows == Self.limit)
                let what = "\(order.name), \(location)"
                // Without an index of its own an order sorts the rows of a name, here at most
                // five hundred without one.
                expect(
                    found,
                    statements: order.isIndexed ? 4 : 16,
                    instructions: order.isIndexed ? 1_200 : 16_000,
                    scanned: 2 * Self.limit,
                    what
                )
                #expect(found.work.records <= 4 * Self.limit, "\(what): \(found)")
                if order.isIndexed { #expect(found.work.sorts == 0, "\(what): \(found)") }
            }
        }
    }

    @Test("a page of a number passes over the rows before it, and sorts no others")
    func pageNumbers() throws {
        let counted = try MeasuredReader(try list())
        for order in Self.orders {
            var query = order.query(.flow(limit: Self.limit))
            query.start = .offset(1_000)
            let found = try counted.work(query)
            #expect(found.rows == Self.limit)
            expect(found, statements: 16, instructions: 60_000, scanned: 2_200, order.name)
        }
    }

    @Test(
        "sections are found one by one, letters by a probe each, and rows are counted up to a number"
    )
    func overview() throws {
        let list = try list()
        for column in [1, 2] {
            let order = Order(name: "", grouping: Grouping(column: column))
            let counted = try MeasuredReader(list)
            let found = try counted.work(order.query(.peek(limit: 20, rows: 3)))
            // A key and its rows for each of twenty sections, and whether there are more.
            expect(found, statements: 42, instructions: 3_000, "sections of \(column)")
        }
        var query = Self.orders[1].query(.flow(limit: Self.limit))
        query.wantsLetters = true
        expect(
            try MeasuredReader(list).firstWork(query),
            statements: 2 * 27 + 5,
            instructions: 5_000,
            "letters"
        )
        query.wantsLetters = false
        query.counting = .capped
        let cap = ListQuery.countCap + 1
        expect(
            try MeasuredReader(list).firstWork(query),
            statements: 5,
            instructions: 12 * cap,
            scanned: cap + Self.limit,
            "the count"
        )
    }

    private static let rare = Filter(column: 1, .equal, [.text("Rare")])
    private static let active = Filter(column: 4, .equal, [.boolean(true)])

    @Test("where few rows meet one of the conditions no others are read")
    func fewMatches() throws {
        let list = try list()
        let counted = try MeasuredReader(list)
        let letters = Filter(column: 0, .contains, [.text("ame")])
        let choices: [(filters: [Filter], q: String?)] = [
            ([Self.rare], nil), ([Self.active, Self.rare], nil), ([letters, Self.rare], nil),
            ([Filter(column: 1, .among, [.text("Rare"), .text("Nowhere")])], nil),
            ([Filter(column: 1, .equal, [.text("Nowhere")])], nil), ([], "rare"),
            ([Self.active], "rare"), ([Self.rare], "oslo"), ([], "nowhere"), ([], "rare oslo"),
            ([], "o rar"), ([], "\"rare\" o"),
        ]
        let matches = Self.rows / 300 + 1
        for order in Self.orders {
            for (filters, q) in choices {
                var query = order.query(.flow(limit: Self.limit))
                query.filters = filters
                query.search = q.flatMap(TextSearch.init)
                let what =
                    "\(order.name), \(filters.map { "\($0.field) \($0.operation)" }) \(q ?? "")"
                // Each condition that has an index is counted up to a number once.
                let first = try MeasuredReader(list).firstWork(query)
                expect(first, statements: 20, instructions: 25 * ListQuery.countCap, what)
                let known = try counted.work(query)
                expect(known, statements: 16, instructions: 4_000 + 60 * matches, what)
                #expect(known.rows <= Self.limit)
            }
        }
    }

    @Test("where many rows meet the conditions they are read in order")
    func manyMatches() throws {
        let counted = try MeasuredReader(try list())
        for order in Self.orders {
            for q in [nil, "oslo", "o", "oslo o", "\"oslo\""] {
                var query = order.query(.flow(limit: Self.limit))
                if q == nil { query.filters = [Self.active] }
                query.search = q.flatMap(TextSearch.init)
                let found = try counted.work(query)
                #expect(found.rows == Self.limit)
                let what = "\(order.name) \(q ?? "active")"
                expect(found, statements: 16, instructions: 40_000, scanned: 4 * Self.limit, what)
            }
        }
    }

    @Test("however common words are, the engine has the chance to end a look at any of them")
    func commonWords() throws {
        let list = try list()
        let counted = try MeasuredReader(list, budgets: ReadingBudgets(rows: .zero))
        var page = Page(list: "people", schema: list.schema)
        for q in ["a", "oslo", "oslo paris", "\"oslo\" \"paris\"", "paris o"] {
            for order in Self.orders {
                var query = order.query(.flow(limit: Self.limit))
                query.search = TextSearch(q)
                counted.session.connection?.work = EngineStatistics()
                // A page that is found before the first look at the clock is there all the same.
                do { try counted.reader.read(query, into: &page) } catch {
                    #expect(error == .outOfTime)
                }
                let work = try #require(counted.session.connection?.work)
                #expect(work.instructions <= 2_000 * 6, "\(order.name), \(q): \(work)")
            }
        }
    }

    @Test("what no index helps with ends when its time is over, and says so")
    func budget() throws {
        let list = try list()
        let hasty = ReadingBudgets(
            rows: .nanoseconds(1),
            counts: .nanoseconds(1),
            attempt: .nanoseconds(1)
        )
        let counted = try MeasuredReader(list, budgets: hasty)
        var page = Page(list: "people", schema: list.schema)
        for order in Self.orders {
            var query = order.query(.flow(limit: Self.limit))
            query.filters = [Filter(column: 0, .contains, [.text("nobody")])]
            counted.session.connection?.work = EngineStatistics()
            #expect(throws: SourceError.outOfTime) { try counted.reader.read(query, into: &page) }
            // The engine looks at the clock every two thousand instructions.
            #expect(
                counted.session.connection?.work.instructions ?? .max <= 3 * 2_000,
                "\(order.name)"
            )
        }
    }
}
