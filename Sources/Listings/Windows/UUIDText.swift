import Bytes

/// The usual text of a UUID: 36 characters, in lower case (RFC 9562 §4).
package enum UUIDText {
    /// Appends the 16 bytes of a UUID.
    ///
    /// - Returns: Whether the text is a UUID. Nothing is appended for any other text.
    static func append(_ text: borrowing Span<UInt8>, to bytes: inout ByteBuffer) -> Bool {
        guard text.count == 36 else { return false }
        let start = bytes.count
        var high: UInt8?
        for index in 0..<36 {
            if isDash(index) {
                if text[index] == UInt8(ascii: "-") { continue }
            } else if let digit = text[index].lowercaseHexadecimalValue {
                if let first = high { bytes.append(first << 4 | digit) }
                high = high == nil ? digit : nil
                continue
            }
            bytes.truncate(to: start)
            return false
        }
        return true
    }

    /// The text of 16 bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        var text = ByteBuffer(minimumCapacity: 36)
        for byte in bytes {
            if isDash(text.count) { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 0xF] {
                text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
            }
        }
        return text.text()
    }

    private static func isDash(_ index: Int) -> Bool {
        index == 8 || index == 13 || index == 18 || index == 23
    }
}
