import Database
import Foundation
import Listings
import MemoryLists
import SQLite
import TestSupport
import Testing

@Suite("Texts of all scripts, in every engine")
struct ScriptTests {
    private let folder = TemporaryFolder()

    private static let names = [
        "東京都港区の天気", "港区", "港", "港-区", "港 区", "東京tower", "カメラ", "がっこう",
        "か\u{3099}っこう", "ภาษาไทย", "한국어 서울", "\u{1112}\u{1161}\u{11AB}글", "Йогурт",
        "и\u{306}од", "ΟΔΟΣ", "ὁδός", "שָׁלוֹם", "שלום", "Tiếng Việt", "café", "cafe\u{301}s", "豈",
    ]

    private func list(_ kind: ListFixture.Kind, _ names: [String]) throws -> ListFixture {
        var random = SeededGenerator(seed: 5)
        var list = try ListFixture(kind, rows: 0, idType: .integer, using: &random, in: folder)
        for name in names { try list.insert(name: name, using: &random) }
        return list
    }

    private func names(_ list: ListFixture, _ query: ListQuery) throws -> [String] {
        var page = Page(list: "people", schema: list.schema)
        try list.reader.read(query, into: &page)
        return (0..<page.rowCount).map { page.value(row: $0, column: 0).plainText }
    }

    private func names(_ list: ListFixture, q: String) throws -> [[UInt8]] {
        var query = ListQuery(shape: .flow(limit: 100))
        query.search = TextSearch(q)
        return try names(list, query).map { Array($0.utf8) }
    }

    private static func bytes(_ names: [String]) -> Set<[UInt8]> {
        Set(names.map { Array($0.utf8) })
    }

    @Test(
        "words are found in the same rows, composed or not, whatever their script",
        arguments: ListFixture.Kind.everywhere
    )
    func words(kind: ListFixture.Kind) throws {
        let list = try list(kind, Self.names)
        let expected: [(q: String, names: [String])] = [
            ("港区", ["東京都港区の天気", "港区"]), ("\"港区\"", ["東京都港区の天気", "港区"]),
            ("の天気", ["東京都港区の天気"]), ("都", ["東京都港区の天気"]), ("区京", []),
            ("京", ["東京都港区の天気", "東京tower"]), ("京tow", ["東京tower"]), ("tower", ["東京tower"]),
            ("\"港 区\"", ["港-区", "港 区"]), ("港 区", ["東京都港区の天気", "港区", "港-区", "港 区"]),
            ("メラ", ["カメラ"]), ("がっ", ["がっこう", "か\u{3099}っこう"]),
            ("っこう", ["がっこう", "か\u{3099}っこう"]), ("ษาไ", ["ภาษาไทย"]), ("한", ["한국어 서울", "한글"]),
            ("한국", ["한국어 서울"]), ("국어", []), ("서울", ["한국어 서울"]), ("йогурт", ["Йогурт"]),
            ("ио", ["Йогурт", "и\u{306}од"]), ("οδοσ", ["ΟΔΟΣ", "ὁδός"]),
            ("ὁδὸς", ["ΟΔΟΣ", "ὁδός"]),
            ("שלום", ["שָׁלוֹם", "שלום"]), ("viet", ["Tiếng Việt"]),
            ("cafe", ["café", "cafe\u{301}s"]),
            ("豈", ["豈"]),
        ]
        let all = Dictionary(grouping: Self.names) {
            Array($0.decomposedStringWithCanonicalMapping.utf8)
        }
        for (q, names) in expected {
            // The literals may be written either way.
            let wanted = names.flatMap {
                all[Array($0.decomposedStringWithCanonicalMapping.utf8)] ?? []
            }
            for q in [q, q.decomposedStringWithCanonicalMapping] {
                #expect(Set(try self.names(list, q: q)) == Self.bytes(wanted), "\(q)")
            }
        }
    }

