import Database
import Foundation
import Listings
import Locks
import Testing

@testable import SQLite

@Suite("Rows are written to our own tables")
struct StoredListWriterTests {
    private let folder = TemporaryFolder()

    @Test("while many rows are written, the list is read as it was", arguments: [false, true])
    func readWhileStreaming(inMemory: Bool) throws {
        let fixture =
            try inMemory
            ? WritingFixture(inMemory: MemoryDatabase()) : WritingFixture(at: folder.file("w.db"))
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
                    #expect((try? fixture.version()) == before.version)
                }
                return isKept
            }
            let after = try read()
            #expect(after.count == (isKept ? 392 : 2))
            #expect((after.version == before.version) == !isKept)
            #expect(try fixture.version() == after.version)
        }
    }

    @Test("somebody else's write moves the version of the list and the revision of the row")
    func otherWriters() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let revision = try #require(fixture.write(.merge, "1", ["name": .text("A")]).revision)
        let before = try fixture.version()
        let other = try DatabaseConnection(fixture.location, access: .readWrite)
        for statement in [
            "UPDATE people SET name = 'B' WHERE id = 1",
            "INSERT INTO people (id, name) VALUES (9, 'x')",
            "DELETE FROM people WHERE id = 9",
        ] {
            let earlier = try fixture.version()
            try other.execute(statement)
            #expect(try fixture.version() != earlier, "\(statement)")
        }
        #expect(try fixture.version().epoch == before.epoch)
        #expect(
            try fixture.refusal(.delete, "1", when: [.isAt([revision])]) == .failedCondition("1")
        )
    }

    @Test("a row that takes the id of one that has gone has another revision")
    func revisionsOfOneID() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let first = try fixture.write(.insert, "5", ["name": .text("a")])
        _ = try fixture.write(.delete, "5")
        #expect(try fixture.write(.insert, "5", ["name": .text("a")]).revision != first.revision)
    }

    @Test("a list whose ids are texts makes one where none is given")
    func textIDs() throws {
        let fixture = try WritingFixture(at: folder.file("t.db"), csv: "name,id\nA,a\n")
        #expect(try fixture.write(.insert, nil, ["name": .text("B")]).id.utf8.count == 16)
        #expect(
            try fixture.refusal(.insert, "", ["name": .text("C")])
                == .invalid([FieldValidationError(column: nil, .missing)])
        )
    }
}

@Suite("Receipts of batches in a file")
struct WriteReceiptTests {
    private let folder = TemporaryFolder()

    @Test("a writer after the last one finds the log that its own closing has removed")
    func closed() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let log = folder.path + "/w.db-wal"
        for number in 0..<3 {
            let receipt = WriteReceipt(key: "\(number)", fingerprint: "a")
            let first = try fixture.respond(to: receipt)
            #expect(first == .performed(Array("first\0\u{FF}".utf8)))
            // As after an error that a new connection may not have.
            fixture.gate.session.replace(with: nil)
            #expect(!FileManager.default.fileExists(atPath: log))
            // Takes the number that the file system would give to the next log.
            try Data().write(to: URL(filePath: folder.path + "/\(number)"))
        }
    }

    @Test("old answers, and those over the bound, are forgotten")
    func bounded() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        _ = try fixture.respond(to: WriteReceipt(key: "old", fingerprint: "a"))
        let connection = try DatabaseConnection(fixture.location, access: .readWrite)
        try connection.execute("UPDATE roster_answers SET made = made - 86401")
        let again = try fixture.respond(to: WriteReceipt(key: "old", fingerprint: "b"))
        #expect(again == .performed(Array("first\0\u{FF}".utf8)))
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
        _ = try fixture.respond(to: WriteReceipt(key: "last", fingerprint: "a"))
        #expect(try count() == Int64(WriteReceipt.maximumCount))
        // An answer as large as all that may be kept leaves room for the next one only.
        try connection.execute(
            "UPDATE roster_answers SET rowid = rowid + \(WriteReceipt.maximumBytes)"
                + " WHERE key = 'last'"
        )
        _ = try fixture.respond(to: WriteReceipt(key: "next", fingerprint: "a"))
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
        #expect(try successor.rows().count == 3)
    }
}
