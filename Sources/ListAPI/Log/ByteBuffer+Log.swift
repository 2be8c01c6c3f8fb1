package import Bytes

extension ByteBuffer {
    /// Appends a duration in milliseconds with three decimals.
    package mutating func append(milliseconds duration: Duration) {
        append(millisecondsOf: Int(duration / .nanoseconds(1)))
    }

    /// Appends a time in nanoseconds as milliseconds with three decimals.
    package mutating func append(millisecondsOf nanoseconds: Int) {
        let microseconds = max(0, nanoseconds / 1000)
        append(decimal: microseconds / 1000)
        append(UInt8(ascii: "."))
        append(decimal: microseconds % 1000, width: 3)
    }

    /// Appends a space and a text; nothing where it is nil or empty.
    package mutating func append(word: String?) {
        guard let word, !word.isEmpty else { return }
        append(UInt8(ascii: " "))
        append(word)
    }

    /// Appends a text as a field of the combined log format: escaped, without spaces, `-` for none.
    package mutating func append(field: String?) {
        guard let field, !field.isEmpty else { return append(UInt8(ascii: "-")) }
        append(escaped: field.utf8.span, from: UInt8(ascii: "!"))
    }

    /// Appends a text in quotes, escaped as Apache does.
    package mutating func append(quoted text: borrowing Span<UInt8>) {
        append(UInt8(ascii: "\""))
        append(escaped: text)
        append(UInt8(ascii: "\""))
    }

    /// Appends a text that can end neither quotes nor a line.
    ///
    /// Quotes and backslashes follow a backslash, and bytes other than printable ASCII become
    /// `\xHH`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - first: The first byte that is printable: a space or the byte after it.
    package mutating func append(
        escaped text: borrowing Span<UInt8>,
        from first: UInt8 = UInt8(ascii: " ")
    ) {
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case first...UInt8(ascii: "~"): append(byte)
            default:
                append("\\x" as StaticString)
                if byte < 16 { append(UInt8(ascii: "0")) }
                append(hexadecimal: UInt64(byte))
            }
        }
    }
}
