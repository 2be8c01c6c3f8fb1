import Bytes
import TestSupport
import Testing

@testable import Listings

@Suite("Words of bytes")
struct PlainRuleTests {
    private static let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 77) }

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

    @Test("a hash tells cells apart by kind, length and value, and takes them wherever they stand")
    func cells() throws {
        let values: [CellValue] = [
            .null, .boolean(false), .boolean(true), .integer(0), .integer(1), .real(0), .real(1),
            .integer(1 << 9 | 1 << 5 | 1), .integer(1 << 9 | 1 << 5 | 2),
            .date(try #require(CalendarDate(year: 1, month: 1, day: 1))),
            .date(try #require(CalendarDate(year: 1, month: 1, day: 2))),
        ]
        let texts = (0...20).map { CellValue.text(String(repeating: "a", count: $0)) }
        let others = (0...20).map { CellValue.text(String(repeating: "a", count: $0) + "b") }
        // The same words in another order.
        let (a, b, c) = ("abcdefgh", "ijklmnop", "qrstuvwx")
        let orders = [
            a + b, b + a, a + b + c + a, b + a + c + a, c + a + a + b, a + b + a + c, a + c + a + b,
        ]
        let all = values + texts + others + orders.map { .text($0) }
        var hashes: [UInt64: [CellValue]] = [:]
        for first in all {
            for second in all {
                var plain = CellBuffer()
                var shifted = CellBuffer()
                shifted.append("before")
                for value in [first, second] {
                    plain.append(value)
                    shifted.append(value)
                }
                var (hash, same) = (ContentHash(seed: 7), ContentHash(seed: 7))
                hash.add(0..<2, of: plain)
                same.add(1..<3, of: shifted)
                #expect(hash.value == same.value)
                #expect(hashes.updateValue([first, second], forKey: hash.value) == nil)
            }
        }
    }

    @Test("a hash tells rows apart by what people read in their cells, and by nothing around them")
    func displays() {
        var hashes: Set<UInt64> = []
        let readings: [String?] = [nil, "", "x", "b", "xb"]
        for texts in [("a", "b"), ("", "b"), ("ax", "b"), ("a", "xb"), ("axb", "")] {
            for first in readings {
                for second in readings {
                    var found: Set<UInt64> = []
                    for before in ["", "before", "long enough to be another run"] {
                        var cells = CellBuffer()
                        cells.append(.integer(7), display: before)
                        cells.append(.text(texts.0), display: first)
                        cells.append(.integer(1), display: second)
                        cells.append(texts.1)
                        var hash = ContentHash(seed: 7)
                        hash.add(1..<4, of: cells)
                        found.insert(hash.value)
                    }
                    #expect(found.count == 1)
                    hashes.formUnion(found)
                }
            }
        }
        #expect(hashes.count == 125)
    }

    @Test(
        "an id is its number where it is one's only spelling, else its text where that is short",
        arguments: ["", "0", "00", "01", "7", "10", "99", "100", "1234567", "12345678", "99999999"]
            + ["00000001", "123456789", "1/", "1:", "/1", ":1", "1234567/", ":2345678", "1\u{F8}"]
            + ["a", "abcdefg", "abcdefgh", "-1", "+1", " 1", "1e3", "4611686018427387903"]
            + ["4611686018427387904", "18446744073709551616", "\u{0}", "\u{0}\u{0}\u{0}1"]
    )
    func ids(_ id: String) {
        let number = self.number(of: id)
        if let value = UInt64(id), "\(value)" == id, value < 1 << 62 {
            #expect(number == value)
        } else if id.utf8.count <= 7 {
            #expect(number >> 62 == 1)
            #expect(IDNumber.id(of: number) == id)
        } else {
            #expect(number >> 63 == 1)
        }
    }

    @Test("all numbers of few digits, and some of many, are found to be numbers")
    func decimalIDs() {
        var generator = SeededGenerator(seed: 7)
        for number in 0..<10_000 {
            let long = UInt64.random(in: 0..<1 << 62, using: &generator)
            for value in [UInt64(number), long % 100_000_000, long] {
                #expect(self.number(of: "\(value)") == value)
            }
        }
    }

    @Test("ids of one and two bytes have one number, whichever bytes they are")
    func shortIDs() {
        for first in UInt8.min...UInt8.max {
            expectOneNumber([first])
            for second in UInt8.min...UInt8.max { expectOneNumber([first, second]) }
        }
    }

    @Test("ids of more bytes have one number, digits and their neighbours more than others")
    func longerIDs() {
        var generator = SeededGenerator(seed: 11)
        let likely = Array("0123456789/:09\u{7F}\u{C2}\u{B0}a".utf8)
        for _ in 0..<100_000 {
            let count = Int.random(in: 3...8, using: &generator)
            expectOneNumber(
                (0..<count).map { _ in likely[Int.random(in: 0..<likely.count, using: &generator)] }
            )
        }
    }

    private func number(of id: String) -> UInt64 {
        expectOneNumber(Array(id.utf8))
        return IDNumber.number(of: id, seed: 7)
    }

    private func expectOneNumber(_ id: [UInt8]) {
        guard (1...8).contains(id.count) else { return }
        var buffer = ByteBuffer(minimumCapacity: 64)
        buffer.append(id)
        let word = buffer.word(0..<id.count)
        let number = IDNumber.number(of: id.span, seed: 7)
        let short = IDNumber.number(ofShort: word, count: id.count)
        guard short != number else { return }
        // What is hashed has no number as a word.
        #expect(short == nil && number & IDNumber.hashMark != 0, "\(id)")
    }
}
