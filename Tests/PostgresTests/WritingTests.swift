import Bytes
import Database
import Foundation
import Listings
import TestSupport
import Testing

@testable import Postgres

/// A table that rows are written to, as the program would serve it.
struct WritableTable {
    let scratch: ScratchSchema
    let schema: ListSchema
    let source: TableSource

    init(
        _ definition: String,
        named name: String,
        in scratch: ScratchSchema,
        database: PostgresDatabase? = nil
    ) throws {
        try scratch.run(definition)
        try self.init(opening: name, in: scratch, database: database)
    }

    /// Opens a table that is there, through a database of another process as it were.
    init(opening name: String, in scratch: ScratchSchema, database: PostgresDatabase? = nil) throws
    {
        self.scratch = scratch
        let database = try database ?? .patient(scratch.cluster.address(schema: scratch.name))
        let catalog = try PostgresCatalog(database)
        let list = try #require(catalog.lists.first { $0.name == name })
        let facts = try #require(catalog.facts[name])
        let keepsAnswers = try database.prepareAnswers() == nil
        schema = try ListSchema(columns: list.columns, idType: list.table.idType)
        let required = facts.required.map { list.columns[$0].id }
        var registry = ControllerRegistry()
        source = TableSource(
            database: database,
            table: list.table,
            schema: schema,
            registration: try registry.register(
                RecordController(list: name, columns: list.columns)
            ),
            writing: PostgresWriting(
                RowRules(schema, required: required, keyColumns: list.table.keyColumns),
                facts: facts,
                keepsAnswers: keepsAnswers
            )
        )
    }

    func makeWriter() throws -> any ListWriter { try #require(try source.makeWriter()) }

    /// Performs changes; answers with what became of each.
    func write(
        _ changes: [RowChange],
        by writer: (any ListWriter)? = nil,
        manner: WriteBatch.Manner = .allOrNothing
    ) throws -> [Result<ChangedRow, RowRefusal>] {
        var page = Page(list: "people", schema: schema)
        var all: [Result<ChangedRow, RowRefusal>] = []
        let writer = try writer ?? makeWriter()
        _ = try writer.write(WriteBatch(changes, manner: manner), into: &page) { _, results in
            all = results
            return []
        }
        return all
    }

    func write(
        _ verb: RowChange.Verb,
        _ id: String?,
        _ values: [String: CellValue] = [:],
        when conditions: [RowCondition] = []
    ) throws -> ChangedRow {
        try write([change(verb, id, values, when: conditions)])[0].get()
    }

    func change(
        _ verb: RowChange.Verb,
        _ id: String?,
        _ values: [String: CellValue] = [:],
        when conditions: [RowCondition] = []
    ) throws -> RowChange {
        var byPosition: [Int: CellValue] = [:]
        for (name, value) in values {
            byPosition[try #require(schema.index(of: name))] = value
        }
        return RowChange(verb, id: id, values: byPosition, conditions: conditions)
    }

    /// Why a change is refused.
    func refusal(
        _ verb: RowChange.Verb,
        _ id: String?,
        _ values: [String: CellValue] = [:],
        when conditions: [RowCondition] = []
    ) throws -> RowRefusal? {
        let change = try change(verb, id, values, when: conditions)
        do {
            _ = try write([change])
            return nil
        } catch WriteError.refused(let refusals) {
            return refusals[0]
        }
    }

    /// All rows as texts, their ids first.
    func rows() throws -> [[String]] {
        var page = Page(list: "people", schema: schema)
        try source.makeReader().read(ListQuery(shape: .flow(limit: 500)), into: &page)
        return (0..<page.rowCount).map { row in
            [page.id(ofRow: row)]
                + schema.columns.indices.filter { $0 != schema.idColumn }
                .map { page.value(row: row, column: $0).plainText }
        }
    }
}

@Suite(
    "Rows are written to tables of PostgreSQL",
    .enabled(if: PostgresCluster.programs != nil, "PostgreSQL is not installed")
)
struct WritingTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    private func people() throws -> WritableTable {
        try WritableTable(
            """
            CREATE TABLE city (name text PRIMARY KEY);
            INSERT INTO city VALUES ('Oslo'), ('Paris');
            CREATE TABLE people (id serial PRIMARY KEY, name text NOT NULL, mail text UNIQUE,
                age int CHECK (age >= 0), city text REFERENCES city, role text DEFAULT 'guest',
                twice int GENERATED ALWAYS AS (age * 2) STORED, token uuid, code varchar(3));
            INSERT INTO people (name, mail, age) VALUES ('Ada', 'a@b.c', 36), ('Bob', NULL, NULL);
            """,
            named: "people",
            in: scratch
        )
    }

    @Test("every verb does what it says, and what is not given is what the table says")
    func verbs() throws {
        let table = try people()
        let made = try table.write(.insert, nil, ["name": .text("Cy"), "age": .integer(9)])
        #expect(made.id == "3" && made.effect == .created)
        #expect(try table.write(.insertIfAbsent, "1", ["name": .text("X")]).effect == .unchanged)
        let replaced = try table.write(.replace, "1", ["name": .text("Eve")])
        #expect(replaced.effect == .changed)
        #expect(try table.write(.replace, "9", ["name": .text("Ivy")]).effect == .created)
        #expect(try table.write(.merge, "2", ["age": .integer(40)]).effect == .changed)
        #expect(try table.write(.merge, "2", ["age": .integer(40)]).effect == .unchanged)
        #expect(try table.write(.merge, "2", ["role": .null]).effect == .changed)
        #expect(try table.write(.mergeOrInsert, "3", ["name": .text("Cyd")]).effect == .changed)
        #expect(try table.write(.delete, "9").effect == .deleted)
        #expect(
            try table.rows() == [
                ["1", "Eve", "", "", "", "guest", "", "", ""],
                ["2", "Bob", "", "40", "", "", "80", "", ""],
                ["3", "Cyd", "", "9", "", "guest", "18", "", ""],
            ]
        )
    }

