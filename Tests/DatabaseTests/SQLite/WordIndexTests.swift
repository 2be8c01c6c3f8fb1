import Database
import Listings
import TestSupport
import Testing

@testable import SQLite

@Suite("The index of words")
struct WordIndexTests {
    private let folder = TemporaryFolder()

    @Test("a word that it is asked for is one word to it, whatever its letters")
    func letters() throws {
        var random = SeededGenerator(seed: 1)
        let list = try ListFixture(.stored, rows: 0, idType: .integer, using: &random, in: folder)
        let letters = (0x21...0x3_FFFF).compactMap { Unicode.Scalar(UInt32($0)) }
        var texts: [String] = []
        for start in stride(from: 0, to: letters.count, by: 500) {
            let part = letters[start..<min(start + 500, letters.count)]
            texts.append(part.map { "x\($0)y" }.joined(separator: " "))
        }
        try list.writer.begin(.writing)
        let insertion = try list.writer.prepare(
            "INSERT INTO people (id, roster_revision, name) VALUES (?1, 1, ?2)"
        )
        for (number, text) in texts.enumerated() {
            try insertion.bind(1, .integer(Int64(number)))
            try insertion.bind(2, .text(text))
            try insertion.run()
            insertion.reset()
        }
        try list.writer.commit()

        let session = try #require(try list.source.openSession() as? FileSession)
        _ = try session.beginReading()
        defer { session.endReading() }
        let placeholders = try #require(session.connection).prepare(
            "SELECT DISTINCT term FROM temp.\(WordIndex.locations(of: list.table))"
        )
        var known: Set<String> = []
        while try placeholders.step() { known.insert(placeholders.text(0)) }
        // A space and a mark behind it would be one character.
        let asked = texts.flatMap { TextSearch.words(of: $0).utf8.split(separator: 32) }
            .compactMap { String($0) }.filter(WordIndex.isWhole)
        #expect(asked.count > 80_000)
        let unknown = Set(asked).subtracting(known)
        #expect(unknown.isEmpty, "\(unknown.count) words: \(unknown.sorted().prefix(20))")
    }
}
