import Database
import Listings
import Postgres
import TestSupport
import Testing

@Suite("Tables of PostgreSQL", .needsPostgres)
struct PostgresCatalogTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    @Test("every table and view makes a list, numbered with the reason if nothing identifies rows")
    func lists() throws {
        try scratch.run(
            """
            CREATE TABLE plain (id serial PRIMARY KEY, name text NOT NULL);
            CREATE TABLE "order" ("limit" int, "a__b" text, "Ünï ""q"" x" text,
                PRIMARY KEY ("limit", "a__b"));
            CREATE TABLE tokens (token uuid PRIMARY KEY, made timestamptz);
            CREATE TABLE named (a int, name varchar(20) NOT NULL UNIQUE);
            CREATE TABLE loose (a int UNIQUE, b text);
            CREATE TABLE floats (f double precision PRIMARY KEY);
            CREATE TABLE parts (id int PRIMARY KEY, part int) PARTITION BY RANGE (id);
            CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
            CREATE VIEW plain_view AS SELECT id AS plain_id, name FROM plain;
            CREATE VIEW nameless AS SELECT name FROM plain;
            CREATE VIEW repeated AS SELECT 1 AS id FROM generate_series(1, 2);
            CREATE VIEW broken AS SELECT id / 0 AS id FROM generate_series(1, 2) AS id;
            """
        )
        let catalog = try PostgresCatalog(scratch.database)
        #expect(
            catalog.lists.map(\.name) == [
                "floats", "loose", "named", "nameless", "order", "parts", "plain", "plain_view",
                "repeated", "tokens",
            ]
        )
        let numbered = catalog.lists.filter { $0.numbered != nil }
        let reasons = Dictionary(uniqueKeysWithValues: numbered.map { ($0.name, $0.numbered) })
        #expect(reasons["loose"] == .noKey)
        #expect(reasons["floats"] == .unsuitableKey(column: "f"))
        #expect(reasons["nameless"] == .viewWithoutID)
        #expect(reasons["repeated"] == .ambiguousKey(column: "id"))
        #expect(reasons.count == 4)
        #expect(
            catalog.refusals == [
                TableRefusal(
                    name: "broken",
                    reason: .unreadable(message: "division by zero (22012)")
                )
            ]
        )
        let order = try #require(catalog.lists.first { $0.name == "order" })
        #expect(order.columns.map(\.id) == ["limit_", "a_b", "Ünï \"q\" x"])
        #expect(order.table.key.map(\.name) == ["limit", "a__b"])
        #expect(catalog.lists.first { $0.name == "named" }?.table.key.map(\.name) == ["name"])
    }

    @Test(
        "a view that the planner finds too large to check is a list; equal ids are never passed over"
    )
    func largeView() throws {
        try scratch.run(
            """
            CREATE VIEW codes AS SELECT greatest(n, 3) AS id FROM generate_series(1, 9) AS n;
            """
        )
        let whole = try PostgresCatalog(scratch.database)
        #expect(whole.lists.map(\.numbered) == [.ambiguousKey(column: "id")])
        let unchecked = try PostgresCatalog(scratch.database, cost: 0).lists
        #expect(unchecked.map(\.name) == ["codes"])
        #expect(unchecked.map(\.numbered) == [nil])
    }

    @Test("a table that may not be read is refused, the others are served")
    func permission() throws {
        try scratch.run(
            """
            CREATE TABLE shut (id int PRIMARY KEY);
            CREATE TABLE open (id int PRIMARY KEY);
            INSERT INTO open VALUES (7);
            GRANT USAGE ON SCHEMA \(scratch.name) TO secretive;
            GRANT SELECT ON open TO secretive;
            """
        )
        let database = try PostgresDatabase.patient(
            scratch.cluster.address(user: "secretive:correct%20horse", schema: scratch.name)
        )
        let catalog = try PostgresCatalog(database)
        #expect(catalog.lists.map(\.name) == ["open"])
        #expect(catalog.refusals.map(\.reason) == [.unreadable(message: "permission denied")])
        let list = try PostgresList("open", in: database)
        #expect(try list.walk([], limit: 5) == ["7"])
        // What is taken away later is told as the fault it is.
        try scratch.run("REVOKE SELECT ON open FROM secretive")
        let error = #expect(throws: SourceError.self) { _ = try list.read() }
        guard case .corrupted(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("permission denied for table open"))
    }

    @Test("values of every type become the cells they are, or their text")
    func types() throws {
        try scratch.run(
            """
            CREATE TYPE mood AS ENUM ('sad', 'happy');
            CREATE DOMAIN age AS numeric(3, 0);
            CREATE TABLE t (id bigint PRIMARY KEY, small smallint, price numeric(10, 2), years age,
                exact numeric, single real, double double precision, yes boolean, day date,
                moment timestamptz, local timestamp, key uuid, tags text[], doc jsonb, feeling mood,
                fixed char(4), data bytea, span interval);
            INSERT INTO t VALUES (-9223372036854775808, -3, 12.50, 42, 1234567890.12345678901, 0.1,
                0.1, true, '2024-02-29', '2024-02-29 12:00:00.5+02', '2024-02-29 12:00:00',
                'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '{a,"b c"}', '{"a": [1]}', 'happy', 'ab',
                '\\xdeadbeef', '1 day 2 hours'),
            (9223372036854775807, NULL, NULL, NULL, 'NaN', 'infinity', '-infinity', false,
                'infinity', 'infinity', NULL, NULL, '{}', 'null', 'sad', NULL, NULL, NULL);
            """
        )
        let list = try PostgresList("t", in: scratch.database)
        let types = list.schema.columns.map(\.type)
        #expect(
            types == [
                .integer, .real, .integer, .real, .real, .real, .boolean, .date, .timestamp,
                .timestamp, .text, .json, .json, .text, .text, .bytes, .text,
            ]
        )
        let page = try list.read()
        let ids = (0..<2).map { page.id(ofRow: $0) }
        #expect(ids == ["-9223372036854775808", "9223372036854775807"])
        let values = types.indices.map { page.value(row: 0, column: $0) }
        #expect(
            values == [
                .integer(-3), .natural("12.50"), .integer(42), .natural("1234567890.12345678901"),
                .real(0.1), .real(0.1), .boolean(true), .natural("2024-02-29"),
                .natural("2024-02-29T10:00:00.5Z"), .natural("2024-02-29T12:00:00"),
                .text("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), .json(#"["a","b c"]"#),
                .json(#"{"a":[1]}"#), .text("happy"), .text("ab"), .bytes(ByteValue(count: 4)),
                .text("P1DT2H"),
            ]
        )
        let special = (3..<6).map { page.value(row: 1, column: $0) }
        #expect(special == [.real(.nan), .real(.infinity), .real(-.infinity)])
        // Every column can be walked by, whatever it holds, and every row is found by its id.
        for column in types.indices where list.schema.columns[column].isSortable {
            for direction in [SortKey.Direction.ascending, .descending] {
                let walked = try list.walk([SortKey(.column(column), direction)], limit: 1)
                #expect(walked.sorted() == ids, "\(list.schema.columns[column].id)")
            }
        }
        var row = Page(list: "t", schema: list.schema)
        for id in ids { #expect(try list.reader.readRow(id, grouping: nil, into: &row)) }
        for id in ["", "x", "1.0", "9223372036854775808", "' OR 1=1 --"] {
            #expect(try !list.reader.readRow(id, grouping: nil, into: &row), "\(id)")
        }
    }

    @Test("keys of several columns, of UUIDs and of days are walked and found")
    func keys() throws {
        try scratch.run(
            """
            CREATE TABLE pairs (a int, b text, PRIMARY KEY (a, b));
            INSERT INTO pairs SELECT n / 3, chr(97 + n % 3) || ',%' FROM generate_series(0, 8) n;
            CREATE TABLE tokens (token uuid PRIMARY KEY, n int);
            INSERT INTO tokens SELECT gen_random_uuid(), n FROM generate_series(1, 9) n;
            CREATE TABLE days (day date PRIMARY KEY, n int);
            INSERT INTO days SELECT date '2024-02-25' + n, n FROM generate_series(1, 9) n;
            """
        )
        for name in ["pairs", "tokens", "days"] {
            let list = try PostgresList(name, in: scratch.database)
            let ids = try list.walk([], limit: 2)
            #expect(ids.count == 9)
            #expect(ids == ids.sorted())
            #expect(try list.walk([SortKey(.id, .descending)], limit: 4) == ids.reversed())
            var page = Page(list: name, schema: list.schema)
            for id in ids { #expect(try list.reader.readRow(id, grouping: nil, into: &page)) }
            for id in ["x", "1,2,3", ids[0] + "0"] {
                #expect(try !list.reader.readRow(id, grouping: nil, into: &page), "\(id)")
            }
        }
    }

    @Test("the index of an order is used, at its beginning and behind a cursor")
    func indexes() throws {
        try scratch.run(
            """
            CREATE TABLE many (id int PRIMARY KEY, city text NOT NULL);
            INSERT INTO many SELECT n, 'c' || n % 3 FROM generate_series(1, 3000) n;
            CREATE INDEX by_city ON many (city COLLATE "C", id);
            ANALYZE many;
            """
        )
        let list = try PostgresList("many", in: scratch.database)
        var query = ListQuery(sort: [SortKey(.column(0))], shape: .flow(limit: 5))
        let page = try list.read(query)
        let next = page.next
        for start in [ListQuery.Start.beginning, .after(try #require(next))] {
            query.start = start
            let plan = try list.source.explain(query)
            #expect(plan.contains { $0.contains("by_city") }, "\(plan)")
            #expect(!plan.contains { $0.contains("Sort") }, "\(plan)")
        }
        #expect(page.total == Count(3000))
    }

    @Test("no password is ever shown")
    func masking() throws {
        for (text, masked) in [
            ("postgres://u:secret@h:5432/db?x=1", "postgres://u@h:5432/db"),
            ("postgresql://h/db?password=secret", "postgresql://h/db"),
            ("postgres://u:a@secret@h/db", "postgres://u@h/db"),
            ("postgres://u:a/secret@h/db", "postgres://…"),
            ("postgres://u:a?secret@h/db", "postgres://…"), ("postgres:///db", "postgres:///db"),
        ] {
            #expect(try #require(PostgresAddress(text)).masked == masked)
            #expect(try #require(PostgresAddress(text)).description == masked)
        }
        for (text, isAmbiguous) in [
            ("postgres://u:a/b@h/db", true), ("postgres://u:a?b@h/db", true),
            ("postgres://u:a/b?c=d@h/db", false), ("postgres:///db?user=a@b", false),
            ("postgres://u:a@b@h/db", false), ("postgres://u@h/db", false),
        ] {
            #expect(try #require(PostgresAddress(text)).isAmbiguous == isAmbiguous, "\(text)")
        }
        #expect(PostgresAddress("https://example.org") == nil)
        #expect(PostgresAddress("postgres://h/a\0b") == nil)
    }
}
