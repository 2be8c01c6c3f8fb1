import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite("Many rows are loaded into tables of PostgreSQL at once", .needsPostgres)
struct PostgresLoadTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    private static let definition = """
        id serial PRIMARY KEY, name text NOT NULL, mail text UNIQUE, age int CHECK (age >= 0),
        role text DEFAULT 'guest', code varchar(3), score numeric(6,2), data jsonb, doc json,
        tags text[], token uuid, born date, seen timestamptz, done boolean,
        twice int GENERATED ALWAYS AS (age * 2) STORED
        """

    private func people(_ name: String = "people") throws -> WritableTable {
        try WritableTable(
            """
            CREATE TABLE \(name) (\(Self.definition));
            INSERT INTO \(name) (name, mail, age) VALUES ('Ada', 'a@b.c', 36), ('Bob', NULL, NULL);
            SELECT setval('\(name)_id_seq', 1000);
            """,
            named: name,
            in: scratch
        )
    }

    /// Loads changes as an import does; counts the effects and the changes refused.
    private func load(
        _ changes: [RowChange],
        into table: WritableTable,
        slice: Int = StagedChanges.maximumSlice,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> (counts: LoadedPart.Counts, single: Int, refusals: [Int: RowRefusal]) {
        let writer = try #require(try table.makeWriter() as? PostgresListWriter)
        writer.changesPerSlice = slice
        var counts = LoadedPart.Counts()
        var single = 0
        var refusals: [Int: RowRefusal] = [:]
        let isLoaded = try writer.load(to: "people", isCancelled: isCancelled) {
            (load) throws(WriteError) in
            for (number, change) in changes.enumerated() {
                if let refusal = try load.stage(change) { refusals[number] = refusal }
            }
            guard refusals.isEmpty else { return false }
            try load.endStaging()
            var done = 0
            while let part = try load.performNext() {
                defer { done += part.count }
                if let new = part.counts {
                    counts.created += new.created
                    counts.changed += new.changed
                    counts.unchanged += new.unchanged
                    continue
                }
                for number in done..<done + part.count {
                    single += 1
                    switch try load.perform(changes[number]) {
                    case .success(let row): counts.note(row.effect)
                    case .failure(let refusal): refusals[number] = refusal
                    }
                }
            }
            return refusals.isEmpty
        }
        #expect(isLoaded)
        return (counts, single, refusals)
    }

    @Test(
        "a load does what single changes do, in slices of any size",
        arguments: [
            RowChange.Verb.insert, .insertIfAbsent, .replace, .mergeOrInsert,
        ]
    )
    func sameAsSingle(_ verb: RowChange.Verb) throws {
        let (loaded, single) = (try people(), try people("others"))
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let values: [(String, [CellValue])] = [
            (
                "name",
                [.text("Cy"), .text(#"a\b"c"#), .text("tab\tline\nreturn\r\\N"), .text("\\.")]
            ),
            ("age", [.integer(1), .integer(99), .null]), ("role", [.text("admin"), .null]),
            ("code", [.text("abc"), .text("")]), ("score", [.real(1.25), .real(-7.5)]),
            ("data", [.json(#"{"a":[1,"x\ty"]}"#), .null]), ("doc", [.json(#"{"b":null}"#)]),
            ("tags", [.json(#"["a","b\\c",null]"#)]),
            ("token", [.text("00000000-0000-0000-0000-000000000001")]),
            ("born", [CellValue.parse("2024-02-29", as: .date) ?? .null]),
            ("seen", [CellValue.parse("2024-02-29T12:00:00Z", as: .timestamp) ?? .null]),
            ("done", [.boolean(true), .boolean(false)]),
        ]
        for round in 0..<6 {
            var changes: [RowChange] = []
            for number in 0..<40 {
                var given: [String: CellValue] = ["name": .text("Eve")]
                for (name, choices) in values where Bool.random(using: &random) {
                    given[name] = choices.randomElement(using: &random)
                }
                // New rows of an insert have ids of their own; those of others may exist, and come
                // twice.
                let id =
                    verb == .insert
                    ? round * 40 + number + 10 : Int.random(in: 1...30, using: &random)
                let hasID = Int.random(in: 0..<8, using: &random) > 0
                changes.append(
                    try loaded.change(hasID ? verb : .insert, hasID ? "\(id)" : nil, given)
                )
            }
            let outcome = try load(changes, into: loaded, slice: [1, 7, 100][round % 3])
            var expected = LoadedPart.Counts()
            for change in changes {
                expected.note(try single.write([change])[0].get().effect)
            }
            #expect(outcome.refusals.isEmpty)
            #expect(outcome.counts.created == expected.created, "seed \(seed), round \(round)")
            // A single change also replaces an equal value of another spelling.
            #expect(
                outcome.counts.changed + outcome.counts.unchanged
                    == expected.changed + expected.unchanged
            )
            #expect(try comparable(loaded) == comparable(single), "seed \(seed), round \(round)")
        }
    }

    /// The rows without the numbers of the sequence, of which some are lost with a refused slice.
    private func comparable(_ table: WritableTable) throws -> [[String]] {
        let rows = try table.rows().map { row in
            (row[0].utf8.count > 3 ? ["made"] : [row[0]]) + row.dropFirst()
        }
        return rows.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test("a change that the database refuses is found, and only its slice is performed singly")
    func refusals() throws {
        let table = try people()
        let before = try table.rows()
        var changes = try (0..<50).map {
            try table.change(.insert, "\(100 + $0)", ["name": .text("n\($0)")])
        }
        changes[17] = try table.change(.insert, "1", ["name": .text("X")])
        changes[33] = try table.change(.insert, "500", ["name": .text("X"), "code": .text("long")])
        changes[34] = try table.change(.insert, nil, ["name": .text("X"), "age": .integer(-1)])
        let (_, single, refusals) = try load(changes, into: table, slice: 5)
        func fault(_ id: String, _ reason: FieldValidationError.Reason) -> RowRefusal {
            .invalid([FieldValidationError(column: table.schema.index(of: id), reason)])
        }
        #expect(
            refusals == [
                17: .existingRow("1"), 33: fault("code", .againstRule),
                34: fault("age", .violates("people_age_check")),
            ]
        )
        #expect(single == 10)
        #expect(try table.rows() == before)
        let generated = try table.change(.insert, "7", ["name": .text("X"), "twice": .integer(1)])
        let named = try load([generated], into: table).refusals
        #expect(named == [0: fault("twice", .notGiven)])
        let wrong = try table.change(.insert, "99999999999", ["name": .text("X")])
        #expect(try load([wrong], into: table).refusals[0] != nil)
    }

    @Test("rows that a trigger leaves out are refused, and its changes are kept")
    func triggers() throws {
        let table = try people()
        try scratch.run(
            """
            CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF new.name = 'silent' THEN RETURN NULL; END IF;
                new.role = 'seen'; RETURN new;
            END $$;
            CREATE TRIGGER watch BEFORE INSERT OR UPDATE ON people
                FOR EACH ROW EXECUTE FUNCTION watch();
            """
        )
        let good = try (5..<9).map { try table.change(.replace, "\($0)", ["name": .text("n")]) }
        let singles = try load(good, into: table).single
        #expect(singles == 4)
        let inserts = try (15..<19).map { try table.change(.insert, "\($0)", ["name": .text("n")]) }
        #expect(try load(inserts, into: table).single == 0)
        #expect(try table.rows().filter { $0.contains("seen") }.count == 8)
        let silent = try table.change(.insert, "40", ["name": .text("silent")])
        #expect(try load(good + [silent], into: table).refusals.keys.sorted() == [4])
    }

    @Test("keys of several columns and of other types are found")
    func keys() throws {
        let line = try WritableTable(
            """
            CREATE TYPE mood AS ENUM ('sad', 'ok');
            CREATE TABLE line (ord int, pos text, what text, PRIMARY KEY (ord, pos));
            CREATE TABLE feeling (key mood PRIMARY KEY, what text);
            CREATE TABLE fixed (key char(4) PRIMARY KEY, what text);
            CREATE TABLE number (key numeric PRIMARY KEY, what text);
            CREATE TABLE plain (id text PRIMARY KEY, what text);
            CREATE TABLE tag (key uuid PRIMARY KEY, what text);
            """,
            named: "line",
            in: scratch
        )
        for (name, ids) in [
            ("line", ["1,a", "2,b"]), ("feeling", ["sad", "ok"]), ("fixed", ["a", "bcd"]),
            ("number", ["1", "2.50"]), ("plain", ["x", "y"]),
            ("tag", (1...2).map { "00000000-0000-0000-0000-00000000000\($0)" }),
        ] {
            let table =
                name == "line" ? line : try WritableTable(opening: name, in: scratch)
            func changes(_ what: String) throws -> [RowChange] {
                try ids.map { try table.change(.replace, $0, ["what": .text(what)]) }
            }
            var expected = LoadedPart.Counts()
            expected.created = 2
            var outcome = try load(changes("first"), into: table)
            #expect(outcome.counts == expected && outcome.single == 0, "\(name)")
            expected = LoadedPart.Counts()
            (expected.changed, expected.unchanged) = (1, 1)
            let mixed = [try changes("second")[0], try changes("first")[1]]
            outcome = try load(mixed, into: table)
            #expect(outcome.counts == expected && outcome.single == 0, "\(name)")
        }
        for name in ["plain", "tag"] {
            let table = try WritableTable(opening: name, in: scratch)
            let made = try table.change(.insert, nil, ["what": .text("made")])
            #expect(try load([made, made], into: table).counts.created == 2)
        }
    }

    @Test("a cancelled load changes nothing, while it stages and while the server works")
    func cancelled() throws {
        let table = try people()
        let before = try table.rows()
        let changes = try (100..<200).map {
            try table.change(.insert, "\($0)", ["name": .text("n")])
        }
        #expect(throws: WriteError.self) {
            try load(changes, into: table, isCancelled: { true })
        }
        // The statement would take an hour.
        try scratch.run(
            """
            CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_sleep(3600); RETURN NULL; END';
            CREATE TRIGGER sleep AFTER INSERT ON people EXECUTE FUNCTION sleep();
            """
        )
        let start = ContinuousClock.now
        #expect(throws: WriteError.self) {
            try load(changes, into: table, isCancelled: { .now - start > .seconds(1) })
        }
        #expect(try table.rows() == before)
    }

    @Test("a user who may create no temporary table loads nothing at once")
    func withoutTemporaryTables() throws {
        try scratch.run(
            """
            CREATE TABLE people (id int PRIMARY KEY, name text);
            GRANT USAGE ON SCHEMA \(scratch.name) TO secretive;
            GRANT ALL ON people TO secretive;
            DO $$ BEGIN EXECUTE 'REVOKE TEMPORARY ON DATABASE ' || quote_ident(current_database())
                || ' FROM PUBLIC'; END $$;
            """
        )
        let database = try PostgresDatabase.patient(
            scratch.cluster.address(user: "secretive:correct%20horse", schema: scratch.name)
        )
        let table = try WritableTable(opening: "people", in: scratch, database: database)
        let load = try #require(table.makeWriter().abilities.load)
        let isCancelled = { false }
        let isLoaded = try load("people", isCancelled) { _ in
            Issue.record("it was begun")
            return true
        }
        #expect(!isLoaded)
        #expect(try table.write(.insert, "1", ["name": .text("x")]).effect == .created)
    }
}

extension LoadedPart.Counts {
    fileprivate mutating func note(_ effect: ChangedRow.Effect) {
        switch effect {
        case .created: created += 1
        case .changed: changed += 1
        case .unchanged, .deleted: unchanged += 1
        }
    }
}