    @Test("a change that the database refuses says which value it is, and changes nothing")
    func refusals() throws {
        let table = try people()
        func column(_ id: String) throws -> Int { try #require(table.schema.index(of: id)) }
        func fault(
            _ id: String,
            _ reason: FieldValidationError.Reason = .againstRule
        ) throws -> FieldValidationError {
            FieldValidationError(column: try column(id), reason)
        }
        let before = try table.rows()
        let name = CellValue.text("X")
        #expect(try table.refusal(.insert, "1", ["name": name]) == .existingRow("1"))
        #expect(try table.refusal(.merge, "7") == .unknownRow("7"))
        #expect(try table.refusal(.delete, "7") == .unknownRow("7"))
        #expect(
            try table.refusal(.insert, nil, ["name": name, "mail": .text("a@b.c")])
                == .takenValues([try column("mail")], constraint: "people_mail_key")
        )
        #expect(
            try table.refusal(.merge, "2", ["age": .integer(-1)])
                == .invalid([try fault("age", .violates("people_age_check"))])
        )
        #expect(
            try table.refusal(.merge, "2", ["city": .text("Rome")])
                == .invalid([try fault("city", .violates("people_city_fkey"))])
        )
        #expect(
            try table.refusal(
                .merge,
                "2",
                ["token": .text("x"), "code": .text("long"), "age": .integer(1 << 40)]
            ) == .invalid([try fault("age"), try fault("token"), try fault("code")])
        )
        #expect(
            try table.refusal(.merge, "2", ["twice": .integer(1)])
                == .invalid([try fault("twice", .notGiven)])
        )
        #expect(
            try table.refusal(.insert, nil, ["name": name, "twice": .integer(1)])
                == .invalid([try fault("twice", .notGiven)])
        )
        #expect(
            try table.refusal(.insert, nil, [:]) == .invalid([try fault("name", .missing)])
        )
        let overflow = FieldValidationError(column: try column("name"), .againstRule)
        #expect(
            try table.refusal(.insert, "99999999999", ["name": name]) == .invalid([overflow])
        )
        let cities = try WritableTable(opening: "city", in: scratch)
        #expect(try cities.refusal(.insert, "Oslo") == .existingRow("Oslo"))
        try scratch.run("UPDATE people SET city = 'Oslo' WHERE id = 2")
        #expect(
            try cities.refusal(.delete, "Oslo")
                == .referredTo("Oslo", constraint: "people_city_fkey")
        )
        try scratch.run("UPDATE people SET city = NULL")
        let after = try table.rows()
        #expect(after == before)
    }

    @Test("a row is changed only in the state that is meant, whoever changed it")
    func conditions() throws {
        let table = try people()
        func revision() throws -> Int64 {
            try #require(try table.write(.insertIfAbsent, "1", ["name": .text("x")]).revision)
        }
        let first = try revision()
        let second = try #require(
            try table.write(.merge, "1", ["age": .integer(37)], when: [.isAt([first])]).revision
        )
        #expect(second != first)
        #expect(
            try table.refusal(.delete, "1", when: [.isAt([first])]) == .failedCondition("1")
        )
        try scratch.run("UPDATE people SET age = 37 WHERE id = 1")
        #expect(
            try table.refusal(.delete, "1", when: [.isAt([second])]) == .failedCondition("1")
        )
        #expect(
            try table.refusal(.replace, "1", ["name": .text("x")], when: [.isAbsent])
                == .failedCondition("1")
        )
        #expect(try table.write(.delete, "1", when: [.isAt([try revision()])]).effect == .deleted)
    }

    @Test("of many who mean the same state one succeeds, and of many who create a row one does")
    func races() async throws {
        let table = try people()
        let first = try #require(
            try table.write(.insertIfAbsent, "1", ["name": .text("x")]).revision
        )
        let change = try table.change(.merge, "1", ["age": .integer(99)], when: [.isAt([first])])
        let creation = try table.change(.insert, "50", ["name": .text("New")])
        for (change, refusal) in [
            (change, RowRefusal.failedCondition("1")), (creation, .existingRow("50")),
        ] {
            let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        do {
                            _ = try table.write([change])
                            return true
                        } catch WriteError.refused([0: refusal]) {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(done == 1)
        }
        // Whoever replaces a row that appears meanwhile replaces it then.
        let upsert = try table.change(.replace, "60", ["name": .text("Both")])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { _ = try table.write([upsert]) } }
            try await group.waitForAll()
        }
        #expect(try table.rows().filter { $0[0] == "60" }.count == 1)
    }

    @Test("a batch is performed whole or not at all, or each change for itself")
    func batches() throws {
        let table = try people()
        let changes = [
            try table.change(.insert, "10", ["name": .text("new")]),
            try table.change(.insert, nil, ["name": .text("x"), "mail": .text("a@b.c")]),
            try table.change(.insert, "10", ["name": .text("taken by the first")]),
        ]
        let mail = try #require(table.schema.index(of: "mail"))
        #expect(
            throws: WriteError.refused([
                1: .takenValues([mail], constraint: "people_mail_key"), 2: .existingRow("10"),
            ])
        ) {
            try table.write(changes)
        }
        #expect(try table.rows().map { $0[0] } == ["1", "2"])
        let results = try table.write(changes, manner: .each)
        #expect(try results[0].get().effect == .created)
        #expect(results[1] == .failure(.takenValues([mail], constraint: "people_mail_key")))
        #expect(try table.rows().map { $0[0] } == ["1", "2", "10"])
    }

    @Test("what a trigger leaves out or refuses is told as a rule, as is what is looked at last")
    func triggers() throws {
        let table = try WritableTable(
            """
            CREATE TABLE kept (id int PRIMARY KEY, name text, done boolean,
                place int UNIQUE DEFERRABLE INITIALLY DEFERRED);
            INSERT INTO kept VALUES (1, 'Ada', true, 1), (2, 'silent', false, 2);
            CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF TG_OP = 'DELETE' THEN
                    IF old.done THEN RAISE EXCEPTION 'it is done'; END IF;
                    RETURN NULL;
                END IF;
                IF new.name = 'silent' THEN RETURN NULL; END IF;
                RETURN new;
            END $$;
            CREATE TRIGGER watch BEFORE INSERT OR UPDATE OR DELETE ON kept
                FOR EACH ROW EXECUTE FUNCTION watch();
            """,
            named: "kept",
            in: scratch
        )
        let before = try table.rows()
        let silent = ["name": CellValue.text("silent")]
        let column = table.schema.index(of: "name")
        let name = RowRefusal.invalid([FieldValidationError(column: column, .againstRule)])
        let row = RowRefusal.invalid([FieldValidationError(column: nil, .againstRule)])
        #expect(try table.refusal(.insert, "3", silent) == name)
        #expect(try table.refusal(.merge, "1", silent) == name)
        #expect(try table.refusal(.replace, "1", silent) == name)
        #expect(try table.refusal(.delete, "1") == row)
        #expect(try table.refusal(.delete, "2") == row)
        let place = FieldValidationError(column: nil, .violates("kept_place_key"))
        #expect(try table.refusal(.insert, "3", ["place": .integer(1)]) == .invalid([place]))
        let missing = RowRefusal.invalid([FieldValidationError(column: nil, .missing)])
        #expect(try table.refusal(.insert, nil, ["name": .text("Cy")]) == missing)
        let after = try table.rows()
        #expect(after == before)
        #expect(try table.write(.merge, "1", ["done": .boolean(false)]).effect == .changed)
        #expect(try table.write(.insert, "3", ["place": .integer(3)]).effect == .created)
        #expect(try table.rows().map { $0[2] } == ["false", "false", ""])
    }

    @Test("who waits long for a row that somebody else writes is told so, and may write it later")
    func locked() throws {
        let table = try people()
        let other = try scratch.database.connect()
        try other.execute(
            "BEGIN READ WRITE; UPDATE people SET age = 1 WHERE id = 1",
            until: .now + .seconds(60)
        )
        #expect(throws: WriteError.busy) { try table.write(.merge, "1", ["age": .integer(2)]) }
        other.rollback(until: .now + .seconds(60))
        #expect(try table.write(.merge, "1", ["age": .integer(2)]).effect == .changed)
    }

    @Test("keys of several columns, of UUIDs and of the database's own making are written")
    func keys() throws {
        let line = try WritableTable(
            """
            CREATE TABLE line (ord int, pos text, what text, PRIMARY KEY (ord, pos));
            CREATE TABLE tag (key uuid PRIMARY KEY, name text);
            CREATE TABLE own (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
            CREATE TABLE plain (id text PRIMARY KEY, name text);
            """,
            named: "line",
            in: scratch
        )
        let values: [String: CellValue] = ["ord": .integer(1), "pos": .text("a,b")]
        #expect(try line.write(.insert, nil, values).id == "1,a%2Cb")
        #expect(
            try line.refusal(.insert, nil, values) == .takenValues([0, 1], constraint: "line_pkey")
        )
        #expect(try line.write(.replace, "1,a%2Cb", ["what": .text("x")]).effect == .changed)
        #expect(try line.write(.replace, "2,c", ["what": .text("y")]).effect == .created)
        let moved = FieldValidationError(column: 0, .againstRule)
        #expect(try line.refusal(.merge, "2,c", ["ord": .integer(3)]) == .invalid([moved]))
        #expect(
            try line.refusal(.insert, nil, ["ord": .integer(1)])
                == .invalid([FieldValidationError(column: 1, .missing)])
        )
        #expect(
            try line.refusal(.replace, "x,c", ["what": .text("y")])
                == .invalid([FieldValidationError(column: nil, .againstRule)])
        )
        #expect(try line.rows() == [["1,a%2Cb", "1", "a,b", "x"], ["2,c", "2", "c", "y"]])
        let tag = try WritableTable(opening: "tag", in: scratch)
        #expect(try tag.write(.insert, nil, ["name": .text("x")]).id.utf8.count == 36)
        #expect(
            try tag.refusal(.replace, "x", ["name": .text("y")])
                == .invalid([FieldValidationError(column: nil, .againstRule)])
        )
        let own = try WritableTable(opening: "own", in: scratch)
        #expect(try own.write(.insert, nil, [:]).id == "1")
        #expect(try own.write(.replace, "7", ["name": .text("y")]).id == "7")
        let plain = try WritableTable(opening: "plain", in: scratch)
        #expect(try plain.write(.insert, nil, ["name": .text("x")]).id.utf8.count == 16)
    }
}

