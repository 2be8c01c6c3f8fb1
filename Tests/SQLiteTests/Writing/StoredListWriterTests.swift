import Database
import Foundation
import Listings
import Locks
import Testing

@testable import SQLite

@Suite("Rows are written to our own tables")
struct StoredListWriterTests {
    private let folder = TemporaryFolder()

    private func fixture(inMemory: Bool = false) throws -> (WritingFixture, MemoryDatabase?) {
        guard inMemory else { return (try WritingFixture(at: folder.file("w.db")), nil) }
        let memory = try MemoryDatabase()
        return (try WritingFixture(at: memory.location), memory)
    }

    @Test("every verb does what it says", arguments: [false, true])
    func verbs(inMemory: Bool) throws {
        let (fixture, memory) = try fixture(inMemory: inMemory)
        let writer = try fixture.makeWriter()
        let (name, age) = (try fixture.column("name"), try fixture.column("age"))
        func write(
            _ verb: RowChange.Verb,
            _ id: String?,
            _ values: [Int: CellValue] = [:]
        ) throws
            -> ChangedRow
        {
            try writer.write(RowChange(verb, id: id, values: values), of: fixture)
        }
        let made = try write(.insert, nil, [name: .text("Cy"), age: .integer(9)])
        #expect(made.id == "3" && made.effect == .created)
        #expect(try write(.insertIfAbsent, "1", [name: .text("X")]).effect == .unchanged)
        let replaced = try write(.replace, "1", [name: .text("Eve")])
        #expect(replaced.effect == .changed)
        #expect(try write(.replace, "9", [name: .text("Ivy")]).effect == .created)
        #expect(try write(.merge, "2", [age: .integer(40)]).effect == .changed)
        #expect(try write(.merge, "2", [age: .integer(40)]).effect == .unchanged)
        #expect(try write(.mergeOrInsert, "3", [name: .text("Cyd")]).effect == .changed)
        #expect(try write(.delete, "9").effect == .deleted)
        #expect(
            try fixture.rows().rows == [
                ["1", "Eve", "", "", ""], ["2", "Bob", "40", "", ""], ["3", "Cyd", "9", "", ""],
            ]
        )
        withExtendedLifetime(memory) {}
    }

    @Test("while many rows are written, the list is read as it was", arguments: [false, true])
    func readWhileStreaming(inMemory: Bool) throws {
        let (fixture, memory) = try fixture(inMemory: inMemory)
        let stream = try #require(fixture.makeWriter().abilities.stream)
        let name = try fixture.column("name")
        // Opened before, and used meanwhile and afterwards.
        let reader = try fixture.source.makeReader()
        var page = Page(list: "people", schema: fixture.source.schema)
        func read() throws -> (count: Int, version: ListVersion) {
            try reader.read(ListQuery(shape: .flow(limit: 500)), into: &page)
            return (page.rowCount, page.version)
        }
        let before = try read()
        for isKept in [false, true] {
            try stream("people") { perform throws(WriteError) in
                for number in 10..<400 {
                    let values = [name: CellValue.text("n\(number)")]
                    _ = try perform(RowChange(.insert, id: "\(number)", values: values))
                }
                for _ in 0..<2 {
                    let seen = try? read()
                    #expect(seen?.count == before.count)
                    #expect(seen?.version == before.version)
                    #expect((try? fixture.rows())?.version == before.version)
                }
                return isKept
            }
            let after = try read()
            #expect(after.count == (isKept ? 392 : 2))
            #expect((after.version == before.version) == !isKept)
            #expect(try fixture.rows().version == after.version)
        }
        withExtendedLifetime(memory) {}
    }

    @Test("a change that is refused says why, and changes nothing")
    func refusals() throws {
        let (fixture, _) = try fixture()
        let writer = try fixture.makeWriter()
        let name = try fixture.column("name")
        let before = try fixture.rows()
        let cases: [(RowChange, RowRefusal)] = [
            (RowChange(.insert, id: "1", values: [name: .text("X")]), .existingRow("1")),
            (RowChange(.merge, id: "7"), .unknownRow("7")),
            (RowChange(.delete, id: "7"), .unknownRow("7")),
            (
                RowChange(.delete, id: "1", conditions: [.isAt([4])]),
                .failedCondition("1")
            ),
            (
                RowChange(.replace, id: "1", values: [name: .text("X")], conditions: [.isAbsent]),
                .failedCondition("1")
            ),
            (
                RowChange(
                    .insert,
                    id: "x",
                    values: [1: .text("7"), 2: .integer(7), 3: .text("@")]
                ),
                .invalid([
                    FieldValidationError(column: nil, .wrongType(.integer)),
                    FieldValidationError(column: 0, .missing),
                    FieldValidationError(column: 1, .wrongType(.integer)),
                    FieldValidationError(column: 2, .wrongType(.date)),
                    FieldValidationError(column: 3, .wrongType(.email)),
                ])
            ),
            (
                RowChange(.merge, id: "1", values: [name: .text("  ")]),
                .invalid([FieldValidationError(column: 0, .missing)])
            ),
            (
                RowChange(.merge, id: "1", values: [name: .text("a\u{0}b")]),
                .invalid([FieldValidationError(column: 0, .holdsNUL)])
            ),
        ]
        for (change, refusal) in cases {
            #expect(throws: WriteError.refused([0: refusal])) {
                try writer.write([change], of: fixture)
            }
        }
        let after = try fixture.rows()
        #expect(after.rows == before.rows)
        #expect(after.version == before.version)
    }

    @Test("a batch is performed whole or not at all, or each change for itself")
    func batches() throws {
        let (fixture, _) = try fixture()
        let writer = try fixture.makeWriter()
        let name = try fixture.column("name")
        let changes = [
            RowChange(.insert, id: "10", values: [name: .text("new")]),
            RowChange(.insert, id: "1", values: [name: .text("taken")]),
            RowChange(.insert, id: "10", values: [name: .text("taken by the first")]),
        ]
        #expect(throws: WriteError.refused([1: .existingRow("1"), 2: .existingRow("10")])) {
            try writer.write(changes, of: fixture)
        }
        #expect(try fixture.rows().rows.map { $0[0] } == ["1", "2"])
        let results = try writer.write(changes, of: fixture, manner: .each)
        #expect(try results[0].get().effect == .created)
        #expect(results[1] == .failure(.existingRow("1")))
        #expect(try fixture.rows().rows.map { $0[0] } == ["1", "2", "10"])
    }

    @Test("the version moves with every change, and with nothing else")
    func versions() throws {
        let (fixture, _) = try fixture()
        let writer = try fixture.makeWriter()
        let name = try fixture.column("name")
        let first = try fixture.rows().version
        let same = RowChange(.merge, id: "1", values: [name: .text("Ada")])
        _ = try writer.write(same, of: fixture)
        #expect(try fixture.rows().version == first)
        let other = RowChange(.merge, id: "1", values: [name: .text("Eve")])
        _ = try writer.write(other, of: fixture)
        #expect(try fixture.rows().version.counter > first.counter)
    }

    @Test("somebody else's write moves the version of the list and the revision of the row")
    func otherWriters() throws {
        let (fixture, _) = try fixture()
        let writer = try fixture.makeWriter()
        let name = try fixture.column("name")
        let first = try writer.write(
            RowChange(.merge, id: "1", values: [name: .text("A")]),
            of: fixture
        )
        let before = try fixture.rows().version
        let other = try DatabaseConnection(fixture.location, access: .readWrite)
        for statement in [
            "UPDATE people SET name = 'B' WHERE id = 1",
            "INSERT INTO people (id, name) VALUES (9, 'x')",
            "DELETE FROM people WHERE id = 9",
        ] {
            let earlier = try fixture.rows().version
            try other.execute(statement)
            #expect(try fixture.rows().version != earlier, "\(statement)")
        }
        #expect(try fixture.rows().version.epoch == before.epoch)
        let revision = try #require(first.revision)
        #expect(throws: WriteError.refused([0: .failedCondition("1")])) {
            try writer.write(
                [RowChange(.delete, id: "1", conditions: [.isAt([revision])])],
                of: fixture
            )
        }
    }

    @Test("a row that takes the id of one that has gone has another revision")
    func revisionsOfOneID() throws {
        let (fixture, _) = try fixture()
        let writer = try fixture.makeWriter()
        let name = try fixture.column("name")
        let insertion = RowChange(.insert, id: "5", values: [name: .text("a")])
        let first = try writer.write(insertion, of: fixture)
        _ = try writer.write(RowChange(.delete, id: "5"), of: fixture)
        #expect(try writer.write(insertion, of: fixture).revision != first.revision)
    }

    @Test("a list whose ids are texts makes one where none is given")
    func textIDs() throws {
        let fixture = try WritingFixture(at: folder.file("t.db"), csv: "name,id\nA,a\n")
        let writer = try fixture.makeWriter()
        let made = try writer.write(
            RowChange(.insert, id: nil, values: [0: .text("B")]),
            of: fixture
        )
        #expect(made.id.utf8.count == 16)
        #expect(
            throws: WriteError.refused([0: .invalid([FieldValidationError(column: nil, .missing)])])
        ) {
            try writer.write([RowChange(.insert, id: "", values: [0: .text("C")])], of: fixture)
        }
    }

    @Test("values that look like SQL are values")
    func injection() throws {
        let hostile = #"'); DROP TABLE people; -- " ' \ ?1 %s"#
        let fixture = try WritingFixture(at: folder.file("t.db"), csv: "name,id\nA,a\n")
        let writer = try fixture.makeWriter()
        let change = RowChange(.insert, id: hostile, values: [0: .text(hostile)])
        #expect(try writer.write(change, of: fixture).id == hostile)
        _ = try writer.write(
            RowChange(.merge, id: hostile, values: [0: .text(hostile + "!")]),
            of: fixture
        )
        #expect(try fixture.rows().rows.contains([hostile, hostile + "!"]))
        #expect(try writer.write(RowChange(.delete, id: hostile), of: fixture).effect == .deleted)
        #expect(try fixture.rows().rows == [["a", "A"]])
    }
}

