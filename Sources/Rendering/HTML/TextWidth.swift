/// The approximate width of a text, without knowledge of its font.
struct TextWidth: Comparable {
    private(set) var quarters = 0

    init(ofMarkup markup: borrowing Span<UInt8>) {
        var index = 0
        while index < markup.count {
            let byte = markup[index]
            index += 1
            switch byte {
            case UInt8(ascii: "<"): Self.skip(UInt8(ascii: ">"), in: markup, &index)
            case UInt8(ascii: "&"):
                Self.skip(UInt8(ascii: ";"), in: markup, &index)
                quarters += 4
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): quarters += 5
            // A continuation byte of a character.
            case 0x80..<0xC0: break
            // East Asian characters, and pictograms.
            case 0xE3...0xED, 0xF0...: quarters += 8
            default: quarters += 4
            }
        }
    }

    init(ofWidestWordIn text: String) {
        for word in text.utf8.split(separator: UInt8(ascii: " ")) {
            self = max(self, TextWidth(ofMarkup: Array(word).span))
        }
    }

    private static func skip(_ end: UInt8, in markup: borrowing Span<UInt8>, _ index: inout Int) {
        while index < markup.count, markup[index] != end { index += 1 }
        index += 1
    }

    /// The width in digits, rounded up.
    var digits: Int { (quarters + 3) / 4 }

    static func < (one: TextWidth, other: TextWidth) -> Bool { one.quarters < other.quarters }
}
