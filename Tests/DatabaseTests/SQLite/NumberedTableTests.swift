import Database
import Foundation
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Tables of SQLite without a key")
struct NumberedTableTests {
    private let folder = TemporaryFolder()

    private func catalog(
        _ sql: String,
        _ selection: TableSelection = TableSelection()
    ) throws -> ForeignCatalog {
        let writer = try DatabaseConnection(folder.file("their.db"), access: .readWrite)
        try writer.execute(sql)
        return try ForeignCatalog(folder.file("their.db"), selection: selection)
    }

    private func walk(
        _ list: ForeignCatalog.List,
        _ query: ListQuery
    ) throws -> [(id: String, value: CellValue)] {
        let (source, schema) = try list.source(in: folder.file("their.db"))
        let reader = try source.makeReader()
        var page = Page(list: list.name, schema: schema)
        var query = query
        var found: [(id: String, value: CellValue)] = []
        for _ in 0..<1000 {
            try reader.read(query, into: &page)
            for row in 0..<page.rowCount {
                found.append((page.id(ofRow: row), page.value(row: row, column: 0)))
            }
            guard let next = page.next else { break }
            query.start = .after(next)
        }
        return found
    }

    @Test("pages of a view follow its own order, and every query gives a row the same number")
    func ownOrder() throws {
        let catalog = try catalog(
            """
            CREATE TABLE t (a INTEGER, b TEXT, c TEXT);
            CREATE INDEX by_b ON t (b);
            CREATE INDEX by_cb ON t (c, b);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                INSERT INTO t SELECT i, 'b' || i % 7, 'c' || i % 3 FROM n;
            CREATE VIEW ordered AS SELECT a, b, c FROM t ORDER BY a DESC;
            CREATE VIEW plain AS SELECT a, b, c FROM t;
            CREATE VIEW grouped AS SELECT b, count(*) AS n FROM t GROUP BY b;
            CREATE VIEW joined AS SELECT l.a, r.b FROM t l JOIN t r USING (b) WHERE l.a < 20;
            CREATE VIEW merged AS SELECT b FROM t UNION ALL SELECT c FROM t;
            ANALYZE;
            """
        )
        var random = SeededGenerator(seed: 11)
        for list in catalog.lists where list.numbered != nil {
            let all = try walk(list, ListQuery(shape: .flow(limit: 500)))
            let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.value) })
            #expect(all.map(\.id) == (1...all.count).map(String.init), "\(list.name)")
            for _ in 0..<8 {
                let column = list.columns.indices.randomElement(using: &random) ?? 0
                var query = ListQuery(shape: .flow(limit: Int.random(in: 20...99, using: &random)))
                if Bool.random(using: &random) {
                    query.sort = [SortKey(.column(column), random.pick([.ascending, .descending]))]
                }
                if Bool.random(using: &random), list.columns[column].type == .text {
                    query.filters = [Filter(column: column, .equal, [.text("b3")])]
                }
                let found = try walk(list, query)
                #expect(Set(found.map(\.id)).count == found.count, "\(list.name) \(query)")
                if query.filters.isEmpty { #expect(found.count == all.count) }
                for (id, value) in found { #expect(byNumber[id] == value, "\(list.name) \(id)") }
            }
        }
        let ordered = try #require(catalog.lists.first { $0.name == "ordered" })
        let first = try walk(ordered, ListQuery(shape: .flow(limit: 7))).map(\.value)
        #expect(first == (1...500).reversed().map { .integer($0) })
    }

    @Test("a key of a setting replaces the numbers, or is refused with the reason")
    func chosenKeys() throws {
        let sql = """
            CREATE TABLE t (a INTEGER, b TEXT, c REAL, d TEXT);
            INSERT INTO t VALUES (1, 'x', 1.5, NULL), (1, 'y', 2.5, 'd'), (2, 'x', 3.5, 'e');
            CREATE VIEW v AS SELECT * FROM t;
            """
        let keys = ["t": ["A", "b"], "v": ["b", "a"]]
        let lists = try catalog(sql, TableSelection(keys: keys)).lists
        let query = ListQuery(shape: .flow(limit: 1))
        #expect(try walk(lists[0], query).map(\.id) == ["1,x", "1,y", "2,x"])
        #expect(try walk(lists[1], query).map(\.id) == ["x,1", "x,2", "y,1"])
        for (key, reason) in [
            (["a"], TableRefusal.Reason.ambiguousKey(column: "a")),
            (["d"], .ambiguousKey(column: "d")), (["c"], .unsuitableKey(column: "c")),
            (["q"], .unknownKey(column: "q", columns: ["a", "b", "c", "d"])),
        ] {
            let catalog = try ForeignCatalog(
                folder.file("their.db"),
                selection: TableSelection(only: ["v"], keys: ["v": key])
            )
            #expect(catalog.refusals == [TableRefusal(name: "v", reason: reason)])
        }
    }

    @Test("indexes and metadata are hidden unless they are named")
    func internals() throws {
        let catalog = try catalog(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT);
            CREATE VIRTUAL TABLE "found notes" USING fts5(body, content='notes');
            CREATE VIRTUAL TABLE old USING fts4(body);
            CREATE VIRTUAL TABLE places USING rtree(id, low, high);
            CREATE TABLE old_content2 (id INTEGER PRIMARY KEY);
            CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY);
            CREATE TABLE gpkg_extensions (name TEXT);
            CREATE TABLE spatialite_history (event TEXT);
            CREATE TABLE geometry_columns (name TEXT);
            """
        )
        #expect(catalog.lists.map(\.name) == ["notes", "old_content2", "places"])
        let named = try ForeignCatalog(
            folder.file("their.db"),
            selection: TableSelection(table: "gpkg_contents", name: "contents")
        )
        #expect(named.lists.map(\.name) == ["contents"])
        #expect(named.lists.map(\.table.name) == ["gpkg_contents"])
    }
}
