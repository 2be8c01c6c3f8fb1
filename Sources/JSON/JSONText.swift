/// Arrays and objects as JSON text (RFC 8259).
package enum JSONText {
    /// The maximum nesting depth.
    private static let maximumDepth = 64

    /// Validates an array or object and removes the white space between its tokens.
    ///
    /// - Returns: The text without white space; nil for anything but one array or object.
    package static func compact(_ text: String) -> String? {
        guard let value = compactValue(text), "[{".utf8.contains(value.utf8.first ?? 0) else {
            return nil
        }
        return value
    }

    /// Validates a value of any type and removes the white space between its tokens.
    ///
    /// - Returns: The text without white space; nil for anything but one JSON value.
    package static func compactValue(_ text: String) -> String? {
        var tokenizer = JSONTokenizer(Array(text.utf8), maximumDepth: maximumDepth)
        var compact: [UInt8] = []
        do throws(JSONSyntaxError) {
            repeat {
                switch try tokenizer.next() {
                case .comma: compact.append(UInt8(ascii: ","))
                case .colon: compact.append(UInt8(ascii: ":"))
                default: compact += tokenizer.bytes[tokenizer.tokenStart..<tokenizer.index]
                }
            } while !tokenizer.isComplete
            try tokenizer.finish()
        } catch {
            return nil
        }
        return String(decoding: compact, as: UTF8.self)
    }
}
