import Database
import Listings
import Postgres
import TestSupport
import Testing

@Suite("Keys and schemas of PostgreSQL", .needsPostgres)
struct PostgresKeylessTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    private func expectWhole(_ name: String, _ count: Int) throws -> [String] {
        let list = try PostgresList(name, in: scratch.database)
        let ids = try list.walk([], limit: 3)
        #expect(ids.count == count, "\(name)")
        #expect(Set(ids).count == count, "\(name)")
        #expect(try list.walk([], limit: 50) == ids, "\(name)")
        #expect(try list.walk([SortKey(.id, .descending)], limit: 4) == ids.reversed(), "\(name)")
        var query = ListQuery(shape: .flow(limit: 5))
        var page = Page(list: name, schema: list.schema)
        for id in ids {
            #expect(try list.reader.readRow(id, grouping: nil, into: &page), "\(name) \(id)")
            query.filters = [Filter(id: .equal, [id])]
            let found = try list.read(query)
            let rows = (0..<found.rowCount).map { found.id(ofRow: $0) }
            #expect(rows == [id], "\(name)")
        }
        return ids
    }

    @Test("tables without a key show the places of their rows, views count them")
    func numbered() throws {
        try scratch.run(
            """
            CREATE TABLE loose (a text, b int);
            INSERT INTO loose SELECT 'a' || n % 3, n % 2 FROM generate_series(1, 20) n;
            CREATE TABLE mother (a int);
            CREATE TABLE daughter (b int) INHERITS (mother);
            INSERT INTO mother SELECT n FROM generate_series(1, 5) n;
            INSERT INTO daughter SELECT n, n FROM generate_series(1, 5) n;
            CREATE TABLE parts (a int, b json) PARTITION BY RANGE (a);
            CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
            CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20);
            INSERT INTO parts SELECT n, '{}' FROM generate_series(1, 19) n;
            CREATE VIEW same AS SELECT a, b FROM loose ORDER BY b DESC;
            CREATE MATERIALIZED VIEW kept AS SELECT b, count(*) AS n FROM loose GROUP BY b;
            CREATE MATERIALIZED VIEW keyed AS SELECT n, n * n AS square FROM generate_series(1, 9) n;
            CREATE UNIQUE INDEX ON keyed (n);
            CREATE MATERIALIZED VIEW gaps AS SELECT nullif(n, 3) AS n FROM generate_series(1, 9) n;
            CREATE UNIQUE INDEX ON gaps (n);
            """
        )
        #expect(try expectWhole("loose", 20).first == "(0,1)")
        #expect(try expectWhole("mother", 10).first == "1")
        #expect(try expectWhole("parts", 19).first == "1")
        #expect(try expectWhole("same", 20).first == "1")
        #expect(try expectWhole("kept", 2).first == "(0,1)")
        #expect(try expectWhole("keyed", 9).last == "9")
        #expect(try expectWhole("gaps", 9).first == "(0,1)")
        let catalog = try PostgresCatalog(scratch.database)
        #expect(catalog.facts.isEmpty)
        let list = try PostgresList("loose", in: scratch.database)
        var page = Page(list: "loose", schema: list.schema)
        for id in ["", "1", "(0,01)", "(0,1", "(0,99999)", "(0,200)", "0,1"] {
            #expect(try !list.reader.readRow(id, grouping: nil, into: &page), "\(id)")
        }
    }

    @Test("ids of every type of key are their texts, and the index of the key finds them")
    func keyTypes() throws {
        try scratch.run(
            """
            CREATE TYPE "the ""mood" AS ENUM ('sad', 'glad', 'A b');
            CREATE DOMAIN feeling AS "the ""mood";
            CREATE TABLE moods (k "the ""mood" PRIMARY KEY, n int);
            INSERT INTO moods VALUES ('A b', 1), ('sad', 2), ('glad', 3);
            CREATE TABLE feelings (k feeling, n numeric(6, 2), PRIMARY KEY (k, n));
            INSERT INTO feelings SELECT 'glad', n * 1.5 FROM generate_series(1, 9) n;
            CREATE TABLE prices (k numeric PRIMARY KEY);
            INSERT INTO prices VALUES (1.50), (-2), (12345678901234567890.5), ('NaN'), (0.000);
            CREATE TABLE wholes (k numeric(12) PRIMARY KEY);
            INSERT INTO wholes VALUES (7), (-3), (12);
            CREATE TABLE flags (k boolean PRIMARY KEY);
            INSERT INTO flags VALUES (true), (false);
            CREATE TABLE codes (k char(5) PRIMARY KEY);
            INSERT INTO codes VALUES ('ab'), ('abcde'), (''), ('é');
            CREATE TABLE moments (k timestamptz PRIMARY KEY);
            INSERT INTO moments VALUES ('2024-03-31 02:30:00.5+02'), ('2024-03-31 02:30+02'),
                ('infinity'), ('0044-03-15 12:00:00+00 BC');
            CREATE TABLE local_times (k timestamp PRIMARY KEY);
            INSERT INTO local_times VALUES ('2024-03-31 02:30:00'), ('2024-03-31');
            """
        )
        #expect(try expectWhole("moods", 3) == ["sad", "glad", "A b"])
        #expect(try expectWhole("feelings", 9).prefix(2) == ["glad,1.50", "glad,3.00"])
        #expect(
            try expectWhole("prices", 5) == [
                "-2", "0.000", "1.50", "12345678901234567890.5", "NaN",
            ]
        )
        #expect(try expectWhole("wholes", 3) == ["-3", "7", "12"])
        #expect(try expectWhole("flags", 2) == ["false", "true"])
        #expect(try Set(expectWhole("codes", 4)) == ["", "ab", "abcde", "é"])
        #expect(
            try expectWhole("moments", 4) == [
                "0044-03-15 12:00:00+00 BC", "2024-03-31T00:30:00Z", "2024-03-31T00:30:00.5Z",
                "infinity",
            ]
        )
        #expect(
            try expectWhole("local_times", 2) == ["2024-03-31T00:00:00", "2024-03-31T02:30:00"]
        )
        for (name, ids) in [
            ("moods", ["", "Sad", "gone", "a b"]), ("prices", ["1.5", "0", "x", "+1.50", "1e3"]),
            ("flags", ["t", "TRUE", "1", ""]), ("codes", ["ab ", "abcdef", "AB"]),
            (
                "moments",
                ["2024-03-31", "x", "2024-03-31T00:30:00+00", "2024-03-31T02:30:00+02:00"]
            ),
            ("wholes", ["7.0", "07", "x"]),
        ] {
            let list = try PostgresList(name, in: scratch.database)
            var page = Page(list: name, schema: list.schema)
            var query = ListQuery(shape: .flow(limit: 5))
            for id in ids {
                #expect(try !list.reader.readRow(id, grouping: nil, into: &page), "\(name) \(id)")
                query.filters = [Filter(id: .equal, [id])]
                let found = try list.read(query)
                let rows = (0..<found.rowCount).map { found.id(ofRow: $0) }
                #expect(!rows.contains { $0 != id }, "\(name) \(id)")
            }
        }
        try scratch.run(
            """
            INSERT INTO codes SELECT n FROM generate_series(1, 3000) n; ANALYZE codes;
            CREATE TYPE wide AS ENUM (\((0..<500).map { "'v\($0)'" }.joined(separator: ",")));
            CREATE TABLE wides (k wide PRIMARY KEY, filler text);
            INSERT INTO wides SELECT k, repeat('x', 500) FROM unnest(enum_range(NULL::wide)) k;
            ANALYZE wides;
            """
        )
        for name in ["codes", "wides"] {
            let list = try PostgresList(name, in: scratch.database)
            var query = ListQuery(shape: .flow(limit: 5))
            let next = try list.read(query).next
            for start in [ListQuery.Start.beginning, .after(try #require(next))] {
                query.start = start
                let plan = try list.source.explain(query)
                #expect(plan.contains { $0.contains("_pkey") }, "\(plan)")
                #expect(!plan.contains { $0.contains("Sort") }, "\(plan)")
            }
        }
    }

    @Test("a key of a setting is checked, and permits writes only if a constraint supports it")
    func chosenKeys() throws {
        try scratch.run(
            """
            CREATE TABLE loose (a int NOT NULL, b text, c float8);
            INSERT INTO loose VALUES (1, 'x', 1), (1, 'y', 2), (2, 'x', 3), (3, NULL, 4);
            CREATE TABLE twice (id int PRIMARY KEY, code text NOT NULL UNIQUE);
            INSERT INTO twice VALUES (1, 'b'), (2, 'a');
            CREATE VIEW seen AS SELECT code, id FROM twice;
            """
        )
        func catalog(_ keys: [String: [String]]) throws -> PostgresCatalog {
            try PostgresCatalog(scratch.database, selection: TableSelection(keys: keys))
        }
        let good = try catalog(["twice": ["CODE"], "seen": ["id"]])
        #expect(good.lists.first { $0.name == "twice" }?.table.key.map(\.name) == ["code"])
        #expect(good.lists.first { $0.name == "seen" }?.numbered == nil)
        #expect(good.facts.keys.sorted() == ["twice"])
        for (key, reason) in [
            (["a"], TableRefusal.Reason.ambiguousKey(column: "a")),
            (["a", "b"], .ambiguousKey(column: "a,b")), (["c"], .unsuitableKey(column: "c")),
            (["d"], .unknownKey(column: "d", columns: ["a", "b", "c"])),
        ] {
            #expect(
                try catalog(["loose": key]).refusals == [
                    TableRefusal(name: "loose", reason: reason)
                ]
            )
        }
        try scratch.run("DELETE FROM loose WHERE b IS NULL")
        let pair = try catalog(["loose": ["a", "b"]])
        #expect(pair.lists.first { $0.name == "loose" }?.numbered == nil)
        #expect(pair.facts["loose"] == nil)
    }

    @Test("tables outside the first schema are named with theirs")
    func schemas() throws {
        let (cluster, name) = (scratch.cluster, scratch.name)
        let other = name + "_b"
        try scratch.run(
            """
            CREATE TABLE people (id int PRIMARY KEY);
            INSERT INTO people VALUES (1);
            CREATE SCHEMA \(other);
            CREATE TABLE \(other).people (id int PRIMARY KEY);
            CREATE TABLE \(other)."a/b" (id int PRIMARY KEY);
            INSERT INTO \(other).people VALUES (2), (3);
            """
        )
        let both = try PostgresDatabase.patient(cluster.address(schema: "\(name),\(other)"))
        #expect(
            try PostgresCatalog(both).lists.map(\.name) == [
                "people", "\(other).a-b", "\(other).people",
            ]
        )
        #expect(try PostgresList("people", in: both).walk([], limit: 1) == ["1"])
        #expect(try PostgresList("\(other).people", in: both).walk([], limit: 1) == ["2", "3"])
        // A search path of the address limits the schemas, the server's default does not.
        #expect(try PostgresCatalog(scratch.database).lists.map(\.name) == ["people"])
        let all = try PostgresDatabase.patient(cluster.address())
        let selection = TableSelection(only: ["\(name).people", "\(other).people"])
        #expect(
            try PostgresCatalog(all, selection: selection).lists.map(\.name) == [
                "\(name).people", "\(other).people",
            ]
        )
    }
}
