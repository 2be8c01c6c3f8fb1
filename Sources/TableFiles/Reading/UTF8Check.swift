/// Checks UTF-8 byte by byte, so that chunks may end inside a character (RFC 3629 §4).
struct UTF8Check {
    private(set) var remaining = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// False if it is not valid there.
    mutating func take(_ byte: UInt8) -> Bool {
        guard remaining == 0 else {
            guard byte >= lowest, byte <= highest else { return false }
            (lowest, highest) = (0x80, 0xBF)
            remaining -= 1
            return true
        }
        switch byte {
        case 0xC2...0xDF: remaining = 1
        case 0xE0...0xEF: remaining = 2
        case 0xF0...0xF4: remaining = 3
        default: return false
        }
        // Overlong forms, surrogates and values beyond U+10FFFF are invalid.
        switch byte {
        case 0xE0: lowest = 0xA0
        case 0xED: highest = 0x9F
        case 0xF0: lowest = 0x90
        case 0xF4: highest = 0x8F
        default: break
        }
        return true
    }
}

extension Span<UInt8> {
    /// The bytes must have been checked to be UTF-8.
    var text: String {
        guard let utf8 = try? UTF8Span(validating: self) else {
            preconditionFailure("bytes kept from a file are not UTF-8")
        }
        return String(copying: utf8)
    }
}
