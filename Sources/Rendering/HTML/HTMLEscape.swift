import Bytes

/// The escaping of texts and of attribute values in double quotes in HTML.
///
/// A `'` stands for itself in both, as in what browsers write (HTML Standard §13.3, "Escaping a
/// string"): names have many of them. ``HTMLQuoteEscape`` is for single quotes.
enum HTMLEscape: BlockEscape {
    @inline(__always)
    static func marks(in word: UInt64) -> UInt64 {
        // The search of WordSearch, inlined by hand.
        // `"` and `&` differ in one bit, and so do `<` and `>`. Line breaks are found as well.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let and = (word | 0x0404_0404_0404_0404) ^ 0x2626_2626_2626_2626
        let angle = (word | 0x0202_0202_0202_0202) ^ 0x3E3E_3E3E_3E3E_3E3E
        let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
        let found =
            (word &- 0x2020_2020_2020_2020) & ~word | (and &- ones) & ~and
            | (angle &- ones) & ~angle | (delete &- ones) & ~delete
        return found & 0x8080_8080_8080_8080
    }

    @inline(__always)
    static func marks(in block: SIMD16<UInt8>) -> ByteMask {
        // `"` and `&` differ in one bit, and so do `<` and `>`. Without the one and with the second
        // bit turned, `"` is the number behind those of control characters.
        let turned: SIMD16<UInt8> = (block & SIMD16(repeating: 0xFB)) ^ SIMD16(repeating: 2)
        let low: ByteMask = turned .< SIMD16(repeating: 0x21)
        let angles: ByteMask = (block | SIMD16(repeating: 2)) .== SIMD16(repeating: 0x3E)
        let deletes: ByteMask = block .== SIMD16(repeating: 0x7F)
        return low .| angles .| deletes
    }

    /// The bytes below 64 that cannot stand for themselves, one bit each: `" & < >` and control
    /// characters except tab, line feed and carriage return.
    private static let escapedBelow64: UInt64 =
        0xFFFF_D9FF
        | 1 << UInt64(UInt8(ascii: "\"")) | 1 << UInt64(UInt8(ascii: "&"))
        | 1 << UInt64(UInt8(ascii: "<")) | 1 << UInt64(UInt8(ascii: ">"))

    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 64 ? escapedBelow64 >> UInt64(byte) & 1 == 1 : byte == 0x7F
    }

    static var longest: Int { 6 }

    static func escape(_ byte: UInt8, to sink: inout some ByteSink & ~Copyable) {
        switch byte {
        case UInt8(ascii: "&"): sink.append("&amp;")
        case UInt8(ascii: "<"): sink.append("&lt;")
        case UInt8(ascii: ">"): sink.append("&gt;")
        case UInt8(ascii: "\""): sink.append("&quot;")
        case 0x7F: sink.append("\u{2421}")
        default:
            // HTML allows no control character, not even as a reference: its picture is shown,
            // U+2400 and the next 31 (UTF-8: E2 90 80 and so on).
            sink.append(0xE2)
            sink.append(0x90)
            sink.append(0x80 + byte)
        }
    }
}
