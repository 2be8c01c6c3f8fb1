import Bytes
import TestSupport
import Testing

@Suite("Padded buffers")
struct PaddedTests {
    /// Parts of a padded buffer, one behind the other, appended in room that is no larger than it
    /// has to be.
    @Test("parts are appended as they are, whatever their lengths", arguments: UInt64(1)...20)
    func parts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var buffer = ByteBuffer(minimumCapacity: 16)
        for index in 0..<200 { buffer.append(UInt8(truncatingIfNeeded: index)) }
        buffer.reserve(ByteBuffer.padding)
        let bytes = buffer.array()
        var ranges = [0..<0, 200..<200, 0..<200, 168..<200, 0..<32, 0..<33]
        for _ in 0..<40 {
            let start = Int.random(in: 0...200, using: &generator)
            ranges.append(start..<start + Int.random(in: 0...200 - start, using: &generator))
        }
        let length = ranges.reduce(0) { $0 + $1.count }
        var target = ByteBuffer(minimumCapacity: 16)
        target.append("before")
        target.append(atMost: length + ByteBuffer.padding) { room in
            for range in ranges { room.append(range, ofPadded: buffer) }
        }
        target.append("behind")
        let expected = Array("before".utf8) + ranges.flatMap { bytes[$0] } + Array("behind".utf8)
        #expect(target.array() == expected)
    }

    @Test(
        "numbers of at most sixteen digits are written as their description",
        arguments: [0, 1, 9, 10, 11, 99, 100, 101, 999, 1_000, 9_999, 10_000, 10_001, 99_999]
            + [100_000, 999_999, 1_000_000, 9_999_999, 10_000_000, 12_345_678, 90_807_060]
            + [99_999_999, 100_000_000, 100_000_001, 1_234_567_890, 20_000_000_304_000]
            + [999_999_999_999_999, 1_000_000_000_000_000, 9_999_999_999_999_999] as [UInt64]
    )
    func shortDecimal(value: UInt64) {
        var buffer = ByteBuffer()
        buffer.append(atMost: 16) { $0.append(shortDecimal: value) }
        #expect(buffer.text() == "\(value)")
    }

    @Test("all numbers of four digits, and as many of eight and of sixteen, are written right")
    func digits() {
        var generator = SeededGenerator(seed: 7)
        for number in 0..<10_000 {
            let high = UInt64.random(in: 0..<1_000_000_000_000, using: &generator)
            let number = UInt64(number)
            for value in [number, high % 10_000 * 10_000 + number, high * 10_000 + number] {
                var buffer = ByteBuffer()
                buffer.append(atMost: 16) { $0.append(shortDecimal: value) }
                #expect(buffer.text() == "\(value)")
            }
        }
    }

    @Test("a marked byte is found in a range and nowhere else")
    func marked() {
        for count in 0..<40 {
            for place in 0..<count {
                var buffer = ByteBuffer(minimumCapacity: count + ByteBuffer.padding)
                for index in 0..<count { buffer.append(index == place ? UInt8(0xFF) : 0x41) }
                let isPadded = buffer.isPadded
                #expect(isPadded)
                for start in 0...count {
                    for end in start...count {
                        let isFree = buffer.holdsNone(
                            of: { $0 & 0x8080_8080_8080_8080 },
                            in: start..<end
                        )
                        #expect(isFree != (start..<end).contains(place))
                    }
                }
            }
        }
    }
}