@Suite("A batch with a receipt is performed once")
struct WriteReceiptTests {
    private let folder = TemporaryFolder()

    private func answer(
        _ receipt: WriteReceipt,
        by writer: any ListWriter,
        of fixture: WritingFixture,
        name: String = "Cy",
        text: String = "first"
    ) throws -> WriteResponse {
        var page = Page(list: "people", schema: fixture.source.schema)
        let change = RowChange(.insert, id: nil, values: [0: .text(name)])
        return try writer.write(WriteBatch([change], receipt: receipt), into: &page) { _, _ in
            Array(text.utf8)
        }
    }

    @Test("the answer of the first time is kept with the change, beyond the end of the program")
    func repeated() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let receipt = WriteReceipt(key: "k", fingerprint: "a")
        let first = try answer(receipt, by: fixture.makeWriter(), of: fixture)
        #expect(first == .performed(Array("first".utf8)))
        let later = try WritingFixture(opening: fixture.location)
        let second = try answer(receipt, by: later.makeWriter(), of: later, text: "second")
        #expect(second == .repeated(Array("first".utf8)))
        #expect(try later.rows().rows.count == 3)
        #expect(throws: WriteError.reusedKey) {
            try answer(
                WriteReceipt(key: "k", fingerprint: "b"),
                by: later.makeWriter(),
                of: later
            )
        }
    }

    @Test("a writer after the last one finds the log that its own closing has removed")
    func closed() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let log = folder.path + "/w.db-wal"
        for number in 0..<3 {
            let receipt = WriteReceipt(key: "\(number)", fingerprint: "a")
            let first = try answer(receipt, by: fixture.makeWriter(), of: fixture)
            #expect(first == .performed(Array("first".utf8)))
            // As after an error that a new connection may not have.
            fixture.gate.session.replace(with: nil)
            #expect(!FileManager.default.fileExists(atPath: log))
            // Takes the number that the file system would give to the next log.
            try Data().write(to: URL(filePath: folder.path + "/\(number)"))
        }
    }

    @Test("a batch that was refused may be asked for again under its key")
    func refused() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let writer = try fixture.makeWriter()
        let receipt = WriteReceipt(key: "k", fingerprint: "a")
        #expect(throws: WriteError.self) {
            try answer(receipt, by: writer, of: fixture, name: " ")
        }
        let other = WriteReceipt(key: "k", fingerprint: "b")
        #expect(try answer(other, by: writer, of: fixture) == .performed(Array("first".utf8)))
    }

    @Test("old answers, and those over the bound, are forgotten")
    func bounded() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let writer = try fixture.makeWriter()
        _ = try answer(WriteReceipt(key: "old", fingerprint: "a"), by: writer, of: fixture)
        let connection = try DatabaseConnection(fixture.location, access: .readWrite)
        try connection.execute("UPDATE roster_answers SET made = made - 86401")
        let again = try answer(WriteReceipt(key: "old", fingerprint: "b"), by: writer, of: fixture)
        #expect(again == .performed(Array("first".utf8)))
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10050)
            INSERT INTO roster_answers (rowid, list, key, fingerprint, answer, made)
              SELECT 1000000 + i * 6711, 'people', 'n' || i, 'a', x'', 4000000000 FROM n
            """
        )
        func count() throws -> Int64 {
            let count = try connection.prepare("SELECT count(*) FROM roster_answers")
            #expect(try count.step())
            return count.integer(0)
        }
        _ = try answer(WriteReceipt(key: "last", fingerprint: "a"), by: writer, of: fixture)
        #expect(try count() == Int64(WriteReceipt.maximumCount))
        // An answer as large as all that may be kept leaves room for the next one only.
        try connection.execute(
            "UPDATE roster_answers SET rowid = rowid + \(WriteReceipt.maximumBytes)"
                + " WHERE key = 'last'"
        )
        _ = try answer(WriteReceipt(key: "next", fingerprint: "a"), by: writer, of: fixture)
        #expect(try count() == 2)
    }
}

@Suite("A database that cannot be written to says so, and recovers")
struct UnwritableTests {
    private let folder = TemporaryFolder()
    private let change = RowChange(.insert, id: nil, values: [0: .text("Cy")])

    @Test("another process that writes makes busy")
    func busy() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let writer = try fixture.makeWriter()
        let other = try DatabaseConnection(fixture.location, access: .readWrite)
        try other.begin(.writing)
        #expect(throws: WriteError.busy) { try writer.write(change, of: fixture) }
        other.rollback()
        #expect(try writer.write(change, of: fixture).effect == .created)
    }

    @Test("a list that somebody has taken out of the catalog is not written to")
    func unlisted() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let writer = try fixture.makeWriter()
        let other = try DatabaseConnection(fixture.location, access: .readWrite)
        try other.execute("DELETE FROM roster_lists")
        let gone = WriteError.unavailable(reason: "the database has no list people any more")
        #expect(throws: gone) { try writer.write(change, of: fixture) }
        let count = try other.prepare("SELECT count(*) FROM people")
        #expect(try count.step())
        #expect(count.integer(0) == 2)
    }

    @Test("a file that is gone is not made anew; its successor is written to")
    func replaced() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let writer = try fixture.makeWriter()
        _ = try writer.write(change, of: fixture)
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.path + "/w.db" + ending)
        }
        #expect(throws: WriteError.self) { try writer.write(change, of: fixture) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/w.db"))
        let successor = try WritingFixture(at: fixture.location)
        #expect(try writer.write(change, of: fixture).effect == .created)
        #expect(try successor.rows().rows.count == 3)
    }
}
