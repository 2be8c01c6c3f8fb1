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
        var scanner = Scanner(bytes: Array(text.utf8))
        scanner.skipSpace()
        guard scanner.value(depth: 0) else { return nil }
        scanner.skipSpace()
        return scanner.next == nil ? String(decoding: scanner.compact, as: UTF8.self) : nil
    }

    /// A scanner that validates a document and copies its tokens.
    private struct Scanner {
        let bytes: [UInt8]
        var index = 0
        var compact: [UInt8] = []

        init(bytes: [UInt8]) { self.bytes = bytes }

        var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func skipSpace() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                index += 1
            }
        }

        /// Consumes a byte if it is the next one.
        private mutating func take(_ byte: UInt8) -> Bool {
            guard next == byte else { return false }
            compact.append(byte)
            index += 1
            return true
        }

        mutating func value(depth: Int) -> Bool {
            guard depth < JSONText.maximumDepth, let byte = next else { return false }
            switch byte {
            case UInt8(ascii: "{"): return container(UInt8(ascii: "}"), hasNames: true, depth)
            case UInt8(ascii: "["): return container(UInt8(ascii: "]"), hasNames: false, depth)
            case UInt8(ascii: "\""): return string()
            case UInt8(ascii: "t"): return word("true")
            case UInt8(ascii: "f"): return word("false")
            case UInt8(ascii: "n"): return word("null")
            default: return number()
            }
        }

        private mutating func container(_ end: UInt8, hasNames: Bool, _ depth: Int) -> Bool {
            compact.append(bytes[index])
            index += 1
            skipSpace()
            if take(end) { return true }
            while true {
                if hasNames {
                    guard string() else { return false }
                    skipSpace()
                    guard take(UInt8(ascii: ":")) else { return false }
                    skipSpace()
                }
                guard value(depth: depth + 1) else { return false }
                skipSpace()
                if take(end) { return true }
                guard take(UInt8(ascii: ",")) else { return false }
                skipSpace()
            }
        }

        private mutating func word(_ word: StaticString) -> Bool {
            let letters = Array("\(word)".utf8)
            guard bytes[index...].starts(with: letters) else { return false }
            compact += letters
            index += letters.count
            return true
        }

        private mutating func number() -> Bool {
            let start = index
            while let byte = next, byte &- UInt8(ascii: "0") < 10 || "+-.eE".utf8.contains(byte) {
                index += 1
            }
            let text = bytes[start..<index]
            guard JSONText.isNumber(text.span) else { return false }
            compact += text
            return true
        }

        private mutating func string() -> Bool {
            guard next == UInt8(ascii: "\"") else { return false }
            let start = index
            index += 1
            while let byte = next, byte != UInt8(ascii: "\"") {
                guard byte >= 0x20 else { return false }
                if byte == UInt8(ascii: "\\") {
                    index += 1
                    guard let escaped = next, "\"\\/bfnrtu".utf8.contains(escaped) else {
                        return false
                    }
                    if escaped == UInt8(ascii: "u") {
                        guard index + 4 < bytes.count,
                            bytes[index + 1...index + 4].allSatisfy(Self.isHexadecimal)
                        else { return false }
                        index += 4
                    }
                }
                index += 1
            }
            guard next != nil else { return false }
            index += 1
            compact += bytes[start..<index]
            return true
        }

        private static func isHexadecimal(_ byte: UInt8) -> Bool {
            byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
        }
    }

    /// Whether bytes are a JSON number (RFC 8259 §6).
    package static func isNumber(_ utf8: borrowing Span<UInt8>) -> Bool {
        var index = 0
        func digits() -> Int {
            let start = index
            while index < utf8.count, utf8[index] &- UInt8(ascii: "0") < 10 { index += 1 }
            return index - start
        }
        if index < utf8.count, utf8[index] == UInt8(ascii: "-") { index += 1 }
        let first = index
        let count = digits()
        guard count > 0, count == 1 || utf8[first] != UInt8(ascii: "0") else { return false }
        if index < utf8.count, utf8[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() > 0 else { return false }
        }
        if index < utf8.count, utf8[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < utf8.count,
                utf8[index] == UInt8(ascii: "+") || utf8[index] == UInt8(ascii: "-")
            {
                index += 1
            }
            guard digits() > 0 else { return false }
        }
        return index == utf8.count
    }
}
