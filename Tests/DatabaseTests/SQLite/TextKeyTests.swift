import Database
import Listings
import TableFiles
import TestSupport
import Testing

@testable import SQLite

@Suite("Sort keys of texts")
struct TextKeyTests {
    private let folder = TemporaryFolder()

    private static func key(_ text: String) -> [UInt8] {
        guard case .text(let key) = OrderingKey.key(of: .text(text)) else { return [] }
        return Array(key.utf8)
    }

    private static func random(using random: inout SeededGenerator) -> String {
        let scalars: [ClosedRange<UInt32>] = [
            0...5, 0x20...0x7F, 0x41...0x5A, 0x60...0x7E, 0xC0...0x17F, 0x300...0x310,
            0x390...0x450, 0x9A0...0x9D0, 0xAC00...0xAC80, 0x1F600...0x1F610, 0x4E00...0x4E10,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let range = random.pick(scalars)
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
                text.append(scalar)
            }
        }
        return String(text)
    }

    @Test("bytes of keys have the order of texts, and a key gives its text back")
    func order() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let left = Self.random(using: &random)
            // Texts of the same letters in other spellings are the difficult ones.
            let right =
                random.chance(50)
                ? Self.random(using: &random)
                : random.pick([left.uppercased(), left.lowercased(), left + "\u{301}", left + "`"])
            let keys = (Self.key(left), Self.key(right))
            let isLess = keys.0.lexicographicallyPrecedes(keys.1)
            #expect(isLess == TextCollation.isLess(left, than: right), "\(left) \(right)")
            #expect((keys.0 == keys.1) == (Array(left.utf8) == Array(right.utf8)))
            let value = OrderingKey.value(of: .text(String(decoding: keys.0, as: UTF8.self)))
            guard case .text(let text) = value else {
                Issue.record("\(left) became \(value)")
                continue
            }
            #expect(Array(text.utf8) == Array(left.utf8))
        }
    }

    @Test("the key of a first letter has the order of letters and gives it back")
    func initials() {
        for value in UInt32(0)..<0x3_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let letter = TextCollation.initial(of: String(scalar))
            let key = TextKey.key(ofInitial: letter)
            #expect(TextCollation.initial(of: key) == letter)
            guard letter != TextCollation.noLetter else { continue }
            #expect(Self.key(String(scalar)).starts(with: Array(key.utf8)))
        }
    }

    @Test("SQLite makes the same keys of texts and first letters, stored or not")
    func engine() throws {
        let connection = try DatabaseConnection(.uniqueMemory(), access: .readWrite)
        let both = try connection.prepare(
            """
            SELECT \(TextKey.complete("?1", key: "roster_order(?1)")),
              \(TextKey.initial("?1", key: "roster_order(?1)"))
            """
        )
        var random = SeededGenerator(seed: 12)
        for _ in 0..<2_000 {
            let text = Self.random(using: &random)
            try both.bind(1, text)
            #expect(try both.step())
            #expect(Array(both.text(0).utf8) == Self.key(text))
            let letter = TextCollation.initial(of: text)
            #expect(both.text(1) == TextKey.key(ofInitial: letter))
            both.reset()
        }
    }

    @Test("indexes are created one by one, and the catalog counts those that are missing")
    func stepwise() throws {
        let connection = try DatabaseConnection(.uniqueMemory(), access: .readWrite)
        func shape(_ list: ListMetadata) throws(SQLiteError) -> (TableDescription, ListSchema)? {
            guard
                let table = TableDescription(
                    list: list.name,
                    table: list.table,
                    idType: list.idType,
                    columns: list.columns
                ), let schema = try? ListSchema(columns: list.columns, idType: list.idType)
            else { return nil }
            return (table, schema)
        }
        func list() throws -> ListMetadata {
            try #require(try ListCatalog.list(named: "people", in: connection))
        }
        try ListImporter(
            connection,
            makeIndexes: { (connection, list) throws(SQLiteError) in
                guard let (table, schema) = try shape(list) else { return }
                try TableIndexes.createFirst(for: table, schema: schema, on: connection)
            }
        ).importText("id,name,city\n1,Ada,Oslo\n2,Åsa,Rome\n", .csv, as: "people")
        #expect(try list().missingIndexes == 3)
        #expect(try list().wordIndex == nil)
        let (table, schema) = try #require(try shape(try list()))
        for left in [2, 1, 0, 0] {
            #expect(try TableIndexes.createNext(for: table, schema: schema, on: connection) == left)
            #expect(try list().missingIndexes == left)
        }
        #expect(try list().wordIndex != nil)
    }

    @Test("a program without Roster's functions can check and compact an imported list")
    func plainPrograms() throws {
        let path = "\(folder.path)/list.db"
        let connection = try DatabaseConnection(.file(path), access: .readWrite)
        let rows = (1...300).map { "\($0),Ärger \($0),x\($0),\($0 % 3 == 0 ? "abc" : "1.50")" }
        let text = (["id,name,code,mixed"] + rows).joined(separator: "\n")
        try ListImporter(
            connection,
            makeIndexes: { (connection, list) throws(SQLiteError) in
                guard
                    let table = TableDescription(
                        list: list.name,
                        table: list.table,
                        idType: list.idType,
                        columns: list.columns,
                        keyed: list.keyed
                    ), let schema = try? ListSchema(columns: list.columns, idType: list.idType)
                else { return }
                try TableIndexes.create(for: table, schema: schema, on: connection)
            }
        ).importText(text, .csv, as: "people")
        // The engine's own program knows no function of Roster.
        let plain = try PlainDatabase(path)
        #expect(try plain.first("PRAGMA integrity_check") == "ok")
        #expect(try plain.first("SELECT count(*) FROM people") == "300")
        try plain.run("VACUUM INTO '\(folder.path)/copy.db'")
        let copy = try PlainDatabase("\(folder.path)/copy.db")
        #expect(try copy.first("PRAGMA integrity_check") == "ok")
        #expect(throws: PlainDatabase.Failure.self) {
            try plain.run("UPDATE people SET name = 'x' WHERE id = 1")
        }
    }
}
