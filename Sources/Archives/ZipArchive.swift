/// The directory of a zip archive (APPNOTE 6.3.10), with Zip64.
package struct ZipArchive {
    package struct Entry: Hashable, Sendable {
        package let name: String
        package let compressedBytes: Int64
        package let bytes: Int64
        /// The number of the compression method: 0 for none, 8 for deflate.
        package let method: Int
        package let isEncrypted: Bool
        let checksum: UInt32
        let nameBytes: [UInt8]
        let offset: Int64

        package var isFolder: Bool { name.hasSuffix("/") }

        /// Whether the entry is a folder, a hidden file, or metadata of macOS.
        package var isIgnored: Bool {
            isFolder
                || name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
        }
    }

    package let entries: [Entry]
    private let source: ByteSource

    /// The archive may be empty.
    package static func isZip(_ beginning: borrowing Span<UInt8>) -> Bool {
        guard beginning.count >= 4, beginning[0] == 0x50, beginning[1] == 0x4B else { return false }
        return beginning[2] == 3 && beginning[3] == 4 || beginning[2] == 5 && beginning[3] == 6
    }

    package init(
        _ source: ByteSource,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) {
        let directory = try ZipDirectory(source, limits: limits)
        self.source = source
        entries = directory.entries
        let maximum = limits.maximumBytes(forFileOf: source.count)
        var total: Int64 = 0
        for entry in entries {
            let (sum, isBeyond) = total.addingReportingOverflow(entry.bytes)
            guard !isBeyond, sum <= maximum else { throw .expandsTooFar(limit: maximum) }
            total = sum
        }
        try Self.checkOverlap(entries, before: directory.offset)
    }

    /// Refuses entries that share bytes, which bombs use to multiply their contents.
    private static func checkOverlap(
        _ entries: [Entry],
        before end: Int64
    ) throws(ArchiveError) {
        var limit = end
        for entry in entries.sorted(by: { $0.offset > $1.offset }) {
            let header = Int64(localHeaderBytes + entry.nameBytes.count)
            guard entry.compressedBytes <= limit, entry.offset <= limit - entry.compressedBytes,
                entry.offset + header <= limit - entry.compressedBytes
            else { throw .damaged(.overlap, entry: entry.name, offset: entry.offset) }
            limit = entry.offset
        }
    }

    private static let localHeaderBytes = 30

    package func open(_ entry: Entry) throws(ArchiveError) -> DecompressingReader {
        guard !entry.isEncrypted else { throw .encrypted(entry: entry.name) }
        let coding: DecompressingReader.Coding
        switch entry.method {
        case 0: coding = .stored
        case 8: coding = .deflate
        default: throw .unsupportedMethod(entry.method, entry: entry.name)
        }
        let damaged = ArchiveError.damaged(.entryHeader, entry: entry.name, offset: entry.offset)
        let header = try source.bytes(
            from: entry.offset,
            count: Self.localHeaderBytes,
            entry: entry.name
        )
        let nameCount = Int(header.number(at: 26, bytes: 2))
        let extraCount = Int(header.number(at: 28, bytes: 2))
        guard header.number(at: 0, bytes: 4) == 0x0403_4B50 else { throw damaged }
        let nameStart = entry.offset + Int64(Self.localHeaderBytes)
        let name = try source.bytes(from: nameStart, count: nameCount, entry: entry.name)
        guard name == entry.nameBytes else { throw damaged }
        let start = nameStart + Int64(nameCount + extraCount)
        guard start <= source.count, entry.compressedBytes <= source.count - start else {
            throw .truncated(entry: entry.name, offset: source.count)
        }
        return try DecompressingReader(
            source,
            range: start..<start + entry.compressedBytes,
            coding: coding,
            entry: entry.name,
            promise: .init(checksum: entry.checksum, bytes: entry.bytes),
            maximumBytes: .max
        )
    }
}

extension [UInt8] {
    /// Little-endian.
    func number(at index: Int, bytes count: Int) -> UInt64 {
        self[index..<index + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