@Suite(
    "A batch for PostgreSQL with a receipt is performed once",
    .enabled(if: PostgresCluster.programs != nil, "PostgreSQL is not installed")
)
struct PostgresReceiptTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    private func table() throws -> WritableTable {
        try WritableTable(
            "CREATE TABLE people (id serial PRIMARY KEY, name text)",
            named: "people",
            in: scratch
        )
    }

    private static func answer(
        _ receipt: WriteReceipt,
        in table: WritableTable,
        text: String = "first\0\u{FF}"
    ) throws -> WriteResponse {
        var page = Page(list: "people", schema: table.schema)
        let change = try table.change(.insert, nil, ["name": .text("Cy")])
        let batch = WriteBatch([change], receipt: receipt)
        return try table.makeWriter().write(batch, into: &page) { _, _ in Array(text.utf8) }
    }

    @Test("the answer is kept with the change, for every process that writes to the database")
    func repeated() throws {
        let table = try table()
        let receipt = WriteReceipt(key: "k", fingerprint: "a")
        let text = Array("first\0\u{FF}".utf8)
        #expect(try Self.answer(receipt, in: table) == .performed(text))
        let other = try WritableTable(opening: "people", in: scratch)
        #expect(try Self.answer(receipt, in: other, text: "second") == .repeated(text))
        #expect(throws: WriteError.reusedKey) {
            try Self.answer(WriteReceipt(key: "k", fingerprint: "b"), in: other)
        }
        #expect(try table.rows().count == 1)
        // Who asks again takes the room of no other answer.
        _ = try Self.answer(WriteReceipt(key: "l", fingerprint: "a"), in: other)
        let last = try scratch.run("SELECT max(number) FROM roster_answers")
        #expect(last.split(separator: "\n").last == "2")
        // The table is no list.
        #expect(try PostgresCatalog(scratch.database).lists.map(\.name) == ["people"])
    }

    @Test("asked by many at once it is performed once, and all get its answer")
    func atOnce() async throws {
        let table = try table()
        let receipt = WriteReceipt(key: "k", fingerprint: "a")
        let answers = try await withThrowingTaskGroup(of: WriteResponse.self) { group in
            for number in 0..<6 {
                group.addTask { try Self.answer(receipt, in: table, text: "\(number)") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let performed = answers.compactMap {
            if case .performed(let text) = $0 { text } else { nil }
        }
        let repeated = answers.compactMap { if case .repeated(let text) = $0 { text } else { nil } }
        #expect(performed.count == 1)
        #expect(repeated == Array(repeating: performed[0], count: 5))
        #expect(try table.rows().count == 1)
    }

    @Test("old answers, and those over the bound, are forgotten")
    func bounded() throws {
        let table = try table()
        _ = try Self.answer(WriteReceipt(key: "old", fingerprint: "a"), in: table)
        try scratch.run("UPDATE roster_answers SET made = made - interval '86401 s'")
        let again = try Self.answer(WriteReceipt(key: "old", fingerprint: "b"), in: table)
        #expect(again == .performed(Array("first\0\u{FF}".utf8)))
        try scratch.run(
            """
            INSERT INTO roster_answers (list, key, fingerprint, answer)
            SELECT 'people', 'n' || n, 'a', '' FROM generate_series(1, 10050) n
            """
        )
        _ = try Self.answer(WriteReceipt(key: "last", fingerprint: "a"), in: table)
        let count = try scratch.run("SELECT count(*) FROM roster_answers").split(separator: "\n")
        #expect(count.last == "\(WriteReceipt.maximumCount)")
    }

    @Test("where the table of answers cannot be made a receipt is refused, and how to make it told")
    func withoutTable() throws {
        try scratch.run(
            """
            CREATE TABLE people (id serial PRIMARY KEY, name text);
            GRANT USAGE ON SCHEMA \(scratch.name) TO secretive;
            GRANT ALL ON people, people_id_seq TO secretive;
            """
        )
        let database = try PostgresDatabase.patient(
            scratch.cluster.address(user: "secretive:correct%20horse", schema: scratch.name)
        )
        let remedy = try #require(try database.prepareAnswers())
        #expect(
            remedy.hasPrefix("permission denied for schema \(scratch.name) (42501): CREATE TABLE")
        )
        let table = try WritableTable(opening: "people", in: scratch, database: database)
        #expect(throws: WriteError.keepsNoAnswers) {
            try Self.answer(WriteReceipt(key: "k", fingerprint: "a"), in: table)
        }
        #expect(try table.write(.insert, nil, ["name": .text("x")]).id == "1")
        try scratch.run("REVOKE INSERT ON people FROM secretive")
        #expect(throws: WriteError.readOnly) { try table.write(.insert, nil, ["name": .text("x")]) }
        #expect(try PostgresCatalog(database).facts.isEmpty)
        // Another program has made the table, and kept it for itself.
        #expect(try scratch.database.prepareAnswers() == nil)
        #expect(
            try database.prepareAnswers()
                == "GRANT SELECT, INSERT, UPDATE, DELETE ON roster_answers TO CURRENT_USER is missing"
        )
    }

    @Test("where the connection breaks while saving, nobody claims to know what came of it")
    func uncertain() throws {
        let table = try table()
        try scratch.run(
            """
            CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER last AFTER INSERT ON people DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION die();
            """
        )
        do {
            _ = try table.write(.insert, nil, ["name": .text("x")])
            Issue.record("it was acknowledged")
        } catch WriteError.uncertain(let reason) {
            #expect(reason.contains("57P01") || reason.contains("connection"))
        }
        try scratch.run("DROP TRIGGER last ON people")
        #expect(try table.write(.insert, nil, ["name": .text("y")]).effect == .created)
    }
}
