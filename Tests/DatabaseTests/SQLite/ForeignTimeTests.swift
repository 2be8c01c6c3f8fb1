import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Times in somebody else's database")
struct ForeignTimeTests {
    private let folder = TemporaryFolder()

    private static let forms = [
        "2024-03-12 02:30:0$", "2024-03-12T02:30:0$", "2024-03-12 02:30:0$Z",
        "2024-03-12 02:30:0$.500", "2024-03-12T02:3$", "2024-03-12 02:3$Z", "2024-03-1$",
    ]

    /// The list of the table `t (id, at)` with some rows.
    private func list(
        _ rows: String,
        type: String = ""
    ) throws -> (source: TableSource, schema: ListSchema) {
        let writer = try DatabaseConnection(folder.file("their.db"), access: .readWrite)
        try writer.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, at \(type))")
        try writer.execute("INSERT INTO t (at) VALUES \(rows)")
        let catalog = try ForeignCatalog(folder.file("their.db"))
        return try #require(catalog.lists.first).source(in: folder.file("their.db"))
    }

    /// Six times, each twice, and a null.
    private func times(_ form: String) -> String {
        (0..<6).map { "('\(form.replacing("$", with: "\($0)"))')" }
            .map { "\($0), \($0), " }.joined() + "(NULL)"
    }

    private func expect(
        _ list: (source: TableSource, schema: ListSchema),
        _ table: [(Filter.Operator, String, [Int])]
    ) throws {
        let column = list.schema.columns[1]
        for (operation, text, ids) in table {
            let operands =
                operation.seeksValues
                ? column.candidates(for: text) : [column.operand(for: text)].compactMap(\.self)
            var query = ListQuery(shape: .flow(limit: 100))
            query.filters = [Filter(column: 1, operation, operands)]
            let found = try walk(list.source, list.schema, query)
            #expect(found == ids.map(String.init), "\(operation) \(text)")
        }
    }

    private func walk(
        _ source: TableSource,
        _ schema: ListSchema,
        _ start: ListQuery
    ) throws -> [String] {
        let reader = try source.makeReader()
        var page = Page(list: "t", schema: schema)
        var query = start
        var found: [String] = []
        while found.count < 100 {
            try reader.read(query, into: &page)
            found += ids(page).flatMap { $0 }
            guard let next = page.next else { break }
            query.start = .after(next)
        }
        return found
    }

    @Test("pages in the order of a time leave nothing out, however it is spelled", arguments: forms)
    func pages(form: String) throws {
        let (source, schema) = try list(times(form))
        for limit in [1, 2, 5] {
            for direction in [SortKey.Direction.ascending, .descending] {
                let query = ListQuery(
                    sort: [SortKey(.column(1), direction)],
                    shape: .flow(limit: limit)
                )
                let times = (0..<6).map { [$0 * 2 + 1, $0 * 2 + 2] }
                let ordered = direction == .ascending ? times : times.reversed()
                let expected = ordered.flatMap { $0 } + [13]
                #expect(try walk(source, schema, query) == expected.map(String.init))
            }
        }
    }

    @Test("conditions compare instants, also those that the spelling has no room for")
    func conditions() throws {
        // At 02:30 are the rows 1 and 2, at 02:35 the rows 11 and 12.
        let list = try list(times("2024-03-12 02:3$Z"))
        let (all, none) = (Array(1...12), [Int]())
        try expect(
            list,
            [
                (.equal, "2024-03-12T02:31", [3, 4]), (.equal, "2024-03-12T02:31:00Z", [3, 4]),
                (.equal, "2024-03-12T02:31:30Z", none),
                (.equal, "2024-03-12T04:31:00+02:00", [3, 4]),
                (.notEqual, "2024-03-12T02:31:30Z", all + [13]),
                (.notEqual, "2024-03-12 02:31:00", [1, 2] + Array(5...13)),
                (.less, "2024-03-12T02:31:30Z", Array(1...4)),
                (.atMost, "2024-03-12T02:31:30Z", Array(1...4)),
                (.greater, "2024-03-12T02:31:30Z", Array(5...12)),
                (.atLeast, "2024-03-12T02:31:30Z", Array(5...12)),
                (.less, "2024-03-12T02:31", [1, 2]), (.atMost, "2024-03-12T02:31", Array(1...4)),
                (.greater, "2024-03-12T02:31", Array(5...12)),
                (.atLeast, "2024-03-12T02:31", Array(3...12)), (.less, "9999-12", all),
                (.greater, "9999-12", none), (.atMost, "9999", all), (.equal, "2024-03", all),
                (.equal, "2024-03-12", all), (.equal, "2024-03-13", none),
            ]
        )
    }

    @Test("dates are compared with instants within their day")
    func dates() throws {
        try expect(
            try list(times("2024-03-1$")),
            [
                (.equal, "2024-03-12T02:30:00Z", []),
                (.notEqual, "2024-03-12T02:30:00Z", Array(1...13)),
                (.less, "2024-03-12T02:30:00Z", Array(1...6)), (.greater, "9999-12", []),
            ]
        )
    }

    @Test("a text with an exponent is compared as a text, in a numeric column too")
    func exponents() throws {
        let list = try list("('1999-02-10'), ('a,b'), (5), (100000), ('1f')", type: "NUMERIC")
        try expect(list, [(.greater, "1e5", [2, 5]), (.less, "1e5", [1]), (.equal, "1e5", [])])
    }

    @Test("a number is no text, in a column that is declared to hold texts too")
    func numbersInTexts() throws {
        let list = try list("('2023-03-10'), ('2024-03-10')", type: "TEXT")
        try expect(list, [(.atMost, "34.41", []), (.atLeast, "3", []), (.greater, "2023-12", [2])])
    }

    @Test("times among values of other types are found by times, and numbers are no booleans")
    func amongOthers() throws {
        let list = try list(
            "(0), (1), (-9e999), ('2024-03-12'), ('2024-03-12 02:30:00'), ('x'), (x'41'), "
                + "('2025-01-01')"
        )
        #expect(list.schema.columns[1].isMixed)
        try expect(
            list,
            [
                (.atMost, "2024-03-12T02:30", [4, 5]), (.greater, "2024-03", [8]),
                (.less, "true", []), (.atLeast, "false", []), (.equal, "2024-03", [4, 5]),
                (.equal, "false", []), (.equal, "0", [1]), (.less, "0", [3]),
            ]
        )
    }
}
