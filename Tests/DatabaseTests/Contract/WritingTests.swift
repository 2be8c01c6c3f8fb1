import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Rows are written to lists of every engine")
struct WritingTests {
    enum Kind: Equatable {
        case file, memory, postgres
        case foreign(ForeignTableKind)
        case saved(SavedFile.Form)

        static var installed: [Kind] {
            [.file, .memory] + (PostgresCluster.shared == nil ? [] : [.postgres])
                + ForeignTableKind.allCases.map(Kind.foreign)
                + SavedFile.Form.allCases.map(Kind.saved)
        }
    }

    enum ForeignTableKind: String, CaseIterable {
        case plain, autoincrement, strict, checked, unique, referring, logged, searched

        var definition: String {
            let key = self == .autoincrement ? " AUTOINCREMENT" : ""
            let mail =
                switch self {
                case .checked: " CHECK (mail LIKE '%@%')"
                case .unique: " UNIQUE ON CONFLICT REPLACE"
                default: ""
                }
            let age =
                self == .referring ? " REFERENCES ages (age) DEFERRABLE INITIALLY DEFERRED" : ""
            let born = self == .strict ? "TEXT" : "DATE"
            let table = """
                CREATE TABLE people (id INTEGER PRIMARY KEY\(key), name TEXT NOT NULL,
                    age INT\(age), born \(born), mail TEXT\(mail))\(self == .strict ? " STRICT" : "");
                INSERT INTO people (name, age, born, mail)
                    VALUES ('Ada', 36, '1815-12-10', 'ada@example.org'), ('Bob', NULL, NULL, NULL);
                """
            return switch self {
            case .referring:
                """
                CREATE TABLE ages (age INT PRIMARY KEY);
                INSERT INTO ages VALUES (9), (36), (40), (99);
                \(table)
                """
            case .logged:
                """
                \(table)
                CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT);
                CREATE TRIGGER i AFTER INSERT ON people BEGIN
                    INSERT INTO log (text) VALUES (new.name); END;
                CREATE TRIGGER u AFTER UPDATE ON people BEGIN
                    INSERT INTO log (text) VALUES (new.name); END;
                CREATE TRIGGER d AFTER DELETE ON people BEGIN
                    INSERT INTO log (text) VALUES (old.name); END;
                """
            case .searched:
                """
                \(table)
                CREATE VIRTUAL TABLE words USING fts5(name, content='people', content_rowid='id');
                INSERT INTO words (words) VALUES ('rebuild');
                CREATE TRIGGER i AFTER INSERT ON people BEGIN
                    INSERT INTO words (rowid, name) VALUES (new.id, new.name); END;
                CREATE TRIGGER d AFTER DELETE ON people BEGIN
                    INSERT INTO words (words, rowid, name) VALUES ('delete', old.id, old.name); END;
                CREATE TRIGGER u AFTER UPDATE ON people BEGIN
                    INSERT INTO words (words, rowid, name) VALUES ('delete', old.id, old.name);
                    INSERT INTO words (rowid, name) VALUES (new.id, new.name); END;
                """
            default: table
            }
        }
    }

    private let folder = TemporaryFolder()

    /// Ada, who is 36, and Bob.
    private func people(_ kind: Kind) throws -> any WrittenList {
        switch kind {
        case .file: try WritingFixture(at: folder.file("w.db"))
        case .memory: try WritingFixture(inMemory: MemoryDatabase())
        case .saved(let form):
            try WritingFixture(SavedFile(form, in: folder), at: folder.file("w.db"))
        case .foreign(let kind):
            try ForeignFixture(kind.definition, named: "people", at: folder.file("theirs.db"))
        case .postgres:
            try WritableTable(
                """
                CREATE TABLE people (id serial PRIMARY KEY, name text NOT NULL, age int, born date,
                    mail text);
                INSERT INTO people (name, age, born, mail)
                    VALUES ('Ada', 36, '1815-12-10', 'ada@example.org'), ('Bob', NULL, NULL, NULL);
                """,
                named: "people",
                in: ScratchSchema()
            )
        }
    }

    @Test("every verb does what it says", arguments: Kind.installed)
    func verbs(kind: Kind) throws {
        let list = try people(kind)
        let made = try list.write(.insert, nil, ["name": .text("Cy"), "age": .integer(9)])
        #expect(made.id == "3" && made.effect == .created)
        #expect(try list.write(.insertIfAbsent, "1", ["name": .text("X")]).effect == .unchanged)
        #expect(try list.write(.replace, "1", ["name": .text("Eve")]).effect == .changed)
        #expect(try list.write(.replace, "9", ["name": .text("Ivy")]).effect == .created)
        #expect(try list.write(.merge, "2", ["age": .integer(40)]).effect == .changed)
        let version = try list.version()
        #expect(try list.write(.merge, "2", ["age": .integer(40)]).effect == .unchanged)
        if kind == .file || kind == .memory { #expect(try list.version() == version) }
        #expect(try list.write(.mergeOrInsert, "3", ["name": .text("Cyd")]).effect == .changed)
        #expect(try list.version() != version)
        #expect(try list.write(.delete, "9").effect == .deleted)
        #expect(
            try list.rows() == [
                ["1", "Eve", "", "", ""], ["2", "Bob", "40", "", ""], ["3", "Cyd", "9", "", ""],
            ]
        )
    }

