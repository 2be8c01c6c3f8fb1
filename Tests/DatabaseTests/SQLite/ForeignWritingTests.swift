import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Rows are written to SQLite tables of other programs")
struct ForeignWritingTests {
    private let folder = TemporaryFolder()

    private func table(_ definition: String, _ name: String) throws -> ForeignFixture {
        try ForeignFixture(definition, named: name, at: folder.file("theirs.db"))
    }

    private func people() throws -> ForeignFixture {
        try table(
            """
            CREATE TABLE city (name TEXT PRIMARY KEY);
            INSERT INTO city VALUES ('Oslo'), ('Paris');
            CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
                mail TEXT UNIQUE COLLATE NOCASE, age INT CHECK (age >= 0),
                city TEXT REFERENCES city, role TEXT DEFAULT 'guest',
                twice INT GENERATED ALWAYS AS (age * 2) VIRTUAL, made DATETIME, photo BLOB);
            INSERT INTO people (name, mail, age, made)
                VALUES ('Ada', 'a@b.c', 36, '2024-01-02 03:04:05'), ('Bob', NULL, NULL, NULL);
            """,
            "people"
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
        // AUTOINCREMENT does not give an id again.
        #expect(try table.write(.delete, "3").effect == .deleted)
        #expect(try table.write(.insert, nil, ["name": .text("Di")]).id == "4")
        // Undo sends all values of a row again.
        #expect(try table.write(.insert, "9", ["name": .text("E"), "photo": .null]).id == "9")
        #expect(try table.run("PRAGMA journal_mode") == "delete")
        #expect(
            try table.run("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'roster%'") == "0"
        )
    }

