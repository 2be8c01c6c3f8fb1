import Bytes

enum XMLText {
    /// Appends a text; characters that XML cannot hold become `_x000B_` (ECMA-376 Part 1 §22.9.2.19).
    static func escape(_ utf8: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        var start = 0
        for index in utf8.indices {
            let byte = utf8[index]
            var length = 1
            switch byte {
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
                0x0D:
                break
            case 0x09, 0x0A: continue
            case 0..<0x20: break
            case UInt8(ascii: "_"):
                guard looksEscaped(utf8, at: index) else { continue }
            case 0xEF:
                // U+FFFE and U+FFFF are no characters.
                guard index + 2 < utf8.count, utf8[index + 1] == 0xBF, utf8[index + 2] >= 0xBE
                else { continue }
                length = 3
            default: continue
            }
            buffer.append(utf8.extracting(start..<index))
            start = index + length
            switch byte {
            case UInt8(ascii: "&"): buffer.append("&amp;" as StaticString)
            case UInt8(ascii: "<"): buffer.append("&lt;" as StaticString)
            case UInt8(ascii: ">"): buffer.append("&gt;" as StaticString)
            case UInt8(ascii: "\""): buffer.append("&quot;" as StaticString)
            // A parser reads a plain carriage return as a line feed.
            case 0x0D: buffer.append("&#13;" as StaticString)
            case UInt8(ascii: "_"): buffer.append("_x005F_" as StaticString)
            case 0xEF:
                let isLast = utf8[index + 2] == 0xBF
                buffer.append(isLast ? "_xFFFF_" : "_xFFFE_" as StaticString)
            default:
                buffer.append("_x00" as StaticString)
                buffer.append(digit(byte >> 4))
                buffer.append(digit(byte & 0xF))
                buffer.append(UInt8(ascii: "_"))
            }
        }
        buffer.append(utf8.extracting(start..<utf8.count))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func looksEscaped(_ utf8: borrowing Span<UInt8>, at index: Int) -> Bool {
        guard index + 6 < utf8.count, utf8[index + 1] | 0x20 == UInt8(ascii: "x"),
            utf8[index + 6] == UInt8(ascii: "_")
        else { return false }
        for location in index + 2..<index + 6 {
            switch utf8[location] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                UInt8(ascii: "a")...UInt8(ascii: "f"):
                continue
            default: return false
            }
        }
        return true
    }

    /// Cuts a text that is too long for a cell; nil for any other.
    static func cut(
        _ utf8: borrowing Span<UInt8>,
        to maximum: Int
    ) -> (end: Int, note: String)? {
        guard utf8.count > maximum else { return nil }
        let length = Self.length(utf8, upTo: .max).length
        guard length > maximum else { return nil }
        let note = "… [cut by Roster: the value has \(length) characters, a cell \(maximum)]"
        return (Self.length(utf8, upTo: maximum - note.utf16.count).end, note)
    }

    /// Returns the end and the UTF-16 length of the longest start of a text within a length.
    private static func length(
        _ utf8: borrowing Span<UInt8>,
        upTo maximum: Int
    ) -> (end: Int, length: Int) {
        var length = 0
        for index in utf8.indices where utf8[index] & 0xC0 != 0x80 {
            let units = utf8[index] >= 0xF0 ? 2 : 1
            guard length + units <= maximum else { return (index, length) }
            length += units
        }
        return (utf8.count, length)
    }
}
