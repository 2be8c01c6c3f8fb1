import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Conditions on the ids of tables")
struct IdentityConditionTests {
    private let folder = TemporaryFolder()

    /// Tables of every kind of key, some of which engines compare in their own way.
    static let tables = [
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (7, 1), (-1, 2), (70, 3)",
        """
        CREATE TABLE t (id TEXT PRIMARY KEY COLLATE NOCASE, a);
        INSERT INTO t VALUES ('Ada', 1), ('07', 2), ('7', 3), ('a,b', 4), ('''"', 5)
        """,
        """
        CREATE TABLE t (part INTEGER, key TEXT, a, PRIMARY KEY (part, key)) WITHOUT ROWID;
        INSERT INTO t VALUES (1, 'a,b', 1), (1, 'a%', 2), (2, '', 3), (2, '7', 4)
        """,
        "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3), (7)",
        // Texts that begin like the keys of cursors, of which nothing is read here.
        """
        CREATE TABLE t (id TEXT PRIMARY KEY, a);
        INSERT INTO t VALUES ('\u{10FFFF}b00', 1), ('\u{10FFFF}t00', 2), ('\u{10FFFF}r', 3)
        """,
    ]

    private func list(_ table: String) throws -> TableSource {
        let path = folder.path + "/t.sqlite"
        try DatabaseConnection(.file(path), access: .readWrite).execute(table)
        let list = try #require(try ForeignCatalog(.file(path)).lists.first)
        var registry = ControllerRegistry()
        return TableSource(
            location: .file(path),
            table: list.table,
            schema: try ListSchema(columns: list.columns, idType: list.table.idType),
            registration: try registry.register(
                RecordController(list: list.name, columns: list.columns)
            )
        )
    }

    @Test("every row is found by its id and left out by it, by the key's index", arguments: tables)
    func foreign(table: String) throws {
        let source = try list(table)
        let reader = try source.makeReader()
        var page = Page(list: "t", schema: source.schema)
        func ids(_ filters: [Filter]) throws -> [String] {
            var query = ListQuery(shape: .flow(limit: 50))
            query.filters = filters
            try reader.read(query, into: &page)
            return (0..<page.rowCount).map { page.id(ofRow: $0) }
        }
        let all = try ids([])
        #expect(all.count >= 3)
        for id in all {
            let found = try ids([Filter(id: .equal, [id])])
            let others = try ids([Filter(id: .notEqual, [id])])
            #expect(found == [id])
            #expect(others == all.filter { $0 != id })
            var query = ListQuery(shape: .flow(limit: 5))
            query.filters = [Filter(id: .equal, [id])]
            let plan = try source.explain(query)
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
        }
        let strange = [
            "ADA", " 7", "7.0", "0x7", "1,a", "1,a%2C", "1,A%25", "~", "9223372036854775808",
        ]
        let few = Array(all.prefix(2)) + strange.filter { !all.contains($0) }
        let found = try ids([Filter(id: .among, few)])
        let others = try ids([Filter(id: .notAmong, few)])
        let second = try ids([Filter(id: .among, few.reversed()), Filter(id: .notEqual, [all[0]])])
        #expect(found == Array(all.prefix(2)))
        #expect(others == Array(all.dropFirst(2)))
        #expect(second == [all[1]])
    }
}
