import Database
import Listings
import TestSupport
import Testing

@testable import SQLite

@Suite("Indexes of another version")
struct RenewedIndexTests {
    private let folder = TemporaryFolder()

    /// A list whose indexes are those of a version that knew other rules of texts.
    private func list() throws -> ListFixture {
        var random = SeededGenerator(seed: 1)
        var list = try ListFixture(.stored, rows: 0, idType: .integer, using: &random, in: folder)
        for name in ["Йод", "Иван", "東京都", "Ada"] { try list.insert(name: name, using: &random) }
        let writer = list.writer
        try writer.registerCollation(TextRules.formerCollation)
        let found = try writer.prepare(
            "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'people' AND sql IS NOT NULL"
        )
        var changes: [String] = []
        while try found.step() {
            let (type, name, sql) = (found.text(0), found.text(1), found.text(2))
            if type == "index" {
                changes += ["DROP INDEX \"\(name)\"", sql.replacing("roster2", with: "roster")]
            } else if type == "trigger" {
                let former = sql.replacing("words2", with: "words")
                changes += ["DROP TRIGGER \"\(name)\"", former]
            }
        }
        found.reset()
        // The words are those of the former rules: a run is one word.
        changes.append(
            """
            DROP TABLE roster_people_words2;
            CREATE VIRTUAL TABLE roster_people_words USING fts5(c0, c1, content='');
            INSERT INTO roster_people_words (rowid, c0, c1) SELECT id, name, city FROM people
            """
        )
        for change in changes { try writer.execute(change) }
        return list
    }

    private func table(_ list: ListFixture, wordIndex: String?) throws -> TableDescription {
        try #require(
            TableDescription(
                list: "people",
                table: "people",
                idType: .integer,
                columns: ListFixture.columns,
                wordIndex: wordIndex
            )
        )
    }

    /// The names that a query finds, read by a connection of its own.
    private func names(
        _ list: ListFixture,
        q: String?,
        _ table: TableDescription
    ) throws -> [String] {
        var query = ListQuery(sort: [SortKey(.column(0))], shape: .flow(limit: 10))
        query.search = q.flatMap(TextSearch.init)
        var registry = ControllerRegistry()
        let source = TableSource(
            location: list.writer.location,
            table: table,
            schema: list.schema,
            registration: try registry.register(
                RecordController(list: "people", columns: list.schema.columns)
            )
        )
        let sorts = try source.explain(query).contains { $0.contains("TEMP B-TREE") }
        #expect(sorts == (q != nil || table.wordIndex == nil))
        var page = Page(list: "people", schema: list.schema)
        try source.makeReader().read(query, into: &page)
        return (0..<page.rowCount).map { page.value(row: $0, column: 0).plainText }
    }

    @Test("who only reads does without them, and who writes makes them anew, once")
    func renewal() throws {
        let list = try list()
        let former = try table(list, wordIndex: nil)
        let order = ["Ada", "Иван", "Йод", "東京都"]
        #expect(try names(list, q: nil, former) == order)
        #expect(try names(list, q: "京都", former) == ["東京都"])

        let writer = try DatabaseConnection(list.writer.location, access: .readWrite)
        let version = try ListCatalog.version(of: "people", in: writer)
        var renewals = 0
        for _ in 0..<2 {
            try TableIndexes.renew(for: former, schema: list.schema, on: writer) { renewals += 1 }
        }
        #expect(renewals == 1)
        let renewed = try ListCatalog.version(of: "people", in: writer)
        #expect(renewed?.counter == version.map { $0.counter + 1 })
        let left = try writer.prepare(
            """
            SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%COLLATE roster %'
                OR sql LIKE '%COLLATE roster,%' OR name LIKE 'roster\\_people\\_words\\_%' ESCAPE '\\'
            """
        )
        #expect(try left.step() && left.integer(0) == 0)
        left.reset()

        let table = try table(list, wordIndex: "roster_people_words2")
        #expect(try names(list, q: nil, table) == order)
        #expect(try names(list, q: "京都", table) == ["東京都"])
        try writer.execute("UPDATE people SET name = '港区役所' WHERE name = 'Ada'")
        #expect(try names(list, q: "区役", table) == ["港区役所"])
        #expect(try names(list, q: "ada", table) == [])
    }
}
