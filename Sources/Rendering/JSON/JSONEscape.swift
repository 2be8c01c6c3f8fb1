import Bytes

/// The escaping of texts in JSON (RFC 8259 §7).
enum JSONEscape: BlockEscape {
    static func marks(in word: UInt64) -> UInt64 {
        // The search of WordSearch, inlined by hand.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ 0x2222_2222_2222_2222
        let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let found =
            (word &- 0x2020_2020_2020_2020) & ~word | (quote &- ones) & ~quote
            | (backslash &- ones) & ~backslash
        return found & 0x8080_8080_8080_8080
    }

    @inline(__always)
    static func marks(in block: SIMD16<UInt8>) -> ByteMask {
        // With the second bit turned, `"` is the number behind those of control characters.
        let turned: SIMD16<UInt8> = block ^ SIMD16(repeating: 2)
        let low: ByteMask = turned .< SIMD16(repeating: 0x21)
        let backslashes: ByteMask = block .== SIMD16(repeating: 0x5C)
        return low .| backslashes
    }

    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    static var longest: Int { 6 }

    static func escape(_ byte: UInt8, to sink: inout some ByteSink & ~Copyable) {
        sink.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): sink.append(byte)
        case UInt8(ascii: "\n"): sink.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): sink.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): sink.append(UInt8(ascii: "t"))
        default:
            // Below 0x20, so that the first digit is 0 or 1.
            sink.append(byte < 0x10 ? "u000" : "u001" as StaticString)
            let digit = byte & 0xF
            sink.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
