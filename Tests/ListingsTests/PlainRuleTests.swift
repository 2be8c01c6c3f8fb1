import Bytes
import Testing

@testable import Listings

/// What is done eight bytes at a time, held to the rule of a byte at a time.
@Suite("Words of bytes")
struct PlainRuleTests {
    private static let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 77) }

    @Test("base64url has six bits in each character, whatever the length", arguments: 0...40)
    func base64URL(_ count: Int) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        for start in 0...20 {
            let bytes = Array(Self.bytes[start..<start + count])
            let bits = bytes.flatMap { byte in (0..<8).reversed().map { byte >> $0 & 1 } }
            let characters = stride(from: 0, to: bits.count, by: 6).map { first in
                let group = (0..<6).map { first + $0 < bits.count ? bits[first + $0] : 0 }
                return alphabet[group.reduce(0) { $0 << 1 | Int($1) }]
            }
            var source = ByteBuffer()
            source.append(bytes)
            var text = ByteBuffer()
            Base64URL.encode(source, to: &text)
            #expect(text.text() == String(characters))
            #expect(Base64URL.decode(text.text()) == bytes)
        }
    }

    @Test("every value has its character in every place")
    func alphabet() {
        for value in UInt8(0)..<64 {
            // Three bytes hold a value four times.
            let three = [value << 2 | value >> 4, value << 4 | value >> 2, value << 6 | value]
            var source = ByteBuffer()
            for _ in 0..<4 { source.append(three) }
            var text = ByteBuffer()
            Base64URL.encode(source, to: &text)
            let characters = Set(text.text())
            #expect(characters.count == 1)
            #expect(Base64URL.decode(text.text()) == three + three + three + three)
        }
    }

    @Test(
        "a hash folds the length, then whole words, the last of which ends with the last byte",
        arguments: 0...40
    )
    func hash(_ count: Int) {
        let bytes = Array(Self.bytes[..<count])
        func word(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
            bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        var expected = ContentHash(seed: 7)
        expected.add(UInt64(count))
        switch count {
        case 0: expected.add(0x6161_6161_6161_6161)
        case 1...3:
            let first = word([bytes[0], bytes[count / 2], bytes[count - 1]])
            expected.add(first | 0x6161_6161_6100_0000)
        case 4...7: expected.add(word(bytes.prefix(4) + bytes.suffix(4)))
        default:
            for start in stride(from: 0, to: count - 8, by: 8) {
                expected.add(word(bytes[start..<start + 8]))
            }
            expected.add(word(bytes.suffix(8)))
        }
        var hash = ContentHash(seed: 7)
        hash.add(bytes.span)
        #expect(hash.value == expected.value)
    }
}
