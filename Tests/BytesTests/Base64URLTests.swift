import Bytes
import Testing

@Suite("Base64url")
struct Base64URLTests {
    @Test("every character has six bits, whatever the length", arguments: 0...40)
    func lengths(_ count: Int) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let all = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 77) }
        for start in 0...20 {
            let bytes = Array(all[start..<start + count])
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
}
