import Bytes

/// How texts are written in JSON (RFC 8259 §7).
enum JSONEscape: TextEscape {
    static func marks(in word: UInt64) -> UInt64 {
        // As WordSearch does it, written out: its calls were a tenth of a page's instructions.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ 0x2222_2222_2222_2222
        let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let found =
            (word &- 0x2020_2020_2020_2020) & ~word | (quote &- ones) & ~quote
            | (backslash &- ones) & ~backslash
        return found & 0x8080_8080_8080_8080
    }

    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    static func escape(_ byte: UInt8, to buffer: inout ByteBuffer) {
        buffer.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(byte)
        case UInt8(ascii: "\n"): buffer.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): buffer.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): buffer.append(UInt8(ascii: "t"))
        default:
            buffer.append(byte < 0x10 ? "u000" : "u00" as StaticString)
            buffer.append(hexadecimal: UInt64(byte))
        }
    }
}