    @Test("a change that the database refuses says which value it is, and changes nothing")
    func refusals() throws {
        let table = try people()
        func fault(
            _ id: String,
            _ reason: FieldValidationError.Reason = .againstRule
        ) throws -> RowRefusal {
            .invalid([FieldValidationError(column: try table.column(id), reason)])
        }
        let before = try table.rows()
        let name = CellValue.text("X")
        #expect(
            try table.refusal(.insert, nil, ["name": name, "mail": .text("A@B.C")])
                == .takenValues([try table.column("mail")])
        )
        #expect(
            try table.refusal(.merge, "2", ["age": .integer(-1)])
                == fault("age", .violates("age >= 0"))
        )
        #expect(
            try table.refusal(.merge, "2", ["city": .text("Rome")])
                == fault("city", .violates("city REFERENCES city(name)"))
        )
        #expect(
            try table.refusal(.merge, "2", ["age": .text("x")])
                == fault("age", .wrongType(.integer))
        )
        #expect(try table.refusal(.merge, "2", ["twice": .integer(1)]) == fault("twice", .notGiven))
        #expect(
            try table.refusal(.merge, "2", ["photo": .text("x")])
                == fault("photo", .wrongType(.bytes))
        )
        #expect(try table.refusal(.insert, nil, [:]) == fault("name", .missing))
        let cities = try ForeignFixture(opening: "city", at: table.location)
        #expect(try cities.refusal(.insert, "Oslo") == .existingRow("Oslo"))
        #expect(try cities.refusal(.insert, nil) == .invalid([.init(column: 0, .missing)]))
        #expect(try table.write(.merge, "2", ["city": .text("Oslo")]).effect == .changed)
        #expect(
            try cities.refusal(.delete, "Oslo") == .referredTo("Oslo", constraint: "people.city")
        )
        #expect(try table.write(.merge, "2", ["city": .null]).effect == .changed)
        #expect(try table.rows() == before)
    }

    @Test("what a trigger refuses, leaves out or rolls back changes nothing, also in a group")
    func triggers() throws {
        let table = try table(
            """
            CREATE TABLE kept (id INTEGER PRIMARY KEY, name TEXT, done INT, place INT
                REFERENCES kept(id) DEFERRABLE INITIALLY DEFERRED);
            CREATE TABLE log (what TEXT);
            INSERT INTO kept VALUES (1, 'Ada', 1, NULL), (2, 'Bob', 0, 1);
            CREATE TRIGGER a BEFORE INSERT ON kept WHEN new.name = 'abort'
                BEGIN SELECT RAISE(ABORT, 'it is not wanted'); END;
            CREATE TRIGGER f AFTER INSERT ON kept WHEN new.name = 'fail'
                BEGIN INSERT INTO log VALUES ("left"); SELECT RAISE(FAIL, 'it fails'); END;
            CREATE TRIGGER r BEFORE INSERT ON kept WHEN new.name = 'roll'
                BEGIN SELECT RAISE(ROLLBACK, 'all is undone'); END;
            CREATE TRIGGER i BEFORE DELETE ON kept WHEN old.done BEGIN SELECT RAISE(IGNORE); END;
            """,
            "kept"
        )
        let before = try table.rows()
        func refused(_ column: String?, _ reason: FieldValidationError.Reason) throws -> RowRefusal
        {
            .invalid([FieldValidationError(column: try column.map(table.column), reason)])
        }
        func insert(_ name: String) throws -> RowRefusal? {
            try table.refusal(.insert, nil, ["name": .text(name)])
        }
        #expect(try insert("abort") == refused("name", .refused("it is not wanted")))
        #expect(try insert("fail") == refused("name", .refused("it fails")))
        #expect(try insert("roll") == refused(nil, .refused("all is undone")))
        #expect(try table.refusal(.delete, "1") == refused(nil, .againstRule))
        #expect(
            try table.refusal(.merge, "2", ["place": .integer(77)])
                == refused(nil, .violates("FOREIGN KEY"))
        )
        let changes = try ["good", "roll"].map {
            try table.change(.insert, nil, ["name": .text($0)])
        }
        #expect(throws: WriteError.refused([1: try refused(nil, .refused("all is undone"))])) {
            try table.write(changes, manner: .each)
        }
        #expect(try table.rows() == before)
        #expect(try table.run("SELECT count(*) FROM log") == "0")
    }

    @Test("conflict clauses of a table delete no other row, and bare names are texts in defaults")
    func clauses() throws {
        let table = try table(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, e TEXT UNIQUE ON CONFLICT REPLACE,
                i TEXT UNIQUE ON CONFLICT IGNORE, kind TEXT DEFAULT plain, other TEXT DEFAULT [a b],
                made TEXT DEFAULT CURRENT_DATE);
            INSERT INTO t (e, i) VALUES ('a', 'x'), ('b', 'y');
            """,
            "t"
        )
        let (e, i) = (try table.column("e"), try table.column("i"))
        #expect(try table.refusal(.insert, nil, ["e": .text("a")]) == .takenValues([e]))
        #expect(try table.refusal(.merge, "2", ["e": .text("a")]) == .takenValues([e]))
        #expect(try table.refusal(.merge, "2", ["i": .text("x")]) == .takenValues([i]))
        #expect(
            try table.write(.merge, "1", ["kind": .text("z"), "made": .null]).effect == .changed
        )
        #expect(try table.write(.replace, "1", ["e": .text("a")]).effect == .changed)
        let replaced = try table.run(
            "SELECT kind || other || (made = CURRENT_DATE) FROM t WHERE id = 1"
        )
        #expect(replaced == "plaina b1")
        #expect(try table.run("SELECT count(*) FROM t") == "2")
    }

    @Test("keys of every kind are written")
    func keys() throws {
        let line = try table(
            """
            CREATE TABLE line (ord INT, pos TEXT, what TEXT, PRIMARY KEY (ord, pos)) WITHOUT ROWID;
            CREATE TABLE made (key TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(4)))), name TEXT);
            CREATE TABLE plain (id TEXT PRIMARY KEY, name TEXT);
            CREATE TABLE heap (name TEXT, n INT);
            CREATE TABLE kinds (id INTEGER PRIMARY KEY, n INT, r REAL, t TEXT, x ANY) STRICT;
            INSERT INTO line VALUES (9, 'z', 'last');
            INSERT INTO heap VALUES ('a', 1);
            INSERT INTO kinds VALUES (1, 1, 1.5, 'a', 7), (2, 2, 2.5, 'b', 'x');
            """,
            "line"
        )
        let values: [String: CellValue] = ["ord": .integer(1), "pos": .text("a,b")]
        #expect(try line.write(.insert, nil, values).id == "1,a%2Cb")
        #expect(try line.refusal(.insert, nil, values) == .existingRow("1,a%2Cb"))
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
        func opened(_ name: String) throws -> ForeignFixture {
            try ForeignFixture(opening: name, at: line.location)
        }
        #expect(try opened("made").write(.insert, nil, ["name": .text("x")]).id.utf8.count == 8)
        #expect(try opened("plain").write(.insert, nil, ["name": .text("x")]).id.utf8.count == 16)
        let heap = try opened("heap")
        #expect(try heap.write(.insert, nil, ["name": .text("b")]).id == "2")
        #expect(try heap.write(.merge, "1", ["n": .integer(5)]).effect == .changed)
        #expect(try heap.rows() == [["1", "a", "5"], ["2", "b", ""]])
        let kinds = try opened("kinds")
        let all: [String: CellValue] = ["n": .integer(3), "r": .integer(4), "x": .text("y")]
        let made = try kinds.write(.insert, nil, all)
        #expect(made.id == "3")
        // The revision that the change returns is that of the row as it is stored.
        let same = try kinds.write(.merge, "3", ["n": .integer(3)], when: [.exists])
        #expect(same.revision == made.revision)
        #expect(
            try kinds.run("SELECT typeof(r) || typeof(x) FROM kinds WHERE id = 3") == "realtext"
        )
    }

    @Test("a decimal that SQLite cannot store exactly is refused")
    func decimals() throws {
        let table = try table(
            "CREATE TABLE prices (id INTEGER PRIMARY KEY, price DECIMAL(30, 2)); "
                + "INSERT INTO prices VALUES (1, 1.5)",
            "prices"
        )
        let exact = try #require(ExactDecimal("12.25"))
        let long = try #require(ExactDecimal("12345678901234567890.12"))
        #expect(try table.write(.merge, "1", ["price": .decimal(exact)]).effect == .changed)
        let refusal = try table.refusal(.merge, "1", ["price": .decimal(long)])
        let reason = FieldValidationError.Reason.refused(
            "SQLite would store it as 12345678901234567168"
        )
        #expect(refusal == .invalid([FieldValidationError(column: 1, reason)]))
        #expect(try table.rows() == [["1", "12.25"]])
    }

    @Test(
        "a time is spelled like the others of its column",
        arguments: [
            ("2024-01-02 03:04:05", "2025-06-07T08:09:10Z", "2025-06-07 08:09:10"),
            ("2024-01-02 03:04:05", "2025-06-07T08:09", "2025-06-07 08:09:00"),
            ("2024-01-02T03:04:05Z", "2025-06-07T08:09:10+02:00", "2025-06-07T06:09:10Z"),
            ("2024-01-02 03:04:05.123456", "2025-06-07 08:09:10.5", "2025-06-07 08:09:10.5"),
        ]
    )
    func times(stored: String, given: String, spelled: String) throws {
        let table = try table(
            """
            CREATE TABLE events (id INTEGER PRIMARY KEY, made DATETIME);
            INSERT INTO events VALUES (1, '\(stored)');
            """,
            "events"
        )
        let time = CellValue.timestamp(try #require(Timestamp(given)))
        _ = try table.write(.insert, nil, ["made": time])
        _ = try table.write(.merge, "1", ["made": time])
        #expect(
            try table.run("SELECT group_concat(made, '|') FROM events") == "\(spelled)|\(spelled)"
        )
    }

    @Test("full-text tables that triggers keep follow the rows")
    func fullText() throws {
        let table = try table(
            """
            CREATE TABLE docs (id INTEGER PRIMARY KEY, body TEXT);
            CREATE VIRTUAL TABLE words USING fts5(body, content='docs', content_rowid='id');
            CREATE TRIGGER ai AFTER INSERT ON docs BEGIN
                INSERT INTO words(rowid, body) VALUES (new.id, new.body); END;
            CREATE TRIGGER au AFTER UPDATE ON docs BEGIN
                INSERT INTO words(words, rowid, body) VALUES ('delete', old.id, old.body);
                INSERT INTO words(rowid, body) VALUES (new.id, new.body); END;
            INSERT INTO docs (body) VALUES ('a brown fox');
            """,
            "docs"
        )
        _ = try table.write(.merge, "1", ["body": .text("a red fox")])
        #expect(try table.write(.insert, nil, ["body": .text("a red dog")]).id == "2")
        #expect(try table.run("SELECT count(*) FROM words WHERE words MATCH 'red'") == "2")
        #expect(try table.run("SELECT count(*) FROM words WHERE words MATCH 'brown'") == "0")
    }

    @Test("tables that cannot be written have the reason")
    func unwritable() throws {
        try PlainDatabase(folder.path + "/theirs.db").run(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO t VALUES (1, 'a'), (2, 'b');
            CREATE VIEW v AS SELECT * FROM t;
            CREATE VIRTUAL TABLE f USING fts5(body);
            CREATE TABLE broken (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TRIGGER b AFTER INSERT ON broken BEGIN INSERT INTO gone VALUES (1); END;
            """
        )
        var selection = TableSelection()
        selection.keys = ["t": ["name"]]
        selection.only = ["t", "v", "f", "broken"]
        let catalog = try ForeignCatalog(
            folder.file("theirs.db"),
            selection: selection,
            isWritten: true
        )
        #expect(catalog.writing.isEmpty)
        #expect(
            catalog.unwritable == [
                "t": .openKey(columns: ["name"]), "v": .view, "f": .virtualTable,
                "broken": .refused(message: "no such table: main.gone"),
            ]
        )
    }

    @Test("another program's lock is waited for, and its changes are compared")
    func others() throws {
        let table = try people()
        let other = try PlainDatabase(folder.path + "/theirs.db")
        try other.run("BEGIN IMMEDIATE; UPDATE people SET age = 1 WHERE id = 1")
        #expect(throws: WriteError.busy) { try table.write(.merge, "1", ["age": .integer(2)]) }
        try other.run("COMMIT")
        let now = try #require(try table.write(.merge, "1").revision)
        try other.run("UPDATE people SET role = 'boss' WHERE id = 1")
        #expect(
            try table.refusal(.merge, "1", ["age": .integer(3)], when: [.isAt([now])])
                == .failedCondition("1")
        )
        // A column that the list does not know yet.
        try other.run("ALTER TABLE people ADD COLUMN nick TEXT")
        #expect(throws: WriteError.redefined) { try table.write(.merge, "1", ["age": .integer(3)]) }
        #expect(
            try table.reopened().write(.merge, "1", ["nick": .text("A")]).effect == .changed
        )
    }

    @Test("the table of responses is made by the first of them, and is no list")
    func receipts() throws {
        let table = try people()
        _ = try table.respond(to: WriteReceipt(key: "k", fingerprint: "a"))
        #expect(try table.run("SELECT count(*) FROM roster_answers") == "1")
        #expect(try ForeignCatalog(table.location).lists.map(\.name) == ["city", "people"])
    }
}
