import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite(
    "What stands in texts of PostgreSQL",
    .enabled(if: PostgresCluster.programs != nil, "PostgreSQL is not installed")
)
struct TextIndexTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    @Test("the words of texts that are one are those of each, whatever the character")
    func words() throws {
        let connection = try scratch.database.connect()
        for start in stride(from: UInt32(1), to: 0x3_3000, by: 0x1000) {
            let scalars = (start..<start + 0x1000).compactMap(Unicode.Scalar.init)
            var text = ""
            for scalar in scalars { text += "\(scalar) a\(scalar) " }
            let joined = FoldingSQL.joined(["$1::text", "NULL::text", "$2::text"])
            let found = try connection.run(
                "SELECT \(FoldingSQL.words(joined: joined))",
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

    /// A list of all pairs of such texts and a moment.
    private func list(_ columns: String) throws -> PostgresList {
        try scratch.run(
            """
            CREATE TABLE notes (id int PRIMARY KEY, \(columns),
                made timestamptz DEFAULT '2024-02-29 12:00+00')
            """
        )
        let connection = try scratch.database.connect()
        try connection.execute(
            "SET default_transaction_read_only = off",
            until: .now + .seconds(60)
        )
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
        let query = explainer.question(ofLettersIn: nil, limit: 5)
        guard try !explainer.way(of: query).isServed else { return nil }
        guard case .statement(let statement) = try explainer.proposal(for: query) else {
            return nil
        }
        return statement
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
                attempt: .seconds(60)
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

    @Test("a statement that takes too long leaves the state that is read as it is")
    func recovery() throws {
        try scratch.run("CREATE TABLE notes (id int PRIMARY KEY); INSERT INTO notes VALUES (1)")
        let connection = BorrowedConnection(scratch.database)
        try connection.beginReading()
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
    }
}
