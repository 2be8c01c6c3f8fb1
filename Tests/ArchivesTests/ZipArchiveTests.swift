import Archives
import TestSupport
import Testing

@Suite("Zip archives (APPNOTE 6.3.10)")
struct ZipArchiveTests {
    private typealias Entry = ZipWriter.Entry

    private func archive(_ writer: ZipWriter) throws -> ZipArchive {
        try ZipArchive(ByteSource(writer.bytes))
    }

    private func expectRefused(
        _ writer: ZipWriter,
        _ expected: ArchiveError,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: expected, sourceLocation: sourceLocation) {
            let archive = try archive(writer)
            for entry in archive.entries { _ = try archive.open(entry).contents() }
        }
    }

    @Test("entries are read, stored or compressed, with sizes of 32 or 64 bits", arguments: [0, 1])
    func entries(isWide: Int) throws {
        let long = String(repeating: "id,name\n1,Ada\n", count: 50_000)
        var writer = ZipWriter([
            Entry("a.csv", "id\n1\n"), Entry("folder/", "", isCompressed: false),
            Entry("folder/b.csv", long), Entry("c.csv", "id\n2\n", isCompressed: false),
            Entry("empty.csv", ""),
        ])
        writer.isWide = isWide == 1
        writer.prefix = Array("#!/bin/sh\n".utf8)
        writer.comment = Array("a comment".utf8)
        let archive = try archive(writer)
        #expect(
            archive.entries.map(\.name)
                == ["a.csv", "folder/", "folder/b.csv", "c.csv", "empty.csv"]
        )
        #expect(archive.entries.map(\.bytes) == [5, 0, Int64(long.utf8.count), 5, 0])
        let texts = try archive.entries.map { entry in
            let reader = try archive.open(entry)
            let text = String(decoding: try reader.contents(), as: UTF8.self)
            reader.rewind()
            #expect(try String(decoding: reader.contents(), as: UTF8.self) == text)
            return text
        }
        #expect(texts == ["id\n1\n", "", long, "id\n2\n", ""])
    }

    @Test(
        "folders, hidden files and metadata of macOS are ignored",
        arguments: [
            ("a.csv", false), ("a/b.csv", false), ("a/", true), (".DS_Store", true),
            ("a/.b.csv", true), ("__MACOSX/a.csv", true), ("x/__MACOSX/._a.csv", true),
        ]
    )
    func ignored(name: String, isIgnored: Bool) throws {
        let archive = try archive(ZipWriter([Entry(name, "")]))
        #expect(archive.entries.map(\.isIgnored) == [isIgnored])
    }

    @Test("names are UTF-8 or code page 437, and have slashes")
    func names() throws {
        var old = Entry("x", "")
        old.flags = 0
        let bytes = ZipWriter([old, Entry("a\\ü.csv", "")]).bytes
        // Both headers of the first entry get a name of the old code page.
        let changed = bytes.map { $0 == UInt8(ascii: "x") ? 0x81 : $0 }
        let archive = try ZipArchive(ByteSource(changed))
        #expect(archive.entries.map(\.name) == ["ü", "a/ü.csv"])
    }

    @Test("what is no archive, or ends early, is refused")
    func noArchive() throws {
        let bytes = ZipWriter([Entry("a.csv", "id\n1\n")]).bytes
        for count in 0..<bytes.count {
            #expect(throws: ArchiveError.self, "\(count) bytes") {
                try ZipArchive(ByteSource(Array(bytes[..<count])))
            }
        }
    }

    @Test("entries of another size or checksum than stated are refused")
    func stated() {
        var entry = Entry("a", "abcdef")
        entry.checksum ^= 1
        let expected = ArchiveError.damaged(.checksum, entry: "a", offset: 31 + 8)
        expectRefused(ZipWriter([entry]), expected)
        entry.checksum ^= 1
        entry.bytes = 5
        expectRefused(ZipWriter([entry]), .damaged(.size, entry: "a", offset: 31 + 8))
        entry.bytes = 7
        expectRefused(ZipWriter([entry]), .damaged(.size, entry: "a", offset: 31 + 8))
        entry.bytes = 6
        entry.data.removeLast()
        expectRefused(ZipWriter([entry]), .truncated(entry: "a", offset: 31 + 7))
        entry.localName = "b"
        expectRefused(ZipWriter([entry]), .damaged(.entryHeader, entry: "a", offset: 0))
    }

    @Test("encryption and other methods are refused by name")
    func unsupported() {
        var entry = Entry("a", "abc")
        entry.flags = 1
        expectRefused(ZipWriter([entry]), .encrypted(entry: "a"))
        entry.flags = 0
        entry.method = 93
        expectRefused(ZipWriter([entry]), .unsupportedMethod(93, entry: "a"))
    }

    @Test("entries that share their data are refused, for so do bombs")
    func overlap() {
        let first = Entry("a", String(repeating: "a", count: 1000))
        var second = first
        second.name = "b"
        second.offset = 0
        expectRefused(ZipWriter([first, second]), .damaged(.overlap, entry: "b", offset: 0))
    }

    @Test("contents beyond the limit for the size of the file are refused before they are read")
    func bomb() throws {
        let zeros = [UInt8](repeating: 0, count: 1_000_000)
        let bytes = ZipWriter((0..<5).map { Entry("\($0)", zeros) }).bytes
        var limits = ArchiveLimits()
        limits.freeBytes = 2_000_000
        let limit = limits.maximumBytes(forFileOf: Int64(bytes.count))
        #expect(throws: ArchiveError.expandsTooFar(limit: limit)) {
            try ZipArchive(ByteSource(bytes), limits: limits)
        }
        // What is stated cannot be exceeded either.
        var liar = Entry("a", zeros)
        liar.bytes = 10
        let archive = try archive(ZipWriter([liar]))
        #expect(throws: ArchiveError.self) { try archive.open(archive.entries[0]).contents() }
    }

    @Test("more entries than the limit are refused")
    func manyEntries() {
        let writer = ZipWriter((0..<10_001).map { Entry("\($0)", "", isCompressed: false) })
        expectRefused(writer, .tooManyEntries(limit: 10_000))
    }

    @Test("no change of a byte traps", arguments: [1, 2] as [UInt64])
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var writer = ZipWriter([Entry("a.csv", "id\n1\n"), Entry("b.csv", "id\n2\n")])
        writer.isWide = seed == 1
        let bytes = writer.bytes
        for _ in 0..<3000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let location = Int.random(in: 0..<bytes.count, using: &generator)
                changed[location] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let archive = try? ZipArchive(ByteSource(changed)) else { continue }
            for entry in archive.entries { _ = try? archive.open(entry).contents() }
        }
    }
}
