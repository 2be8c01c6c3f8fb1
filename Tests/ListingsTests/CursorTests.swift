import Bytes
import Listings
import TestSupport
import Testing

@Suite("Cursors")
struct CursorTests {
    static let values: [CellValue] = [
        .null, .text(""), .text("Élodie O'Brien, \u{0}"), .integer(.min), .real(-0.25),
        .boolean(true), .boolean(false), CellValue.parse("2024-02-29", as: .date) ?? .null,
    ]

    @Test("what is written is read back")
    func roundTrip() throws {
        for section in [SectionKey.whole] + Self.values.map(SectionKey.value) {
            let row = Cursor(signature: 7, section: section, row: Cursor.Row(values: Self.values))
            #expect(try Cursor(row.text, signature: 7, valueCount: Self.values.count) == row)
            let location = Cursor(signature: 9, section: section, row: nil)
            #expect(try Cursor(location.text, signature: 9, valueCount: nil) == location)
            let end = Cursor(
                signature: 7,
                section: section,
                row: Cursor.Row(values: Self.values),
                side: .back
            )
            #expect(end != row)
            #expect(try Cursor(end.text, signature: 7, valueCount: Self.values.count) == end)
        }
    }

    @Test(
        "a time keeps its spelling, by which tables of other programs are ordered",
        arguments: ["2024-03-12 02:30:00", "2024-03-12T04:30+02", "2024-03-12 02:30:00.500Z"]
    )
    func spelledTimes(text: String) throws {
        let values = [try #require(CellValue.parse(text, as: .timestamp))]
        let cursor = Cursor(signature: 7, section: .whole, row: Cursor.Row(values: values))
        let read = try Cursor(cursor.text, signature: 7, valueCount: 1)
        #expect(read.row?.values.map(\.plainText) == [text])
    }

    @Test("a text has at most 512 characters, whatever the values; the position completes it")
    func longValues() throws {
        let keys = [CursorKeys(), try #require(Self.keys("a"))]
        for (length, keys) in (0..<600).flatMap({ length in keys.map { (length, $0) } }) {
            let values = [CellValue.text(String(repeating: "x", count: length)), .integer(3)]
            let whole = Cursor(signature: 7, section: .value(.null), row: .init(values: values))
            let text = Self.text(whole.back, keys)
            #expect(text.utf8.count <= 512)
            let read = try Cursor(text, signature: 7, valueCount: 2, keys: keys)
            guard read.isReference else {
                #expect(read == whole.back)
                continue
            }
            #expect(length > 300 && read.row?.values.last == .integer(3))
            #expect(Self.text(read, keys) == text)
            #expect(read.completed(by: whole) == whole.back)
            let other = [CellValue.text(String(repeating: "x", count: length) + "y"), .integer(3)]
            let moved = Cursor(signature: 7, section: .value(.null), row: .init(values: other))
            #expect(read.completed(by: moved) == nil)
        }
    }

    @Test("every changed character is noticed")
    func mangled() throws {
        let row = Cursor.Row(values: [.text("Ada"), .integer(3)])
        let text = Cursor(signature: 7, section: .whole, row: row).text
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=é"
        for index in text.indices {
            for character in alphabet where character != text[index] {
                let changed = text.replacing(index: index, with: character)
                #expect(throws: CursorError.self, "\(changed)") {
                    try Cursor(changed, signature: 7, valueCount: 2)
                }
            }
            #expect(throws: CursorError.invalid) {
                try Cursor(String(text[..<index]), signature: 7, valueCount: 2)
            }
        }
    }

    @Test("a cursor of another order, or of sections where rows are paged, is refused")
    func foreign() {
        let text = Cursor(signature: 7, section: .whole, row: Cursor.Row(values: [.integer(1)]))
            .text
        #expect(throws: CursorError.invalid) { try Cursor(text, signature: 8, valueCount: 1) }
        #expect(throws: CursorError.invalid) { try Cursor(text, signature: 7, valueCount: 2) }
        #expect(throws: CursorError.invalid) { try Cursor(text, signature: 7, valueCount: nil) }
    }

    private static func keys(_ letters: String) -> CursorKeys? {
        CursorKeys(letters.utf8.map { [UInt8](repeating: $0, count: 32) })
    }

    private static func text(_ cursor: Cursor, _ keys: CursorKeys) -> String {
        var buffer = ByteBuffer()
        cursor.write(signedBy: keys, to: &buffer)
        return buffer.text()
    }

