import Bytes
import Listings
import MemoryLists
import TestSupport
import Testing

@testable import ListDiff

@Suite("The name of what a client holds")
struct WindowTokenTests {
    private let registered: Registrations
    private let schema: ListSchema

    init() throws {
        registered = try Registrations()
        schema = try ListSchema(columns: ItemController().columns)
    }

    private func fill(_ page: inout Page, _ sections: [Section]) throws {
        let dataSource = DataSource(try Snapshot(sections))
        let reader = try DataSourceList(dataSource, schema: schema).makeReader()
        try reader.read(ListQuery(shape: .flow(limit: 500)), into: &page)
    }

    private func name(_ ids: [String]) throws -> String {
        var page = Page(list: "items", schema: schema)
        try fill(&page, ids.map { Section(SectionID("s\($0)"), registered.groups($0)) })
        page.nameWindow(list: 1, query: 2)
        return page.windowName.text()
    }

    private func text(_ bytes: [UInt8]) -> String {
        let checksum = WindowFormat.checksum(bytes.span)
        var whole = ByteBuffer()
        whole.append(bytes)
        for shift: UInt32 in [24, 16, 8, 0] {
            whole.append(UInt8(truncatingIfNeeded: checksum >> shift))
        }
        var text = ByteBuffer()
        Base64URL.encode(whole, to: &text)
        return text.text()
    }

    @Test("what was written is read: the sections, the rows and what they show")
    func roundTrip() throws {
        var page = Page(list: "items", schema: schema)
        let ids = [
            "0", "1", "127", "128", "4611686018427387903", "4611686018427387904", "a", "abcdefg",
            "abcdefgh", "zoë", "-1", "007", "3e0f2a54-0b1c-4a58-93c5-2f1d3a9b7c60",
            "3e0f2a54-0b1c-4a58-93c5-2f1d3a9b7c61", "3E0F2A54-0B1C-4A58-93C5-2F1D3A9B7C60",
            "3e0f2a54-0b1c-4a58-93c5-2f1d3a9b7c60-", "3e0f2a54-0b1c-4a58-93c5-2f1d3a9b7cg0",
            "3e0f2a54+0b1c-4a58-93c5-2f1d3a9b7c60", "abcdefghij", "abcdefgh\u{E9}",
            "abcdefgh\u{EA}",
            String(repeating: "x", count: 200), String(repeating: "x", count: 300),
        ]
        try fill(
            &page,
            [Section("empty", registered.groups())]
                + ids.map { Section(SectionID($0), registered.groups("r\($0)", $0)) }
        )
        page.nameWindow(list: .max, query: 7)
        let token = try PageDigest(page.windowName.text())
        #expect(token.list == .max)
        #expect(token.query == 7)
        #expect(token.digest == ListDigest(of: page, seed: WindowFormat.seed))
        var differ = ListDiffer()
        let difference = differ.difference(from: token, to: page)
        #expect(difference.stages.isEmpty)
        #expect(difference.kind != .reload)
        var held = Set(token.longIDs.values)
        for id in page.sections.map(\.info.id.rawValue) where id.utf8.count <= 7 { held.insert(id) }
        #expect(held.isSuperset(of: ids.filter { IDNumber.readable($0.utf8.span) == nil }))
    }

    @Test(
        "ids cost a token little, and what is too long for an address has none",
        arguments: [
            (IDKind.number, 50, 528), (.number, 500, 5330), (.uuid, 50, 1636), (.uuid, 200, 6438),
            (.uuid, 500, 0), (.path, 50, 758), (.path, 500, 6824),
        ]
    )
    func cost(kind: IDKind, count: Int, length: Int) throws {
        var page = Page(list: "items", schema: schema)
        let ids = (0..<count).map(kind.id)
        try fill(&page, [Section(SectionInfo("all"), runs: ids.map { registered.groups($0) })])
        page.nameWindow(list: 1, query: 2)
        #expect(page.windowName.count == length)
    }

    enum IDKind {
        case number, uuid, path

        func id(_ number: Int) -> String {
            var generator = SeededGenerator(seed: UInt64(number))
            switch self {
            case .number: return "\(number + 1)"
            case .path: return "archive/2024/reports of the north/\(number + 1_000)"
            case .uuid:
                let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
                return UUIDText.text(bytes)
            }
        }
    }