    @Test(
        "characters in a row of a script without spaces are found wherever they stand",
        arguments: ListFixture.Kind.everywhere,
        SeededGenerator.seeds(2)
    )
    func rows(kind: ListFixture.Kind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let characters = Array("東京都かきกั".unicodeScalars)
        func text(_ characters: [Unicode.Scalar], _ count: ClosedRange<Int>) -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: count, using: &random) {
                text.append(random.pick(characters))
            }
            return String(text)
        }
        let names = (0..<60).map { _ in text(characters + "a -".unicodeScalars, 0...8) }
        let list = try list(kind, names)
        for _ in 0..<40 {
            let q = text(characters, 1...4)
            let wanted = names.filter { Array($0.utf8).firstIndex(of: Array(q.utf8)) != nil }
            #expect(Set(try self.names(list, q: q)) == Self.bytes(wanted), "\(q)")
        }
    }

    @Test(
        "the beginning, the end and a part of a text are found without case and marks",
        arguments: ListFixture.Kind.everywhere
    )
    func letters(kind: ListFixture.Kind) throws {
        let list = try list(kind, Self.names)
        func found(_ operation: Filter.Operator, _ part: String) throws -> Set<[UInt8]> {
            var query = ListQuery(shape: .flow(limit: 100))
            query.filters = [Filter(column: 0, operation, [.text(part)])]
            return Self.bytes(try names(list, query))
        }
        for part in ["й", "и\u{306}", "И"] {
            #expect(try found(.startsWith, part) == Self.bytes(["Йогурт", "и\u{306}од"]))
        }
        #expect(try found(.contains, "δό") == Self.bytes(["ΟΔΟΣ", "ὁδός"]))
        #expect(try found(.endsWith, "ος") == Self.bytes(["ΟΔΟΣ", "ὁδός"]))
        #expect(try found(.endsWith, "לום") == Self.bytes(["שָׁלוֹם", "שלום"]))
        #expect(try found(.contains, "한") == Self.bytes(["한국어 서울", "\u{1112}\u{1161}\u{11AB}글"]))
        #expect(try found(.contains, "区の") == Self.bytes(["東京都港区の天気"]))
        #expect(try found(.startsWith, "区") == Self.bytes([]))
        #expect(try found(.endsWith, "区") == Self.bytes(["港区", "港-区", "港 区"]))
    }

    @Test(
        "sections of first letters are those of memory",
        arguments: ListFixture.Kind.everywhere
    )
    func initials(kind: ListFixture.Kind) throws {
        let names = Self.names + ["\u{301}Ά", "9", "", "\u{301}", "ǆ", "ა", "한", "🎈", "Ёлка"]
        let list = try list(kind, names)
        var query = ListQuery(
            grouping: Grouping(column: 0, part: .initial),
            shape: .flow(limit: 100)
        )
        query.sort = [SortKey(.id)]
        var page = Page(list: "people", schema: list.schema)
        try list.reader.read(query, into: &page)
        var found: [[UInt8]: Int] = [:]
        for section in page.sections {
            guard case .value(let key) = section.info.key else { continue }
            found[Array(key.plainText.utf8), default: 0] += section.rows.count
        }
        let expected = Dictionary(grouping: names) { Array(TextCollation.initial(of: $0).utf8) }
        #expect(found == expected.mapValues(\.count))
    }

    @Test(
        "letters are listed and jumped to where a text stands before its capital",
        arguments: [ListFixture.Kind.stored, .storedWithoutIndexes]
    )
    func jumps(kind: ListFixture.Kind) throws {
        let names = [
            "Ё", "Е", "е", "ё", "Ж", "Д", "µ", "Μ", "Λ", "Ν", "ა", "ბ", "\u{301}Ж", "Αα", "Ά",
        ]
        let list = try list(kind, names)
        let memory = try list.reference.source(list.schema).makeReader()
        for direction in [SortKey.Direction.ascending, .descending] {
            var query = ListQuery(
                sort: [SortKey(.column(0), direction)],
                shape: .flow(limit: 100)
            )
            query.wantsLetters = true
            var own = Page(list: "people", schema: list.schema)
            var other = Page(list: "people", schema: list.schema)
            try list.reader.read(query, into: &own)
            try memory.read(query, into: &other)
            let (letters, expected) = (own.letters, other.letters)
            #expect(letters == expected)
            for letter in expected + ["Б", "Я", "#"] {
                query.start = .letter(letter)
                try list.reader.read(query, into: &own)
                try memory.read(query, into: &other)
                let (rows, wanted) = (ids(own), ids(other))
                #expect(rows == wanted, "\(letter) \(direction)")
            }
        }
    }
}
