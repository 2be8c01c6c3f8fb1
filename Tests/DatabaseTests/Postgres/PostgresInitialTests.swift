import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite("First letters in PostgreSQL", .needsPostgres)
struct PostgresInitialTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    /// A database whose locale knows of no letters but those of ASCII.
    private func database() throws -> PostgresDatabase {
        let name = "d\(scratch.name)"
        try scratch.cluster.run(
            "CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'"
        )
        return try .patient(scratch.cluster.address(database: name))
    }

    @Test("they are those of every other engine, whatever the character and the locale")
    func characters() throws {
        for database in [scratch.database, try database()] {
            let connection = try database.connect()
            for start in stride(from: UInt32(2), to: 0x3_3000, by: 0x1000) {
                let scalars = (start..<start + 0x1000).compactMap(Unicode.Scalar.init)
                // Every character by itself, and behind a mark.
                let texts = scalars.flatMap { ["\($0)x", "\u{301}\($0)"] }
                let found = try connection.run(
                    """
                    SELECT string_agg(\(FirstLetterSQL.expression("t")), E'\\x01' ORDER BY n)
                    FROM unnest(string_to_array($1, E'\\x01')) WITH ORDINALITY AS texts(t, n)
                    """,
                    [texts.joined(separator: "\u{1}")],
                    until: .now + .seconds(60)
                )
                let initials = (found.text(0, 0) ?? "").utf8.split(separator: 1).map(Array.init)
                let expected = texts.map { Array(TextCollation.initial(of: $0).utf8) }
                #expect(initials == expected, "from U+\(String(start, radix: 16))")
            }
        }
    }

    @Test("sections of them are made in every locale and collation, and so is all else")
    func collations() throws {
        let collation =
            "COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
        let rows =
            "(1, 'Oslo'), (2, 'oslo'), (3, '東京'), (4, 'שלום'), (5, 'Ёж'), (6, NULL), (7, '9')"
        let database = try database()
        let connection = try database.connect()
        try connection.execute(
            """
            CREATE \(collation);
            CREATE TABLE t (id int PRIMARY KEY, plain text, name text COLLATE ci);
            INSERT INTO t (id, plain) VALUES \(rows); UPDATE t SET name = plain
            """,
            until: .now + .seconds(60)
        )
        let list = try PostgresList("t", in: database)
        for column in 0...1 {
            var query = ListQuery(
                grouping: Grouping(column: column, part: .initial),
                shape: .flow(limit: 50)
            )
            var page = try list.read(query)
            let keys = page.sections.compactMap { section -> String? in
                guard case .value(let key) = section.info.key else { return nil }
                return key.plainText + "\(section.rows.count)"
            }
            #expect(keys == ["#1", "O2", "Е1", "ש1", "東1", "1"])
            query.grouping = Grouping(column: column)
            query.sort = [SortKey(.column(column))]
            page = try list.read(query)
            #expect(page.rowCount == 7)
            for (operation, operand, expected) in [
                (Filter.Operator.contains, "SL", ["1", "2"]), (.startsWith, "еж", ["5"]),
                (.endsWith, "京", ["3"]), (.equal, "oslo", ["2"]), (.less, "P", ["1", "7"]),
                (.among, "Oslo", ["1"]), (.notEqual, "oslo", ["1", "3", "4", "5", "6", "7"]),
            ] {
                var query = ListQuery(shape: .flow(limit: 50))
                query.filters = [Filter(column: column, operation, [.text(operand)])]
                query.facets = [column]
                let page = try list.read(query)
                #expect((0..<page.rowCount).map { page.id(ofRow: $0) } == expected, "\(operation)")
            }
            var search = ListQuery(shape: .flow(limit: 50))
            search.search = TextSearch("osl")
            let found = try list.read(search)
            #expect(found.rowCount == 2)
        }
    }
}
