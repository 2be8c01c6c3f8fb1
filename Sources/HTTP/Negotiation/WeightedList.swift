import Bytes

/// The members of a field like Accept, each with a name, parameters and a quality.
///
/// Malformed members are omitted (RFC 9110 §12.4.2, §12.5.1, §12.5.3).
struct WeightedList {
    struct Member: Equatable {
        /// One token, or two with a slash between, in lower case.
        var name: String
        /// The parameters before `q`, in order, as `name=value` in lower case without quotes.
        var parameters: [String] = []
        /// The quality in thousandths, 0...1000.
        var quality = 1000
    }

    private(set) var members: [Member] = []

    init(_ value: String) {
        var scanner = Scanner(value)
        while !scanner.isAtEnd {
            if let member = scanner.member() {
                members.append(member)
            } else {
                scanner.skipMember()
            }
            scanner.skipComma()
        }
    }

    struct Scanner {
        private let bytes: [UInt8]
        private var index = 0

        init(_ value: String) {
            bytes = Array(value.utf8)
        }

        var isAtEnd: Bool { index == bytes.count }

        var current: UInt8? { index < bytes.count ? bytes[index] : nil }

        var isAtEndOfMember: Bool { isAtEnd || current == UInt8(ascii: ",") }

        mutating func skipComma() {
            if current == UInt8(ascii: ",") { index += 1 }
        }

        /// Skips to the comma after a malformed member, without commas in quotes.
        mutating func skipMember() {
            var isQuoted = false
            while let byte = current, isQuoted || byte != UInt8(ascii: ",") {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if byte == UInt8(ascii: "\\"), isQuoted, index + 1 < bytes.count { index += 1 }
                index += 1
            }
        }

        mutating func member() -> Member? {
            skipBlanks()
            guard let name = name() else { return nil }
            var member = Member(name: name)
            var hasQuality = false
            while true {
                skipBlanks()
                if isAtEndOfMember { return member }
                guard skip(UInt8(ascii: ";")) else { return nil }
                skipBlanks()
                guard let parameter = token(), skip(UInt8(ascii: "=")), let text = value() else {
                    return nil
                }
                if hasQuality { continue }
                if parameter == "q" {
                    guard let quality = Self.quality(text) else { return nil }
                    member.quality = quality
                    hasQuality = true
                } else {
                    member.parameters.append("\(parameter)=\(text)")
                }
            }
        }

        mutating func skipBlanks() {
            while let byte = current, byte.isBlank { index += 1 }
        }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard current == byte else { return false }
            index += 1
            return true
        }

        private mutating func name() -> String? {
            guard let first = token() else { return nil }
            guard skip(UInt8(ascii: "/")) else { return first }
            return token().map { "\(first)/\($0)" }
        }

        mutating func token() -> String? {
            let start = index
            while let byte = current, ByteClass.token.contains(byte) { index += 1 }
            guard index > start else { return nil }
            return String(decoding: bytes[start..<index].map(\.lowercasedASCII), as: UTF8.self)
        }

        mutating func value() -> String? {
            guard skip(UInt8(ascii: "\"")) else { return token() }
            var text: [UInt8] = []
            while let byte = current {
                index += 1
                if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
                if byte == UInt8(ascii: "\\") {
                    guard let next = current else { return nil }
                    index += 1
                    text.append(next.lowercasedASCII)
                } else {
                    text.append(byte.lowercasedASCII)
                }
            }
            return nil
        }

        /// Reads a `qvalue` of RFC 9110 §12.4.2 in thousandths.
        private static func quality(_ text: String) -> Int? {
            let digits = Array(text.utf8)
            guard let first = digits.first, digits.count <= 5,
                first == UInt8(ascii: "0") || first == UInt8(ascii: "1")
            else { return nil }
            guard digits.count == 1 || digits[1] == UInt8(ascii: ".") else { return nil }
            var quality = Int(first - UInt8(ascii: "0")) * 1000
            var weight = 100
            for digit in digits.dropFirst(2) {
                guard digit.isDigit else { return nil }
                quality += Int(digit - UInt8(ascii: "0")) * weight
                weight /= 10
            }
            return quality <= 1000 ? quality : nil
        }
    }
}

extension Substring {
    /// Only SP and HTAB are trimmed.
    package func trimmingASCIIBlanks() -> String {
        String(decoding: Array(utf8)[...].trimmingBlanks(), as: UTF8.self)
    }
}
