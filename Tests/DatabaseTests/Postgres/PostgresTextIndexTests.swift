import Listings
import TestSupport
import Testing

@testable import Database
@testable import Postgres

@Suite("What stands in texts of PostgreSQL", .needsPostgres)
struct PostgresTextIndexTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    @Test("the words of texts that are one are those of each, whatever the character")
    func words() throws {
        let connection = try scratch.database.connect()
        for start in stride(from: UInt32(1), to: 0x3_3000, by: 0x1000) {
            let scalars = (start..<start + 0x1000).compactMap(Unicode.Scalar.init)
            var text = ""
            for scalar in scalars { text += "\(scalar) a\(scalar) " }
            let joined = CaseFoldingSQL.joined(["$1::text", "NULL::text", "$2::text"])
            let found = try connection.run(
                "SELECT \(CaseFoldingSQL.words(joined: joined))",
                [text, text],
                until: .now + .seconds(60)
            )
            // A space and a mark behind it would be one character.
            let words = Array((found.text(0, 0) ?? "").utf8).split(separator: 32)
            let expected = Array(TextSearch.words(of: text).utf8).split(separator: 32)
            #expect(words == expected + expected, "from U+\(start)")
        }
    }

    private static let texts = [
        "Ada Lovelace", "ADA", "o'brien", "O Brien", "Zoë Smith", "zoe-smith", "李 小龙", "", "42",
        "a_b%c", "50% off", "back\\slash", "Łódź", "e\u{301}mile", "x", "ad", "A",
    ]

    private func list(_ columns: String) throws -> PostgresList {
        try scratch.run(
            """
            CREATE TABLE notes (id int PRIMARY KEY, \(columns),
                made timestamptz DEFAULT '2024-02-29 12:00+00')
            """
        )
        let connection = try scratch.database.connect()
        var number = 0
        for title in Self.texts {
            for text in Self.texts {
                number += 1
                _ = try connection.run(
                    "INSERT INTO notes (id, title, body) VALUES ($1::int, $2, $3)",
                    ["\(number)", title, text.isEmpty ? nil : text],
                    until: .now + .seconds(60)
                )
            }
        }
        return try PostgresList("notes", in: scratch.database)
    }

    private func proposal(_ list: PostgresList) throws -> String? {
        var explainer = try TableExplainer(list.source, names: [])
        let query = explainer.query(ofLettersIn: nil, limit: 5)
        guard try !explainer.queryPlan(of: query).isServed else { return nil }
        guard case .statements(let statements) = try explainer.proposal(for: query) else {
            return nil
        }
        return statements.joined(separator: "\n")
    }

    private func rows(_ list: PostgresList, _ query: ListQuery) throws -> [String] {
        let page = try list.read(query)
        return (0..<page.rowCount).map { page.id(ofRow: $0) }
    }

    @Test(
        "the index that is proposed finds the same rows as reading them all",
        arguments: [
            "title text, body text", "title varchar(99) COLLATE \"en-US-x-icu\", body text",
            "title text COLLATE \"C\", body text COLLATE \"en-US-x-icu\"",
        ]
    )
    func index(columns: String) throws {
        let list = try list(columns)
        guard let proposal = try proposal(list) else { return }
        let searches = [
            "ada", "ad", "a", "\"ada\"", "o'brien", "\"o brien\"", "zoe smith", "zoë", "李", "42",
            "a_b", "slash", "lodz", "emile", "smith love", "nobody", "2024", "12 ada", "t12",
            "x ad o brien 42", "\"ada x\"", "\"x ada\"",
        ].compactMap(TextSearch.init)
        let parts = [
            "o'b", "50%", "_", "%", "\\", "ë s", "É", "小", " ", "a", "ADA L", "-", "nobody",
        ]
        var questions = searches.map { search in
            var query = ListQuery(shape: .flow(limit: 500))
            query.search = search
            return query
        }
        for part in parts {
            for operation in [Filter.Operator.contains, .startsWith, .endsWith] {
                var query = ListQuery(sort: [SortKey(.column(0))], shape: .flow(limit: 500))
                query.filters = [Filter(column: 1, operation, [.text(part)])]
                questions.append(query)
            }
        }
        // Rows are looked at one by one where no time is left for counting.
        let hasty = try PostgresList(
            "notes",
            in: scratch.database,
            budgets: ReadingBudgets(
                rows: .seconds(60),
                counts: .zero,
                attempt: .seconds(60),
                shortestTrial: .seconds(60)
            )
        )
        let expected = try questions.map { try rows(hasty, $0) }
        #expect(expected.contains { !$0.isEmpty } && expected.contains { $0.isEmpty })
        for (query, expected) in zip(questions, expected) {
            #expect(try rows(list, query) == expected, "\(query)")
        }
        try scratch.run(proposal)
        #expect(try self.proposal(list) == nil)
        let address = scratch.cluster.address(schema: scratch.name + "%20-cenable_seqscan%3Doff")
        let indexed = try PostgresList("notes", in: .patient(address))
        for (query, expected) in zip(questions, expected) {
            #expect(try rows(indexed, query) == expected, "\(query)")
        }
    }

    private func named(_ query: ListQuery, _ list: PostgresList) throws -> [CellValue]? {
        let session = try #require(try list.source.openSession() as? PostgresSession)
        _ = try session.beginReading()
        defer { session.endReading() }
        return try session.reading.sectionsNamed(by: query)?.keys
    }

    @Test("words that name a section are looked for there where indexes have them nowhere else")
    func namedSection() throws {
        try scratch.run(
            """
            CREATE TABLE staff (id int PRIMARY KEY, job text, name text);
            INSERT INTO staff SELECT n, CASE n % 3 WHEN 0 THEN 'Writer' WHEN 1 THEN 'Baker' END,
                'N' || n FROM generate_series(1, 3000) n;
            CREATE INDEX ON staff (job COLLATE "C", id);
            """
        )
        // Many rows have the word, and none of them is found in order.
        let list = try PostgresList(
            "staff",
            in: scratch.database,
            budgets: ReadingBudgets(
                rows: .seconds(60),
                counts: .zero,
                attempt: .seconds(60),
                shortestTrial: .zero
            )
        )
        var query = ListQuery(grouping: Grouping(column: 0), shape: .flow(limit: 2))
        query.search = TextSearch("writ")
        guard let proposal = try proposal(list) else { return }
        #expect(try named(query, list) == nil)
        #expect(try rows(list, query) == ["3", "6"])
        try scratch.run(proposal)
        #expect(try named(query, list) == [.text("Writer")])
        #expect(try rows(list, query) == ["3", "6"])
        query.search = TextSearch("nobody")
        #expect(try named(query, list) == nil)
        #expect(try rows(list, query) == [])
        query.search = TextSearch("writ")
        query.filters = [Filter(column: 1, .notEqual, [.text("N3")])]
        #expect(try named(query, list) == [.text("Writer")])
        #expect(try rows(list, query) == ["6", "9"])
        query.filters = []
        query.search = TextSearch("writer n9")
        #expect(try named(query, list) == [.text("Writer")])
        #expect(try rows(list, query) == ["9", "90"])
        query.search = TextSearch("writ")
        for (id, found) in [(1, ["1", "3"]), (2, ["3", "6"])] {
            try scratch.run("UPDATE staff SET name = 'a writer' WHERE id = \(id)")
            #expect(try named(query, list) == nil)
            #expect(try rows(list, query) == found)
            try scratch.run("UPDATE staff SET name = 'N' WHERE id = \(id)")
        }
    }

    @Test("a statement that takes too long leaves the state that is read as it is")
    func recovery() throws {
        try scratch.run("CREATE TABLE notes (id int PRIMARY KEY); INSERT INTO notes VALUES (1)")
        let connection = PooledConnection(scratch.database)
        _ = try connection.beginReading()
        defer { connection.giveBack() }
        func count() throws -> String? {
            try connection.run("SELECT count(*) FROM notes", []).text(0, 0)
        }
        #expect(try count() == "1")
        try scratch.run("INSERT INTO notes VALUES (2)")
        #expect(throws: ReadingError.self) {
            try connection.within(.milliseconds(20)) { () throws(ReadingError) in
                try connection.run("SELECT pg_sleep(60)", [])
            }
        }
        #expect(try count() == "1")
        // What is prepared to be explained is not undone.
        #expect(throws: ReadingError.self) {
            try connection.within(.zero) { () throws(ReadingError) in
                try connection.explain("SELECT 1")
            }
        }
        #expect(try !connection.explain("SELECT 1").lines.isEmpty)
    }
}