    @Test("pages that show the same have the same name, in every process")
    func isStable() throws {
        #expect(try name(["1", "2"]) == name(["1", "2"]))
        #expect(try name(["1", "2"]) != name(["2", "1"]))
        let empty = try name([])
        #expect(empty == "BgAAAAEAAAACAAAAitNIGw")
        let rows = try name(["1", "a row with a long id"])
        // The hashes of sections and rows.
        #expect(
            rows == "BgAAAAEAAAACAAEVc2Egcm93IHdpdGggYSBsb25nIGlkARRhIHJvdyB3aXRoIGEgbG9uZyBpZAAC"
                + "CXMxJ3EV1VtpAQQ7FkOrEMwCJ3EV1VtpAQI7FkOrEMz2luFg"
        )
    }

    @Test("where a section goes on is a part of the name")
    func nextOfSection() throws {
        let section = Section("s", registered.groups("1", "2", "3"))
        let keys: [SectionKey] = [
            .whole, .named("s"), .named("t"), .value(.text("s")), .value(.null),
            .value(.integer(1)),
        ]
        var names: Set<String> = []
        let values: [[CellValue]?] = [
            nil, [.text("a")], [.text("b")], [.text("a"), .null], [.null, .text("a")],
            [.integer(1)], [.real(1)], [.boolean(true)], [.boolean(false)],
            [.date(try #require(CalendarDate(year: 2024, month: 2, day: 29)))],
        ]
        for row in values {
            for key in keys {
                for signature: UInt32 in [1, 2] {
                    for side in [Cursor.Side.front, .back] {
                        var page = Page(list: "items", schema: schema)
                        try fill(&page, [section])
                        let location = row.map { Cursor.Row(values: $0) }
                        page.updateSection(at: 0) {
                            $0.next = Cursor(
                                signature: signature,
                                section: key,
                                row: location,
                                side: side
                            )
                        }
                        page.nameWindow(list: 1, query: 2)
                        names.insert(page.windowName.text())
                    }
                }
            }
        }
        #expect(names.count == values.count * keys.count * 4)
    }

    @Test("who follows sections that are sorted is told where they go on when they have moved")
    func placesOfSections() throws {
        let schema = try ListSchema(columns: ItemController().columns, idType: .integer)
        let dataSource = try DataSource(sections: [
            Section("a", registered.run([1, 2, 3])), Section("b", registered.run([4, 5, 6])),
        ])
        let list = DataSourceList(dataSource, schema: schema)
        let query = ListQuery(sort: [SortKey(.column(0))], shape: .peek(limit: 10, rows: 1))
        func read() throws -> (name: String, next: [Cursor?]) {
            var page = Page(list: "items", schema: schema)
            try list.makeReader().read(query, into: &page)
            page.nameWindow(list: 1, query: 2)
            return (page.windowName.text(), page.sections.map(\.next))
        }
        var before = try read()
        let steps: [(inout Snapshot) throws -> Void] = [
            { try $0.swapSections(at: 0, with: 1) },
            { snapshot in
                try snapshot.removeSection("a")
                try snapshot.append(Section("a", registered.run([1, 2, 3])))
            },
            { snapshot in
                try snapshot.removeSection("b")
                try snapshot.insert(Section("b", registered.run([4, 5, 6])), at: 0)
            },
        ]
        for step in steps {
            try dataSource.update { try step(&$0) }
            let after = try read()
            #expect(after.next != before.next)
            #expect(after.name != before.name)
            before = after
        }
    }

    @Test("a page that no address has room for has no name")
    func length() throws {
        let room = try name((0..<260).map { "1\($0)" })
        #expect(room.utf8.count <= PageDigest.maximumLength)
        #expect(!room.isEmpty)
        #expect(try name((0..<500).map { "a row with a long id \($0)" }).isEmpty)
    }

    @Test("whatever is changed in a name, it is refused")
    func mangled() throws {
        let text = Array(try name(["1", "abc", "a long text that is hashed"]).utf8)
        for index in text.indices {
            for byte in Array("A_= ".utf8) + [0xC3] where text[index] != byte {
                var mangled = text
                mangled[index] = byte
                let other = String(decoding: mangled, as: UTF8.self)
                #expect(throws: PageDigest.Refusal.malformed) { try PageDigest(other) }
            }
            let part = String(decoding: text[..<index], as: UTF8.self)
            #expect(throws: PageDigest.Refusal.malformed) { try PageDigest(part) }
        }
        #expect(throws: PageDigest.Refusal.malformed) {
            try PageDigest(String(repeating: "A", count: PageDigest.maximumLength + 1))
        }
    }

    @Test("whatever bytes are given a right checksum, they are read or refused", arguments: 0..<4)
    func anyBytes(part: Int) throws {
        var generator = SeededGenerator(seed: UInt64(part))
        var read = 0
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...60, using: &generator)
            // Small bytes are what counts and short numbers begin with.
            var bytes: [UInt8] = [PageDigest.format, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            // Half of them without long ids.
            if Bool.random(using: &generator) { bytes.append(LongIDWriter.end) }
            for _ in 0..<count {
                let most: UInt8 = Bool.random(using: &generator) ? 3 : .max
                bytes.append(.random(in: 0...most, using: &generator))
            }
            guard let token = try? PageDigest(text(bytes)) else { continue }
            read += 1
            #expect(token.digest.rowIDs.count <= count)
            var page = Page(list: "items", schema: schema)
            try fill(&page, [Section("s", registered.groups("1", "2"))])
            var differ = ListDiffer()
            _ = differ.difference(from: token, to: page)
        }
        #expect(read > 3)
    }

    @Test("long ids that do not add up with the rows are refused")
    func strayIDs() throws {
        let head: [UInt8] = [PageDigest.format, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        // An id of eight letters, and one that goes on behind four of them.
        let ids: [UInt8] = [1, 8] + Array("abcdefgh".utf8) + [9, 4] + Array("wxyz".utf8) + [0]
        let row: [UInt8] = [2, 0, 0, 0, 0, 0, 0]
        let section: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 0]
        let token = try PageDigest(text(head + ids + section + [2] + row + row))
        #expect(Set(token.longIDs.values) == ["abcdefgh", "abcdwxyz"])
        let bad: [[UInt8]] = [
            ids + section + [1] + row, ids + section + [3] + row + row + row,
            [3, 8] + Array("abcdefgh".utf8) + [0] + section + [1] + row,
            [1, 1, 0xFF, 0] + section + [1] + row, [2, 1, 2, 0] + section + [1] + row,
            [1, 200, 1, 97, 0] + section + [1] + row,
        ]
        for bytes in bad {
            #expect(throws: PageDigest.Refusal.malformed) { try PageDigest(text(head + bytes)) }
        }
    }

    @Test("a server that writes names otherwise is another matter than a mangled one")
    func unknownFormat() throws {
        let bytes: [UInt8] = [9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(throws: PageDigest.Refusal.unknownFormat) { try PageDigest(text(bytes)) }
    }
}
