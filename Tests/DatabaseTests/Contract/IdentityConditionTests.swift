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

    private static let postgresTables = [
        "id int PRIMARY KEY); INSERT INTO t VALUES (7), (-1), (70)",
        "id text COLLATE \"C\" PRIMARY KEY); INSERT INTO t VALUES ('a'), ('A'), ('07')",
        "a int, b text, PRIMARY KEY (a, b)); INSERT INTO t VALUES (1, 'a,b'), (1, '%'), (2, '')",
        "id uuid PRIMARY KEY); INSERT INTO t SELECT gen_random_uuid() FROM generate_series(1, 3)",
        "id date PRIMARY KEY); INSERT INTO t VALUES ('2024-02-29'), ('1999-01-01'), ('2000-01-01')",
    ].map { "CREATE TABLE t (\($0)" }

    @Test(
        "every row of PostgreSQL is found by its id and left out by it",
        .needsPostgres,
        arguments: postgresTables
    )
    func postgres(table: String) throws {
        let scratch = try ScratchSchema()
        try scratch.run(table)
        try expectFound(PostgresList("t", in: scratch.database, showsIDs: true).source)
    }

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
        for id in try expectFound(source) {
            var query = ListQuery(shape: .flow(limit: 5))
            query.filters = [Filter(id: .equal, [id])]
            let plan = try source.explain(query)
            #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
        }
    }

    @discardableResult
    private func expectFound(_ source: TableSource) throws -> [String] {
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
            #expect(try ids([Filter(id: .equal, [id])]) == [id])
            #expect(try ids([Filter(id: .notEqual, [id])]) == all.filter { $0 != id })
        }
        let strange = [
            "ADA", " 7", "7.0", "0x7", "1,a", "1,a%2C", "1,A%25", "~", "9223372036854775808", "x",
            "x,x", "a\0b", all[0].uppercased(),
        ]
        let few = Array(all.prefix(2)) + strange.filter { !all.contains($0) }
        #expect(try ids([Filter(id: .among, few)]) == Array(all.prefix(2)))
        #expect(try ids([Filter(id: .notAmong, few)]) == Array(all.dropFirst(2)))
        let both = [Filter(id: .among, few.reversed()), Filter(id: .notEqual, [all[0]])]
        #expect(try ids(both) == [all[1]])
        return all
    }
}
