import Bytes
import System
import TestSupport
import Testing

@Suite("Gzip (RFC 1952)")
struct GzipEncoderTests {
    @Test("what is compressed is read back as it was", arguments: 1...9)
    func roundTrip(level: Int) throws {
        let encoder = try #require(GzipEncoder(level: level))
        var generator = SeededGenerator(seed: UInt64(level))
        for size in [0, 1, 100, 8191, 8192, 70_000, 300_000] {
            for alphabet in [UInt8(0)...1, 0...255] {
                let bytes = (0..<size).map { _ in UInt8.random(in: alphabet, using: &generator) }
                var buffer = ByteBuffer()
                encoder.compress(bytes.span, into: &buffer)
                let compressed = buffer.array()
                #expect(compressed.starts(with: [0x1F, 0x8B, 8]))
                #expect(try Gunzip.read(compressed) == bytes, "\(size) bytes of \(alphabet)")
            }
        }
    }

    @Test("pieces make the same body as the whole, whatever the buffer holds before")
    func pieces() throws {
        let encoder = try #require(GzipEncoder())
        var generator = SeededGenerator(seed: 7)
        let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...3, using: &generator) }
        var buffer = ByteBuffer()
        buffer.append("before")
        encoder.begin()
        var index = 0
        while index < bytes.count {
            let end = min(bytes.count, index + Int.random(in: 0...20_000, using: &generator))
            encoder.write(bytes.span.extracting(index..<end), into: &buffer)
            index = end
        }
        encoder.finish(into: &buffer)
        let all = buffer.array()
        #expect(all.starts(with: "before".utf8))
        #expect(try Gunzip.read(Array(all.dropFirst(6))) == bytes)
    }

    @Test("a body given up leaves nothing in the next")
    func givenUp() throws {
        let encoder = try #require(GzipEncoder())
        var given = ByteBuffer()
        encoder.begin()
        encoder.write(Array("never finished".utf8).span, into: &given)
        var buffer = ByteBuffer()
        encoder.compress(Array("whole".utf8).span, into: &buffer)
        #expect(try Gunzip.read(buffer.array()) == Array("whole".utf8))
    }
}
