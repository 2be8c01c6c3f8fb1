import Database
import Foundation
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite("Questions to PostgreSQL", .needsPostgres)
struct PostgresQueryTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    @Test("case, accents and words are those of every other engine, whatever the character")
    func folding() throws {
        let connection = try scratch.database.connect()
        for start in stride(from: UInt32(1), to: 0x3_3000, by: 0x1000) {
            let scalars = (start..<start + 0x1000).compactMap(Unicode.Scalar.init)
            // Every character by itself, and behind a letter.
            var text = ""
            for scalar in scalars { text += "\(scalar) a\(scalar) " }
            let folded = CaseFoldingSQL.folded("$1::text COLLATE \"C\"")
            let found = try connection.run(
                "SELECT \(folded), \(CaseFoldingSQL.words(folded))",
                [text],
                until: .now + .seconds(60)
            )
            #expect(found.text(0, 0) == TextCollation.folded(text), "from U+\(start)")
            // A space and a mark behind it would be one character.
            let words = (found.text(0, 1) ?? "").utf8.split(separator: 32).map(Array.init)
            let expected = TextSearch.words(of: text).utf8.split(separator: 32).map(Array.init)
            #expect(words == expected, "from U+\(start)")
        }
    }

    @Test("decomposed texts, Hangul and scripts without spaces are folded as elsewhere")
    func sequences() throws {
        let connection = try scratch.database.connect()
        let texts = [
            "Ёлка Йод café Ångström Tiếng Việt", "한국어 서울", "東京都港区の天気 港 区-港 x東京y", "がっこう ガス",
            "ภาษาไทยน้ำ ປູ", "कि क़ ো ക്ക് བོད ཱི", "שָׁלוֹם مُحَمَّد", "豈 ≠ Ω", "a\u{5B0}\u{315}\u{300}b",
        ]
        let forms = texts.flatMap {
            [$0, $0.decomposedStringWithCanonicalMapping, $0.precomposedStringWithCanonicalMapping]
        }
        for text in forms {
            let folded = CaseFoldingSQL.folded("$1::text COLLATE \"C\"")
            let found = try connection.run(
                "SELECT \(folded), \(CaseFoldingSQL.words(folded)), \(CaseFoldingSQL.words(joined: "$1::text COLLATE \"C\""))",
                [text],
                until: .now + .seconds(60)
            )
            #expect(Array((found.text(0, 0) ?? "").utf8) == Array(TextCollation.folded(text).utf8))
            let expected = TextSearch.words(of: text).utf8.split(separator: 32).map(Array.init)
            for column in 1...2 {
                let words = (found.text(0, column) ?? "").utf8.split(separator: 32).map(Array.init)
                #expect(words == expected, "\(text)")
            }
        }
    }

    private func found(
        _ list: PostgresList,
        _ column: String,
        _ operation: Filter.Operator,
        _ operands: [CellValue]
    ) throws -> [String] {
        let column = try #require(list.schema.index(of: column))
        var query = ListQuery(shape: .flow(limit: 50))
        query.filters = [Filter(column: column, operation, operands)]
        let page = try list.read(query)
        return (0..<page.rowCount).map { page.id(ofRow: $0) }
    }

    @Test("the bytes of a cell are read with its row")
    func bytes() throws {
        try scratch.run(
            """
            CREATE TABLE t (id int PRIMARY KEY, data bytea, name text);
            INSERT INTO t VALUES (1, '\\x00ff41', 'a'), (2, '', '41'), (3, NULL, NULL);
            """
        )
        let list = try PostgresList("t", in: scratch.database)
        let reader = list.reader
        func read(_ id: String, _ column: String) throws -> [UInt8]? {
            var page = Page(list: "t", schema: list.schema)
            var bytes: [UInt8]?
            let isFound = try reader.readRow(
                id,
                bytesOf: try #require(list.schema.index(of: column)),
                grouping: nil,
                into: &page,
                &bytes
            )
            #expect(isFound == (id != "4"))
            return bytes
        }
        #expect(try read("1", "data") == [0, 0xFF, 0x41])
        #expect(try read("2", "data") == [])
        #expect(try read("3", "data") == nil)
        #expect(try read("2", "name") == nil)
        #expect(try read("4", "data") == nil)
    }

    @Test("values are compared as what they are, and nothing is what it cannot be")
    func types() throws {
        try scratch.run(
            """
            CREATE TYPE mood AS ENUM ('sad', 'happy');
            CREATE TABLE t (id int PRIMARY KEY, key uuid, moment timestamptz, price numeric(10, 2),
                single real, doc jsonb, feeling mood, name text, data bytea);
            INSERT INTO t VALUES
                (1, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '2024-02-29 12:00:00.5+02', 12.50, 0.1,
                    '{"a": "Zoë"}', 'happy', 'Ada', '\\x00'),
                (2, 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '2025-01-01', -1, 2.5, NULL, 'sad',
                    'Émile', NULL),
                (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            """
        )
        let list = try PostgresList("t", in: scratch.database)
        func expect(
            _ column: String,
            _ operation: Filter.Operator,
            _ operands: [CellValue],
            _ ids: [String]
        ) throws {
            let rows = try found(list, column, operation, operands)
            #expect(rows == ids, "\(column) \(operation) \(operands)")
        }
        try expect("key", .equal, [.text("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11")], ["1"])
        try expect("key", .equal, [.text("x")], [])
        try expect("key", .notEqual, [.text("x")], ["1", "2", "3"])
        try expect(
            "key",
            .among,
            [.text("b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), .text("x")],
            ["2"]
        )
        try expect("key", .notAmong, [.text("x"), .text("")], ["1", "2", "3"])
        try expect("key", .startsWith, [.text("B0")], ["2"])
        try expect("moment", .equal, [.text("2024-02-29T10:00:00.5Z")], ["1"])
        try expect("moment", .atLeast, [.text("2024-03-01")], ["2"])
        try expect("moment", .less, [.text("2025-01-01T00:00")], ["1"])
        try expect("moment", .greater, [.text("yesterday")], [])
        try expect("moment", .contains, [.text("29t10:00")], ["1"])
        try expect("price", .atMost, [.real(12.5)], ["1", "2"])
        try expect("single", .equal, [.real(0.1)], ["1"])
        try expect("feeling", .equal, [.text("happy")], ["1"])
        try expect("feeling", .among, [.text("angry")], [])
        try expect("doc", .contains, [.text("ZOE")], ["1"])
        try expect("name", .contains, [.text("EM")], ["2"])
        try expect("name", .equal, [.text("a\0b")], [])
        try expect("name", .contains, [.text("a\0b")], [])
        try expect("name", .isNull, [.boolean(true)], ["3"])
        // Texts that begin like the keys of cursors, of which nothing is read here.
        try expect("name", .equal, [.text("\u{10FFFF}b00")], [])
        try expect("name", .notAmong, [.text("\u{10FFFF}b00")], ["1", "2", "3"])
        try expect("name", .startsWith, [.text("\u{10FFFF}b00")], [])
        #expect(list.schema.filterable.count == 7)
        var query = ListQuery(shape: .flow(limit: 5))
        query.search = TextSearch("happy \"a zoe\" ad")
        let page = try list.read(query)
        #expect(page.rowCount == 1)
    }

    @Test(
        "a page takes the same few statements wherever it is, each by an index, and skips nothing"
    )
    func statements() throws {
        try scratch.run(
            """
            CREATE TABLE many (id int PRIMARY KEY, city text NOT NULL, age int);
            INSERT INTO many SELECT n, 'c' || n % 3, nullif(n * 7919 % 90, 0)
                FROM generate_series(1, 60000) n;
            CREATE INDEX by_city ON many (city, age, id);
            CREATE INDEX by_age ON many (age, id);
            ANALYZE many;
            """
        )
        let list = try PostgresList("many", in: scratch.database)
        var query = ListQuery(
            grouping: Grouping(column: 0),
            sort: [SortKey(.column(1))],
            shape: .flow(limit: 50)
        )
        query.counting = .off
        let signature = query.signature(of: "many", schema: list.schema)
        func statements() throws -> Int {
            _ = try list.read(query)
            let connection = try #require(scratch.database.takeIdle())
            let before = connection.statementCount
            scratch.database.giveBack(connection)
            let page = try list.read(query)
            #expect(page.rowCount == 50)
            return connection.statementCount - before
        }
        func cursor(_ city: String, _ age: Int64, _ id: Int64) -> Cursor {
            Cursor(
                signature: signature,
                section: .value(.text(city)),
                row: Cursor.Row(values: [.integer(age), .integer(id)])
            )
        }
        // To begin and ask the version, to limit the time, the rows, to end.
        #expect(try statements() == 4)
        for location in [cursor("c0", 45, 1), cursor("c1", 45, 30_000), cursor("c2", 70, 50_000)] {
            for start in [ListQuery.Start.after(location), .before(location)] {
                query.start = start
                let plan = try list.source.explain(query)
                for line in plan where line.contains("Scan") {
                    #expect(line.contains("Index") && line.contains("by_city"), "\(plan.joined())")
                }
                #expect(!plan.contains { $0.contains("Sort") }, "\(plan)")
                // Where no row stands, one is looked for that has the page for a neighbour.
                #expect(try statements() == 5)
                // However many ranges may follow a row, a page takes what the first one takes.
                let next = try list.read(query).next
                query.start = .after(try #require(next))
                #expect(try statements() == 4)
                let previous = try list.read(query).previous
                query.start = .before(try #require(previous))
                #expect(try statements() == 4)
            }
        }
    }

    @Test("a session that has prepared as much as it may goes on to explain and to read")
    func manyStatements() throws {
        try scratch.run("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
        let list = try PostgresList("t", in: scratch.database)
        let connection = try #require(scratch.database.takeIdle())
        for number in 0..<256 {
            _ = try connection.run("SELECT \(number)", until: .now + .seconds(60))
        }
        scratch.database.giveBack(connection)
        for direction in [SortKey.Direction.ascending, .descending] {
            let query = ListQuery(sort: [SortKey(.id, direction)], shape: .flow(limit: 5))
            #expect(try !list.source.explain(query).isEmpty)
            let page = try list.read(query)
            #expect(page.rowCount == 1)
        }
    }

    @Test("an equal value is found by an index in whatever collation it has")
    func equality() throws {
        try scratch.run(
            """
            CREATE TABLE many (id int PRIMARY KEY, city text COLLATE "POSIX", name text);
            INSERT INTO many SELECT n, 'c' || n, 'n' || n FROM generate_series(1, 5000) n;
            CREATE INDEX by_city ON many (city);
            CREATE INDEX by_name ON many (name COLLATE "C");
            CREATE INDEX by_name_too ON many (name);
            ANALYZE many;
            """
        )
        let list = try PostgresList("many", in: scratch.database)
        for (column, index) in [(0, "by_city"), (1, "by_name_too")] {
            var query = ListQuery(shape: .flow(limit: 5))
            query.filters = [Filter(column: column, .equal, [.text("n4711")])]
            let plan = try list.source.explain(query)
            #expect(plan.contains { $0.contains(index) }, "\(plan.joined())")
        }
        let sorted = ListQuery(sort: [SortKey(.column(1))], shape: .flow(limit: 5))
        #expect(try list.source.explain(sorted).contains { $0.contains("by_name ") })
    }

    @Test("an empty page after the last row, by number or by letter, links back to the last rows")
    func deadEnds() throws {
        try scratch.run(
            """
            CREATE TABLE ends (id int PRIMARY KEY, name text COLLATE "C" NOT NULL);
            INSERT INTO ends SELECT n, chr(64 + n) || n FROM generate_series(1, 9) n;
            """
        )
        let list = try PostgresList("ends", in: scratch.database)
        let isNamed = Filter(column: 0, .startsWith, [.text("B")])
        for start in [ListQuery.Start.offset(50), .letter("Z")] {
            for grouping in [nil, Grouping(column: 0, part: .initial)] {
                for filters in [[], [isNamed]] {
                    for rows in [nil, 2] {
                        let shape: ListQuery.Shape =
                            rows.map { .peek(limit: 3, rows: $0) } ?? .flow(limit: 3)
                        let sort = [SortKey(.column(0))]
                        var query = ListQuery(grouping: grouping, sort: sort, shape: shape)
                        query.filters = filters
                        query.start = start
                        let page = try list.read(query)
                        let (count, previous) = (page.rowCount, page.previous)
                        #expect(count == 0, "\(query)")
                        query.start = .before(try #require(previous, "\(query)"))
                        let last = try list.read(query)
                        let (lastCount, next) = (last.rowCount, last.next)
                        #expect(lastCount > 0 && next == nil, "\(query)")
                    }
                }
            }
        }
    }
}