    @Test("a change that is refused says why, and changes nothing", arguments: Kind.installed)
    func refusals(kind: Kind) throws {
        let list = try people(kind)
        let before = try list.rows()
        let name = ["name": CellValue.text("X")]
        func fault(
            _ id: String?,
            _ reason: FieldValidationError.Reason
        ) throws
            -> FieldValidationError
        { FieldValidationError(column: try id.map(list.column), reason) }
        #expect(try list.refusal(.insert, "1", name) == .existingRow("1"))
        #expect(try list.refusal(.merge, "7") == .unknownRow("7"))
        #expect(try list.refusal(.delete, "7") == .unknownRow("7"))
        #expect(
            try list.refusal(.replace, "1", name, when: [.isAbsent]) == .failedCondition("1")
        )
        #expect(
            try list.refusal(.insert, "x", ["age": .text("7"), "born": .integer(7)])
                == .invalid([
                    fault(nil, .wrongType(.integer)), fault("name", .missing),
                    fault("age", .wrongType(.integer)), fault("born", .wrongType(.date)),
                ])
        )
        #expect(
            try list.refusal(.merge, "1", ["name": .text("  ")])
                == .invalid([fault("name", .missing)])
        )
        #expect(
            try list.refusal(.merge, "1", ["name": .text("a\u{0}b")])
                == .invalid([fault("name", .holdsNUL)])
        )
        #expect(try list.rows() == before)
    }

    @Test(
        "a row is changed only in the state that is meant, whoever changed it",
        arguments: Kind.installed
    )
    func conditions(kind: Kind) throws {
        let list = try people(kind)
        func write(_ name: String, when conditions: [RowCondition] = []) throws -> Int64 {
            try #require(
                try list.write(.merge, "1", ["name": .text(name)], when: conditions).revision
            )
        }
        let first = try write("A")
        let second = try write("B", when: [.isAt([first])])
        #expect(second != first)
        #expect(try list.refusal(.delete, "1", when: [.isAt([first])]) == .failedCondition("1"))
        _ = try list.reopened().write(.merge, "1", ["name": .text("C")])
        #expect(try list.refusal(.delete, "1", when: [.isAt([second])]) == .failedCondition("1"))
        let last = try write("D")
        #expect(try list.write(.delete, "1", when: [.isAt([last])]).effect == .deleted)
    }

    @Test(
        "of many who mean the same state one succeeds, and of many who create a row one does",
        arguments: Kind.installed
    )
    func races(kind: Kind) async throws {
        let list = try people(kind)
        let first = try #require(
            try list.write(.insertIfAbsent, "1", ["name": .text("x")]).revision
        )
        let change = try list.change(.merge, "1", ["age": .integer(99)], when: [.isAt([first])])
        let creation = try list.change(.insert, "50", ["name": .text("New")])
        for (change, refusal) in [
            (change, RowRefusal.failedCondition("1")), (creation, .existingRow("50")),
        ] {
            let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        do {
                            _ = try list.write([change])
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
        let upsert = try list.change(.replace, "60", ["name": .text("Both")])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { _ = try list.write([upsert]) } }
            try await group.waitForAll()
        }
        #expect(try list.rows().filter { $0[0] == "60" }.count == 1)
    }

    @Test(
        "a batch is performed whole or not at all, or each change for itself",
        arguments: Kind.installed
    )
    func batches(kind: Kind) throws {
        let list = try people(kind)
        let changes = [
            try list.change(.insert, "10", ["name": .text("new")]),
            try list.change(.insert, "1", ["name": .text("taken")]),
            try list.change(.insert, "10", ["name": .text("taken by the first")]),
        ]
        #expect(throws: WriteError.refused([1: .existingRow("1"), 2: .existingRow("10")])) {
            try list.write(changes)
        }
        #expect(try list.rows().map { $0[0] } == ["1", "2"])
        let results = try list.write(changes, manner: .each)
        #expect(try results[0].get().effect == .created)
        #expect(results[1] == .failure(.existingRow("1")))
        #expect(try list.rows().map { $0[0] } == ["1", "2", "10"])
    }

    // MARK: - Receipts

    @Test(
        "the response is stored with the change, for every process that writes to the database",
        arguments: Kind.installed
    )
    func receipts(kind: Kind) throws {
        let list = try people(kind)
        let text = Array("first\0\u{FF}".utf8)
        // A batch that was refused leaves its key to another one.
        #expect(throws: WriteError.self) {
            try list.respond(to: WriteReceipt(key: "k", fingerprint: "x"), name: " ")
        }
        let receipt = WriteReceipt(key: "k", fingerprint: "a")
        #expect(try list.respond(to: receipt) == .performed(text))
        let other = try list.reopened()
        #expect(try other.respond(to: receipt, text: "second") == .repeated(text))
        #expect(throws: WriteError.reusedKey) {
            try other.respond(to: WriteReceipt(key: "k", fingerprint: "b"))
        }
        #expect(try list.rows().count == 3)
    }

    @Test(
        "sent by many at once a batch is performed once, and all get its response",
        arguments: Kind.installed
    )
    func receiptsAtOnce(kind: Kind) async throws {
        let list = try people(kind)
        let receipt = WriteReceipt(key: "k", fingerprint: "a")
        let responses = try await withThrowingTaskGroup(of: WriteResponse.self) { group in
            for number in 0..<6 {
                group.addTask { try list.respond(to: receipt, text: "\(number)") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let performed = responses.compactMap {
            if case .performed(let text) = $0 { text } else { nil }
        }
        let repeated = responses.compactMap {
            if case .repeated(let text) = $0 { text } else { nil }
        }
        #expect(performed.count == 1)
        #expect(repeated == Array(repeating: performed[0], count: 5))
        #expect(try list.rows().count == 3)
    }
}
