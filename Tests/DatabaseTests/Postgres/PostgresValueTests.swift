import Bytes
import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite("Values of PostgreSQL", .needsPostgres)
struct PostgresValueTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    private func found(
        _ list: PostgresList,
        _ name: String,
        _ operation: Filter.Operator,
        _ text: String
    ) throws -> [String] {
        let position = try #require(list.schema.index(of: name))
        let column = list.schema.columns[position]
        let operand = try #require(
            operation == .identical ? column.value(named: text) : column.operand(for: text),
            "\(name) \(operation) \(text)"
        )
        var query = ListQuery(shape: .flow(limit: 50))
        query.filters = [Filter(column: position, operation, [operand])]
        let page = try list.read(query)
        return (0..<page.rowCount).map { page.id(ofRow: $0) }
    }

    private func expectReachable(_ list: PostgresList, alike: Set<String> = []) throws {
        let page = try list.read()
        for (position, column) in list.schema.columns.enumerated() where column.isSortable {
            let ids = try list.walk([SortKey(.column(position))], limit: 1)
            #expect(ids.count == page.rowCount, "\(column.id)")
            for row in 0..<page.rowCount {
                let value = page.value(row: row, column: position)
                guard !value.isNull, !alike.contains(column.id) else { continue }
                let ids = try found(list, column.id, .identical, column.name(of: value))
                #expect(ids == [page.id(ofRow: row)], "\(column.id) \(value)")
            }
        }
    }

    @Test("numbers are exact and compared by value, whatever their size")
    func numbers() throws {
        try scratch.run(
            """
            CREATE TABLE n (id int PRIMARY KEY, price numeric(18, 2), whole numeric(20, 0),
                big bigint, real double precision, cash money);
            INSERT INTO n VALUES
                (1, 99999999999999.99, 18446744073709551616, 9223372036854775807, 'NaN', '$5.00'),
                (2, 99999999999999.98, -18446744073709551616, -5, 'Infinity', '$1,000.50'),
                (3, 'NaN', 'NaN', 0, '-Infinity', '-$3.00');
            """
        )
        let list = try PostgresList("n", in: scratch.database)
        let page = try list.read()
        #expect(page.value(row: 0, column: 0).plainText == "99999999999999.99")
        #expect(page.value(row: 0, column: 1).plainText == "18446744073709551616")
        #expect(page.value(row: 1, column: 4).plainText == "$1,000.50")
        #expect(try found(list, "price", .equal, "99999999999999.99") == ["1"])
        #expect(try found(list, "price", .greater, "99999999999999.985") == ["1", "3"])
        #expect(try found(list, "price", .equal, "NaN") == ["3"])
        #expect(try found(list, "whole", .equal, "18446744073709551616.0") == ["1"])
        #expect(try found(list, "whole", .less, "NaN") == ["1", "2"])
        #expect(try list.walk([SortKey(.column(0))], limit: 1) == ["2", "1", "3"])
        let huge = "18446744073709551616"
        #expect(try found(list, "big", .equal, huge) == [])
        #expect(try found(list, "big", .notEqual, huge) == ["1", "2", "3"])
        #expect(try found(list, "big", .less, huge) == ["1", "2", "3"])
        #expect(try found(list, "big", .atLeast, huge) == [])
        #expect(try found(list, "big", .greater, "-" + huge) == ["1", "2", "3"])
        #expect(try found(list, "big", .equal, "-05") == ["2"])
        #expect(try found(list, "price", .identical, "~t:x") == [])
        #expect(try found(list, "big", .identical, "~n:NaN") == [])
        #expect(try found(list, "real", .identical, "~t:x") == [])
        try scratch.run(
            "ALTER TABLE n ADD long numeric; UPDATE n SET long = 10 ^ 1200.0 WHERE id = 2"
        )
        try expectReachable(try PostgresList("n", in: scratch.database))
        let past = "1" + String(repeating: "0", count: 400)
        #expect(try found(list, "real", .less, past) == ["3"])
        #expect(try found(list, "real", .greater, past) == ["1", "2"])
        #expect(try found(list, "real", .equal, past) == [])
        #expect(try found(list, "real", .equal, "-Infinity") == ["3"])
        try expectReachable(list)
    }

    @Test("times are found by every form of ISO 8601, in any time zone of the role")
    func times() throws {
        try scratch.run(
            """
            CREATE TABLE t (id int PRIMARY KEY, at timestamptz, local timestamp, day date);
            CREATE INDEX t_at ON t (at);
            INSERT INTO t VALUES
                (1, '2024-03-12 02:30:00.123457Z', '2024-03-12 02:30:00.123457', '2024-03-12'),
                (2, '2024-02-29 23:59:59Z', '2024-02-29 23:59:59', '2024-02-29'),
                (3, '9999-12-31 23:59:59Z', '9999-12-31 23:59:59', '9999-12-31'),
                (4, '10000-02-29 00:00:00Z', '10000-02-28 00:00:00', '10000-02-28'),
                (5, '0044-03-15 12:00:00Z BC', '0044-03-15 12:00:00 BC', '0044-03-15 BC'),
                (6, 'infinity', 'infinity', 'infinity'),
                (7, '-infinity', '-infinity', '-infinity');
            UPDATE t SET at = '10000-02-28 00:00:00Z' WHERE id = 4;
            """
        )
        let list = try PostgresList("t", in: scratch.database)
        for name in ["at", "local", "day"] {
            #expect(try found(list, name, .equal, "2024") == ["1", "2"])
            #expect(try found(list, name, .equal, "2024-02") == ["2"])
            #expect(try found(list, name, .equal, "2024-03-12") == ["1"])
            #expect(try found(list, name, .equal, "9999") == ["3"])
            #expect(try found(list, name, .equal, "9999-12") == ["3"])
            #expect(try found(list, name, .greater, "2024") == ["3", "4", "6"])
            #expect(try found(list, name, .less, "0001") == ["5", "7"])
            let column = list.schema.columns[try #require(list.schema.index(of: name))]
            #expect(column.operand(for: "yesterday") == nil)
            let position = try #require(list.schema.index(of: name))
            #expect(
                try list.walk([SortKey(.column(position))], limit: 2)
                    == ["7", "5", "2", "1", "3", "4", "6"]
            )
        }
        for name in ["at", "local"] {
            #expect(try found(list, name, .equal, "2024-03-12T02:30") == ["1"])
            #expect(try found(list, name, .equal, "2024-03-12t04:30:00,123457+02:00") == ["1"])
            #expect(try found(list, name, .equal, "2024-03-12 02:30:00.1234567") == [])
            #expect(
                try found(list, name, .less, "2024-03-12T02:30:00.1234571") == ["1", "2", "5", "7"]
            )
            #expect(try found(list, name, .equal, "2024-03-13T01:30-23") == [])
            #expect(try found(list, name, .atLeast, "9999-12-31T23:59-02:00") == ["4", "6"])
            #expect(try found(list, name, .less, "0001-01-01T00:00+02:00") == ["5", "7"])
        }
        #expect(try found(list, "day", .greater, "2024-03-11T12:00") == ["1", "3", "4", "6"])
        #expect(try found(list, "day", .atMost, "2024-03-11T12:00") == ["2", "5", "7"])
        try expectReachable(list)
        let catalog = try PostgresCatalog(scratch.database)
        let table = try #require(catalog.lists.first).table
        let comparand = PostgresDialect().comparand(column: 1, of: table, as: .timestamp)
        let connection = try scratch.database.connect()
        let deadline = ContinuousClock.now + .seconds(60)
        try connection.execute("SET enable_seqscan = off", until: deadline)
        let plan = try connection.run(
            "EXPLAIN SELECT FROM t WHERE \(comparand.expression) >= \(comparand.parameter("$1"))",
            ["2024-01-01T00:00:00Z"],
            until: deadline
        )
        let lines = (0..<plan.count).compactMap { plan.text($0, 0) }
        #expect(lines.contains { $0.contains("Index Cond") })
    }

    @Test("JSON and arrays are compact in cells, and every link finds its rows")
    func json() throws {
        try scratch.run(
            #"""
            CREATE TABLE j (id int PRIMARY KEY, doc json, data jsonb, tags text[], grid int[]);
            INSERT INTO j VALUES
                (1, E'{"b" : [1,  2],\n "a\\" c" : "x  y\\\\"}', '{"b": [1, 2], "a": 1.10}',
                    '{a,NULL,"b \"c\\"}', '{{1,2},{3,NULL}}'),
                (2, '"s  s"', '"s  s"', '{}', '{}'),
                (3, ' 5 ', 'null', '{x}', '{7}');
            """#
        )
        let list = try PostgresList("j", in: scratch.database)
        let page = try list.read()
        #expect(page.value(row: 0, column: 0) == .json(#"{"b":[1,2],"a\" c":"x  y\\"}"#))
        #expect(page.value(row: 0, column: 1) == .json(#"{"a":1.10,"b":[1,2]}"#))
        #expect(page.value(row: 2, column: 0) == .json("5"))
        #expect(page.value(row: 0, column: 3) == .json("[[1,2],[3,null]]"))
        for name in ["~j:x", "~t:x", "~n:5", "~j:\"\\u0000\""] {
            #expect(try found(list, "data", .identical, name) == [], "\(name)")
        }
        #expect(try found(list, "data", .equal, #"{"b":[1, 2], "a":1.10}"#) == ["1"])
        #expect(try found(list, "grid", .equal, "[[1,2], [3,null]]") == ["1"])
        try expectReachable(list)
    }

    @Test("exact numbers, times, JSON and arrays are stored as they are written")
    func writing() throws {
        let table = try WritableTable(
            """
            CREATE TABLE w (id int PRIMARY KEY, n numeric, at timestamptz, local timestamp,
                doc jsonb, tags text[], grid int[], docs jsonb[], data bytea);
            INSERT INTO w VALUES (1);
            """,
            named: "w",
            in: scratch
        )
        func write(_ name: String, _ text: String) throws -> RowRefusal? {
            let position = try #require(table.schema.index(of: name))
            let value = try #require(table.schema.columns[position].value(of: text))
            return try table.refusal(.merge, "1", [name: value])
        }
        let stored = [
            ("n", "12345678901234567890.1234567890", "12345678901234567890.1234567890"),
            ("n", "-Infinity", "-Infinity"), ("n", "NaN", "NaN"),
            ("at", "2024-03-12T04:30:00,5+02:00", "2024-03-12 02:30:00.5+00"),
            ("at", "2024-03-12T18:30:00+16:00", "2024-03-12 02:30:00+00"),
            ("local", "2024-03-12 02:30", "2024-03-12 02:30:00"),
            ("doc", #"{"a":[1,null]}"#, #"{"a": [1, null]}"#),
            (
                "tags", #"["a\"\\","é\u00e9\ud83d\ude00\n",null,"null","",true,{"a":"}"}]"#,
                "{\"a\\\"\\\\\",\"éé😀\n\",NULL,\"null\",\"\",true,\"{\\\"a\\\":\\\"}\\\"}\"}"
            ),
            ("grid", "[[1,2],[3,null]]", "{{1,2},{3,NULL}}"), ("grid", "[]", "{}"),
            ("docs", #"[{"a":1},2,null]"#, #"{"{\"a\": 1}",2,NULL}"#),
        ]
        for (name, text, expected) in stored {
            #expect(try write(name, text) == nil, "\(name) \(text)")
            let connection = try scratch.database.connect()
            let kept = try connection.run("SELECT \(name)::text FROM w", until: .now + .seconds(60))
            #expect(kept.text(0, 0) == expected)
        }
        func fault(_ name: String, _ reason: FieldValidationError.Reason) throws -> RowRefusal {
            let position: Int = try #require(table.schema.index(of: name))
            return .invalid([FieldValidationError(column: position, reason)])
        }
        #expect(try write("grid", #"["x"]"#) == fault("grid", .againstRule))
        #expect(try write("grid", "[[1],[2,3]]") == fault("grid", .againstRule))
        #expect(try write("grid", "{}") == fault("grid", .againstRule))
        let bytes = try fault("data", .wrongType(.bytes))
        #expect(try table.refusal(.merge, "1", ["data": .text("00")]) == bytes)
        #expect(try table.refusal(.insert, "2", ["data": .null]) == nil)
    }

    @Test("a row that a policy forbids is refused as that")
    func policies() throws {
        try scratch.run(
            """
            CREATE TABLE p (id int PRIMARY KEY, owner text);
            INSERT INTO p VALUES (1, 'me');
            ALTER TABLE p ENABLE ROW LEVEL SECURITY;
            CREATE POLICY mine ON p USING (owner = 'me');
            GRANT USAGE ON SCHEMA \(scratch.name) TO secretive;
            GRANT ALL ON p TO secretive;
            """
        )
        let database = try PostgresDatabase.patient(
            scratch.cluster.address(user: "secretive:correct%20horse", schema: scratch.name)
        )
        let table = try WritableTable(opening: "p", in: scratch, database: database)
        let other = ["owner": CellValue.text("you")]
        #expect(try table.refusal(.insert, "2", other) == .againstPolicy)
        #expect(try table.refusal(.merge, "1", other) == .againstPolicy)
        #expect(try table.refusal(.insert, "2", ["owner": .text("me")]) == nil)
    }

    @Test("what breaks a constraint is told with its name and its columns")
    func constraints() throws {
        let table = try WritableTable(
            """
            CREATE TABLE c (id int PRIMARY KEY, a int, b int, span int4range,
                CONSTRAINT ordered CHECK (a < b), CONSTRAINT pairs UNIQUE (a, b),
                CONSTRAINT apart EXCLUDE USING gist (span WITH &&));
            INSERT INTO c VALUES (1, 1, 2, '[1,5)');
            """,
            named: "c",
            in: scratch
        )
        let (a, b) = (CellValue.integer(1), CellValue.integer(2))
        let columns = try ["a", "b", "span"].map { try #require(table.schema.index(of: $0)) }
        #expect(
            try table.refusal(.insert, "2", ["a": b, "b": a])
                == .invalid(
                    columns[0...1].map { FieldValidationError(column: $0, .violates("ordered")) }
                )
        )
        #expect(
            try table.refusal(.insert, "2", ["a": a, "b": b])
                == .takenValues([columns[0], columns[1]], constraint: "pairs")
        )
        #expect(
            try table.refusal(.insert, "2", ["span": .text("[4,9)")])
                == .takenValues([columns[2]], constraint: "apart")
        )
    }
}
