import Bytes
import Database
import Foundation
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite("Rows are written to tables of PostgreSQL", .needsPostgres)
struct PostgresWritingTests {
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

    @Test("what is not given is what the table says")
    func defaults() throws {
        let table = try people()
        #expect(try table.write(.insert, nil, ["name": .text("Cy")]).id == "3")
        #expect(try table.write(.replace, "1", ["name": .text("Eve")]).effect == .changed)
        #expect(try table.write(.merge, "2", ["age": .integer(40)]).effect == .changed)
        #expect(try table.write(.merge, "2", ["role": .null]).effect == .changed)
        #expect(
            try table.rows() == [
                ["1", "Eve", "", "", "", "guest", "", "", ""],
                ["2", "Bob", "", "40", "", "", "80", "", ""],
                ["3", "Cy", "", "", "", "guest", "", "", ""],
            ]
        )
    }

    @Test("a change that the database refuses says which value it is, and changes nothing")
    func refusals() throws {
        let table = try people()
        func fault(
            _ id: String,
            _ reason: FieldValidationError.Reason = .againstRule
        ) throws -> FieldValidationError {
            FieldValidationError(column: try table.column(id), reason)
        }
        let before = try table.rows()
        let name = CellValue.text("X")
        #expect(try table.refusal(.insert, "1", ["name": name]) == .existingRow("1"))
        #expect(try table.refusal(.merge, "7") == .unknownRow("7"))
        #expect(try table.refusal(.delete, "7") == .unknownRow("7"))
        #expect(
            try table.refusal(.insert, nil, ["name": name, "mail": .text("a@b.c")])
                == .takenValues([try table.column("mail")], constraint: "people_mail_key")
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
        let overflow = FieldValidationError(column: try table.column("name"), .againstRule)
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
        let location = FieldValidationError(column: nil, .violates("kept_place_key"))
        #expect(try table.refusal(.insert, "3", ["place": .integer(1)]) == .invalid([location]))
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
        let reason = "The value identifies the row, so that it stays."
        let moved = FieldValidationError(column: 0, .refused(reason))
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

@Suite("A batch for PostgreSQL with a receipt is performed once", .needsPostgres)
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

    @Test("a repeated batch takes the room of no other, and the table of responses is no list")
    func numbers() throws {
        let table = try table()
        for key in ["k", "k", "l"] {
            _ = try table.respond(to: WriteReceipt(key: key, fingerprint: "a"))
        }
        let last = try scratch.run("SELECT max(number) FROM roster_answers")
        #expect(last.split(separator: "\n").last == "2")
        #expect(try PostgresCatalog(scratch.database).lists.map(\.name) == ["people"])
    }

    @Test("old answers, and those over the bound, are forgotten")
    func bounded() throws {
        let table = try table()
        _ = try table.respond(to: WriteReceipt(key: "old", fingerprint: "a"))
        try scratch.run("UPDATE roster_answers SET made = made - interval '86401 s'")
        let again = try table.respond(to: WriteReceipt(key: "old", fingerprint: "b"))
        #expect(again == .performed(Array("first\0\u{FF}".utf8)))
        try scratch.run(
            """
            INSERT INTO roster_answers (list, key, fingerprint, answer)
            SELECT 'people', 'n' || n, 'a', '' FROM generate_series(1, 10050) n
            """
        )
        _ = try table.respond(to: WriteReceipt(key: "last", fingerprint: "a"))
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
            try table.respond(to: WriteReceipt(key: "k", fingerprint: "a"))
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
}
