import Bytes
import TestSupport
import Testing

@testable import Listings

@Suite("Cells of other buffers")
struct CellBufferTests {
    private static let texts = [
        "", "a", "Zoë", "eight by", "a text of more than sixteen bytes", "\0",
    ]

    private static func cells(
        _ count: Int,
        withDisplays: Bool,
        _ random: inout SeededGenerator
    ) -> CellBuffer {
        var cells = CellBuffer()
        for _ in 0..<count {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: cells.appendNull(display: withDisplays ? "nothing" : nil)
            case 1: cells.append(Int64.random(in: -5...5, using: &random))
            case 2: cells.append(Bool.random(using: &random))
            default: cells.append(texts[Int.random(in: texts.indices, using: &random)])
            }
        }
        return cells
    }

    @Test("cells copied at once are those copied one by one", arguments: 1...20)
    func ranges(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for withDisplays in [false, true] {
            let other = Self.cells(30, withDisplays: withDisplays, &random)
            var atOnce = Self.cells(3, withDisplays: true, &random)
            var oneByOne = CellBuffer()
            for index in 0..<3 { oneByOne.append(index, of: atOnce) }
            for _ in 0..<10 {
                let first = Int.random(in: 0...30, using: &random)
                let range = first..<Int.random(in: first...30, using: &random)
                atOnce.append(range, of: other)
                for index in range { oneByOne.append(index, of: other) }
            }
            let count = atOnce.count
            #expect(count == oneByOne.count)
            for index in 0..<count {
                let isEqual = atOnce.isEqual(index, to: index, of: oneByOne)
                #expect(isEqual, "\(atOnce.value(index)) \(oneByOne.value(index))")
                let displays = (atOnce.display(index), oneByOne.display(index))
                #expect(displays.0 == displays.1)
            }
        }
    }

    @Test("bytes that are ASCII make a text, others make nothing", arguments: 0...20)
    func ascii(length: Int) {
        let plain = (0..<length).map { UInt8(ascii: "a") + UInt8($0) }
        for location in -1..<length {
            var bytes = plain
            if location >= 0 { bytes[location] |= 0x80 }
            var cells = CellBuffer()
            cells.append("before")
            let isAppended = cells.append(ascii: bytes.span)
            #expect(isAppended == (location < 0))
            cells.append("behind")
            let values = (0..<cells.count).map { cells.value($0) }
            let texts =
                ["before"] + (location < 0 ? [String(decoding: plain.span)] : []) + ["behind"]
            #expect(values == texts.map(CellValue.text))
        }
    }

    @Test("a cell is spelled as its value is")
    func plainText() throws {
        let date = try #require(CalendarDate("2024-02-29"))
        let values: [CellValue] = [
            .null, .text("Zoë"), .integer(-12), .integer(.min), .real(2.5), .boolean(true),
            .date(date),
        ]
        var cells = CellBuffer()
        for value in values { cells.append(value) }
        for (index, value) in values.enumerated() {
            var text = ByteBuffer()
            cells.writePlainText(index, to: &text)
            let spelled = text.withBytes { String(decoding: $0) }
            #expect(spelled == value.plainText)
        }
    }
}