    @Test("a signed cursor is taken by who has the secret, as the first one or a later one")
    func signed() throws {
        let cursor = Cursor(signature: 7, section: .whole, row: .init(values: Self.values))
        let text = Self.text(cursor, try #require(Self.keys("a")))
        let count = Self.values.count
        for letters in ["a", "ab", "ba", "cba"] {
            let keys = try #require(Self.keys(letters))
            #expect(try Cursor(text, signature: 7, valueCount: count, keys: keys) == cursor)
        }
        for keys in [CursorKeys(), try #require(Self.keys("b"))] {
            #expect(throws: CursorError.expired) {
                try Cursor(text, signature: 7, valueCount: count, keys: keys)
            }
            #expect(throws: CursorError.invalid) {
                try Cursor(text, signature: 8, valueCount: count, keys: keys)
            }
        }
        // A checksum anybody can make.
        #expect(throws: CursorError.expired) {
            try Cursor(
                cursor.text,
                signature: 7,
                valueCount: count,
                keys: try #require(Self.keys("a"))
            )
        }
    }

    @Test("every changed byte of a signed cursor is noticed, and only its key can be another")
    func forged() throws {
        let keys = try #require(Self.keys("a"))
        let cursor = Cursor(
            signature: 7,
            section: .whole,
            row: .init(values: [.text("Ada"), .integer(3)])
        )
        let text = Self.text(cursor, keys)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (position, index) in text.indices.enumerated() {
            for character in alphabet where character != text[index] {
                let changed = text.replacing(index: index, with: character)
                // Characters 1 and 2 hold the byte that names the key.
                let allowed: [CursorError] =
                    position == 1 || position == 2 ? [.invalid, .expired] : [.invalid]
                var thrown: CursorError?
                do throws(CursorError) {
                    _ = try Cursor(changed, signature: 7, valueCount: 2, keys: keys)
                } catch { thrown = error }
                #expect(thrown.map(allowed.contains) == true, "\(changed)")
            }
        }
        #expect(Self.keys("aa") == nil)
    }

    @Test("no bytes trap the reader")
    func random() throws {
        var generator = SeededGenerator(seed: 1)
        let alphabet = Array("ABab01-_zZ9")
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...60, using: &generator)
            let text = String((0..<length).map { _ in alphabet.randomElement(using: &generator)! })
            #expect(throws: CursorError.self) { try Cursor(text, signature: 0, valueCount: 1) }
            let keys = try #require(Self.keys("ab"))
            #expect(throws: CursorError.self) {
                try Cursor(text, signature: 0, valueCount: 1, keys: keys)
            }
        }
    }

    @Test("orders that differ in anything have other signatures")
    func signatures() throws {
        let schema = try ListSchema(columns: [Column("a"), Column("b")])
        let queries = [
            ListQuery(shape: .flow(limit: 1)),
            ListQuery(shape: .peek(limit: 1, rows: 1)),
            ListQuery(grouping: Grouping(column: 0), shape: .flow(limit: 1)),
            ListQuery(grouping: Grouping(column: 1), shape: .flow(limit: 1)),
            ListQuery(grouping: Grouping(column: 1, part: .initial), shape: .flow(limit: 1)),
            ListQuery(sort: [SortKey(.column(0))], shape: .flow(limit: 1)),
            ListQuery(sort: [SortKey(.column(0), .descending)], shape: .flow(limit: 1)),
            ListQuery(sort: [SortKey(.column(0), nulls: .first)], shape: .flow(limit: 1)),
            ListQuery(sort: [SortKey(.id, .descending)], shape: .flow(limit: 1)),
            ListQuery(sections: [.value(.text("x"))], shape: .flow(limit: 1)),
            ListQuery(sections: [.value(.text("y"))], shape: .flow(limit: 1)),
        ]
        let signatures = Set(queries.map { $0.signature(of: "pets", schema: schema) })
        #expect(signatures.count == queries.count)
        let other = queries[0].signature(of: "users", schema: schema)
        #expect(!signatures.contains(other))
        let wider = ListQuery(columns: [1], shape: .flow(limit: 9))
        #expect(
            wider.signature(of: "pets", schema: schema)
                == queries[0].signature(of: "pets", schema: schema)
        )
    }

    @Test("a page signs for its own question, whatever equal one it answered before")
    func signaturesOfPages() throws {
        let schema = try ListSchema(columns: [Column("name"), Column("weight", type: .real)])
        var page = Page(list: "pets", schema: schema)
        let plain = ListQuery(shape: .flow(limit: 1))
        func asking(_ change: (inout ListQuery) -> Void) -> ListQuery {
            var query = plain
            change(&query)
            return query
        }
        let spellings = [
            [plain, plain], [plain, asking { $0.sort = [SortKey(.column(0))] }],
            [0.0, -0.0].map { weight in
                asking { $0.filters = [Filter(column: 1, .atLeast, [.real(weight)])] }
            },
            ["\u{E4}", "a\u{308}"].map { name in
                asking { $0.filters = [Filter(column: 0, .equal, [.text(name)])] }
            },
            ["\u{E4}", "a\u{308}"].map { name in asking { $0.search = TextSearch(name) } },
            ["\u{E4}", "a\u{308}"].map { name in
                asking { $0.sections = [.value(.text(name))] }
            },
            ["\u{E4}", "a\u{308}"].map { name in asking { $0.parent = name } },
        ]
        for queries in spellings {
            for query in queries + queries {
                page.begin(query, version: ListVersion(epoch: 1, counter: 1))
                let signature = page.signature()
                #expect(signature == query.signature(of: "pets", schema: schema), "\(query)")
                for name in ["b", "\u{E4}", "a\u{308}", "a\u{308}", "b"] {
                    let section = SectionKey.value(.text(name))
                    let signature = page.signature(ofSection: section)
                    let restricted = query.restricted(to: section, limit: 9)
                    let wanted = restricted.signature(of: "pets", schema: schema)
                    #expect(signature == wanted, "\(query), \(name)")
                }
            }
        }
    }
}

extension String {
    fileprivate func replacing(index: Index, with character: Character) -> String {
        var copy = self
        copy.replaceSubrange(index...index, with: [character])
        return copy
    }
}
