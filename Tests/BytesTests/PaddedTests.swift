import Bytes
import TestSupport
import Testing

@Suite("Padded buffers")
struct PaddedTests {
    @Test("parts are appended as they are, in room for no more than they need")
    func parts() {
        var buffer = ByteBuffer(minimumCapacity: 16)
        for index in 0..<200 { buffer.append(UInt8(truncatingIfNeeded: index)) }
        buffer.reserve(ByteBuffer.padding)
        let bytes = buffer.array()
        for start in stride(from: 0, to: 100, by: 7) {
            for count in 0..<100 {
                var target = ByteBuffer(minimumCapacity: 16)
                target.append("before")
                target.append(atMost: count + ByteBuffer.padding) { room in
                    buffer.withPadded { room.append(start, count: count, of: $0) }
                }
                if count <= SmallBytes.longest {
                    target.truncate(to: "before".utf8.count)
                    target.append(buffer.withPadded { $0.short(start, count: count) })
                }
                target.append("behind")
                let part = bytes[start..<start + count]
                #expect(target.array() == Array("before".utf8) + part + Array("behind".utf8))
            }
        }
    }

    @Test("a text is appended up to the sixteen bytes of which one is marked")
    func unmarked() {
        let isHigh = { (block: SIMD16<UInt8>) -> ByteMask in block .> SIMD16(repeating: 0x7F) }
        for count in 0..<70 {
            for location in 0...count {
                var buffer = ByteBuffer(minimumCapacity: 16)
                buffer.append("\u{FF}ab")
                let start = buffer.count
                for index in 0..<count { buffer.append(index == location ? 0xFF : UInt8(0x41)) }
                let bytes = buffer.array()
                // Marked bytes behind the text have no say.
                buffer.append("\u{FF}")
                buffer.reserve(ByteBuffer.padding)
                var target = ByteBuffer(minimumCapacity: 16)
                var appended = 0
                target.append(atMost: count + 16) { room in
                    appended = buffer.withPadded {
                        room.append(start, count: count, of: $0, until: isHigh)
                    }
                }
                let expected = location == count ? count : location / 16 * 16
                #expect(appended == expected, "\(location) of \(count)")
                #expect(target.array() == Array(bytes[start..<start + expected]))
                let isUnmarked = buffer.withPadded {
                    $0.isUnmarked(start..<start + count, by: isHigh)
                }
                #expect(isUnmarked == (location == count))
            }
        }
    }

    private func text(_ value: UInt64) -> String {
        var buffer = ByteBuffer()
        buffer.append(SmallBytes(decimal: value))
        return buffer.text()
    }

    @Test(
        "numbers of at most sixteen digits are written as their description",
        arguments: [0, 1, 9, 10, 11, 99, 100, 101, 999, 1_000, 9_999, 10_000, 10_001, 99_999]
            + [100_000, 999_999, 1_000_000, 9_999_999, 10_000_000, 12_345_678, 90_807_060]
            + [99_999_999, 100_000_000, 100_000_001, 1_234_567_890, 20_000_000_304_000]
            + [999_999_999_999_999, 1_000_000_000_000_000, 9_999_999_999_999_999] as [UInt64]
    )
    func decimal(value: UInt64) {
        #expect(text(value) == "\(value)")
    }

    @Test("all numbers of four digits, and as many of eight and of sixteen, are written right")
    func digits() {
        var generator = SeededGenerator(seed: 7)
        for number in 0..<10_000 {
            let high = UInt64.random(in: 0..<1_000_000_000_000, using: &generator)
            let number = UInt64(number)
            for value in [number, high % 10_000 * 10_000 + number, high * 10_000 + number] {
                #expect(text(value) == "\(value)")
            }
        }
    }

    @Test("the first marked byte of a range is found, and none behind it")
    func marked() {
        for count in 0..<70 {
            for location in 0..<count {
                var buffer = ByteBuffer(minimumCapacity: count + ByteBuffer.padding)
                for index in 0..<count { buffer.append(index < location ? 0x41 : UInt8(0xFF)) }
                // What stands behind the bytes is looked at, too.
                buffer.append("\u{FF}")
                buffer.truncate(to: count)
                buffer.reserve(ByteBuffer.padding)
                for (start, end) in [
                    (0, count), (location / 2, count), (0, location), (location, location),
                ] {
                    let found = buffer.firstMarked(
                        by: { $0 .> SIMD16(repeating: 0x7F) },
                        in: start..<end
                    )
                    #expect(
                        found == min(max(start, location), end),
                        "\(location) in \(start)..<\(end)"
                    )
                }
            }
        }
    }

    @Test("bytes of a range come in pairs of words, the last ones once more")
    func pairs() {
        var buffer = ByteBuffer(minimumCapacity: 16)
        for index in 0..<80 { buffer.append(UInt8(index)) }
        for count in 16...70 {
            var found: [UInt8] = []
            buffer.forEachPair(in: 3..<3 + count) { first, second in
                for word in [first, second] {
                    found += (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
                }
            }
            let whole = count / 16 * 16
            var expected = Array(buffer.array()[3..<3 + whole])
            if whole < count { expected += buffer.array()[3 + count - 16..<3 + count] }
            #expect(found == expected)
        }
    }

    @Test("up to eight bytes are a word, with zeros above")
    func word() {
        var buffer = ByteBuffer(minimumCapacity: 16)
        for index in 1..<40 { buffer.append(UInt8(index)) }
        buffer.reserve(ByteBuffer.padding)
        for count in 1...8 {
            let expected = (0..<count).reduce(UInt64(0)) { $0 | UInt64($1 + 6) << ($1 * 8) }
            let word = buffer.word(5..<5 + count)
            #expect(word == expected)
        }
    }
}
