import Archives
import Bytes
import TestSupport
import Testing

@Suite("Gzip files (RFC 1952)")
struct DecompressingReaderTests {
    private static func text(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 97...100, using: &generator) }
    }

    /// A source that returns at most some bytes at once.
    private static func source(_ bytes: [UInt8], piece: Int) -> ByteSource {
        ByteSource(count: Int64(bytes.count)) { offset, maximum, buffer in
            let start = min(bytes.count, Int(offset))
            let end = min(bytes.count, start + min(maximum, piece))
            buffer.append(Array(bytes[start..<end]))
        }
    }

    @Test("what is compressed comes back", arguments: [0, 1, 65_535, 262_144, 1_000_000])
    func roundTrip(count: Int) throws {
        let bytes = Self.text(count)
        let reader = try DecompressingReader(gzip: ByteSource(Gzip.member(bytes)))
        #expect(try reader.contents() == bytes)
        reader.rewind()
        #expect(try reader.contents() == bytes)
        #expect(reader.compressedBytesRead == reader.compressedBytes)
    }

    @Test("several members are read as one file", arguments: [1, 2, 7, 1 << 20])
    func members(piece: Int) throws {
        let parts = [Self.text(10), [], Self.text(300_000), Self.text(5)]
        let file = parts.flatMap(Gzip.member) + Array(repeating: 0, count: 100)
        let reader = try DecompressingReader(gzip: Self.source(file, piece: piece))
        #expect(try reader.contents() == Array(parts.joined()))
    }

    @Test("no chunk is larger than 256 KiB")
    func chunks() throws {
        let zeros = [UInt8](repeating: 0, count: 3_000_000)
        let reader = try DecompressingReader(gzip: ByteSource(Gzip.member(zeros)))
        var chunk = ByteBuffer()
        var sizes: [Int] = []
        repeat {
            try reader.read(into: &chunk)
            sizes.append(chunk.count)
        } while !chunk.isEmpty
        #expect(sizes.max() == 256 << 10)
        #expect(sizes.reduce(0, +) == zeros.count)
    }

    @Test("a file that ends early is refused at its end, wherever it is cut")
    func truncated() throws {
        let file = Gzip.member(Self.text(200))
        for count in 1..<file.count {
            let reader = try DecompressingReader(gzip: ByteSource(Array(file[..<count])))
            #expect(throws: ArchiveError.truncated(entry: nil, offset: Int64(count))) {
                try reader.contents()
            }
        }
    }

    @Test(
        "damage is named",
        arguments: [
            (0, ArchiveError.Damage.gzipHeader), (2, .gzipHeader), (-1, .size), (-8, .checksum),
        ]
    )
    func damaged(location: Int, damage: ArchiveError.Damage) throws {
        var file = Gzip.member(Self.text(1000))
        file[location < 0 ? file.count + location : location] ^= 0x55
        let reader = try DecompressingReader(gzip: ByteSource(file))
        let error = #expect(throws: ArchiveError.self) { try reader.contents() }
        guard case .damaged(let found, nil, _) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(found == damage)
    }

    @Test("bytes behind the last member are refused with their place")
    func trailing() throws {
        let member = Gzip.member(Self.text(10))
        let reader = try DecompressingReader(gzip: ByteSource(member + Array("more".utf8)))
        let location = Int64(member.count)
        #expect(throws: ArchiveError.damaged(.trailingData, entry: nil, offset: location)) {
            try reader.contents()
        }
    }

    @Test("no byte changed anywhere goes unnoticed, and none traps")
    func everyByteCounts() throws {
        let bytes = Self.text(300)
        let file = Gzip.member(bytes)
        for location in file.indices {
            for bit in 0..<8 {
                var changed = file
                changed[location] ^= 1 << bit
                let reader = try DecompressingReader(gzip: ByteSource(changed))
                guard let contents = try? reader.contents() else { continue }
                // Time, level and system of the header mean nothing, nor do the bits that fill the
                // last byte before the checksum.
                let isUnused = (3...9).contains(location) || location == file.count - 9
                #expect(contents == bytes && isUnused, "byte \(location), bit \(bit)")
            }
        }
    }

    @Test("a bomb ends at the limit for its size")
    func bomb() throws {
        let file = Gzip.member([UInt8](repeating: 0, count: 5_000_000))
        var limits = ArchiveLimits()
        limits.freeBytes = 1_000_000
        let limit = Int64(file.count) * limits.maximumRatio
        #expect(limit < 5_000_000 && limit > 0)
        let reader = try DecompressingReader(gzip: ByteSource(file), limits: limits)
        #expect(throws: ArchiveError.expandsTooFar(limit: max(1_000_000, limit))) {
            try reader.contents()
        }
    }

    @Test("a file inside of itself is decompressed once")
    func quine() throws {
        let inner = Gzip.member(Gzip.member(Self.text(100)))
        let reader = try DecompressingReader(gzip: ByteSource(inner))
        let contents = try reader.contents()
        let isGzip = DecompressingReader.isGzip(contents.span)
        #expect(isGzip)
    }
}

extension DecompressingReader {
    func contents() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = ByteBuffer()
        repeat {
            try read(into: &chunk)
            bytes += chunk.array()
        } while !chunk.isEmpty
        return bytes
    }
}
