import Bytes
import TestSupport
import Testing

@Suite("Padded buffers")
struct PaddedTests {
    /// What is to stand in a template: parts of a text of any length, and short values.
    private struct Case {
        var leads: [Range<Int>] = []
        var values: [Range<Int>] = []
        var tail = 0..<0
    }

    private func cases(_ seed: UInt64) -> [Case] {
        var generator = SeededGenerator(seed: seed)
        func part(_ longest: Int) -> Range<Int> {
            let count = Int.random(in: 0...longest, using: &generator)
            let start = Int.random(in: 0...200 - count, using: &generator)
            return start..<start + count
        }
        return (0..<30).map { number in
            var sample = Case()
            for _ in 0..<number % 9 {
                sample.leads.append(part([0, 20, 100][Int.random(in: 0...2, using: &generator)]))
                sample.values.append(part(ShortBytes.longest))
            }
            sample.tail = part(100)
            return sample
        }
    }

    /// Templates one behind the other, in room that is no larger than it has to be.
    @Test("parts and short values are appended as they are", arguments: UInt64(1)...20)
    func template(seed: UInt64) {
        var buffer = ByteBuffer(minimumCapacity: 16)
        for index in 0..<200 { buffer.append(UInt8(truncatingIfNeeded: index)) }
        buffer.reserve(ByteBuffer.padding)
        let bytes = buffer.array()
        for sample in cases(seed) {
            let template = ByteTemplate<Int> { text, value in
                for (index, lead) in sample.leads.enumerated() {
                    text.append(lead, of: buffer)
                    value(index, text)
                }
                text.append(sample.tail, of: buffer)
            }
            var expected: [UInt8] = []
            for (lead, value) in zip(sample.leads, sample.values) {
                expected += bytes[lead] + bytes[value]
            }
            expected += bytes[sample.tail]
            var target = ByteBuffer(minimumCapacity: 16)
            target.append("before")
            // The first one leaves just the room that the second one needs.
            target.append(atMost: template.longest + expected.count) { room in
                for _ in 0..<2 {
                    room.append(template) {
                        let value = sample.values[$0]
                        return buffer.withPadded {
                            $0.short(at: value.lowerBound, count: value.count)
                        }
                    }
                }
            }
            target.append("behind")
            let before = Array("before".utf8)
            #expect(target.array() == before + expected + expected + Array("behind".utf8))
            var slow = ByteBuffer()
            slow.append(atMost: expected.count) { room in
                template.write(to: &room) { $1.append(sample.values[$0], of: buffer) }
            }
            #expect(slow.array() == expected)
        }
    }

    private func text(_ value: UInt64) -> String {
        var buffer = ByteBuffer()
        let number = ByteTemplate<Int> { text, value in value(0, text) }
        buffer.append(atMost: number.longest) { room in
            room.append(number) { _ in ShortBytes(decimal: value) }
        }
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
            for place in 0..<count {
                var buffer = ByteBuffer(minimumCapacity: count + ByteBuffer.padding)
                for index in 0..<count { buffer.append(index < place ? 0x41 : UInt8(0xFF)) }
                // What stands behind the bytes is looked at, too.
                buffer.append("\u{FF}")
                buffer.truncate(to: count)
                buffer.reserve(ByteBuffer.padding)
                for (start, end) in [(0, count), (place / 2, count), (0, place), (place, place)] {
                    let found = buffer.firstMarked(
                        by: { $0 .> SIMD16(repeating: 0x7F) },
                        in: start..<end
                    )
                    #expect(found == min(max(start, place), end), "\(place) in \(start)..<\(end)")
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
