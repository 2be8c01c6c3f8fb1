import Bytes
import Listings
import Rendering

/// A JSON document of a request.
enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number, as written.
    case number(String)
    /// A text with its escapes decoded.
    case text(String)
    /// An array, and its source text.
    case array([JSONValue], text: String)
    /// An object with distinct names, and its source text.
    case object([String: JSONValue], text: String)

    /// Parses exactly one document (RFC 8259).
    ///
    /// It is stricter where the grammar leaves the meaning open. An object may not repeat a name,
    /// and an escape may not form an unpaired surrogate.
    ///
    /// - Parameter bytes: UTF-8; a byte order mark is an error, which RFC 8259 §8.1 permits.
    /// - Throws: ``JSONSyntaxError`` with the offset of the error.
    init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        var reader = JSONValueReader(bytes)
        self = try reader.document()
    }

    /// Parses one document a line (NDJSON), as the elements of an array.
    ///
    /// - Parameter bytes: UTF-8; the last line needs no line feed.
    /// - Throws: ``JSONSyntaxError`` with the offset of the error.
    init(parsingLines bytes: [UInt8]) throws(JSONSyntaxError) {
        var elements: [JSONValue] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            do throws(JSONSyntaxError) {
                elements.append(try JSONValue(parsing: Array(bytes[start..<end])))
            } catch {
                throw JSONSyntaxError(reason: error.reason, offset: start + error.offset)
            }
            start = end + 1
        }
        self = .array(elements, text: "")
    }
}

extension JSONValue {
    /// The value as JSON without white space; nil if it is nested too deeply for a cell.
    var compactText: String? {
        switch self {
        case .array(_, let text), .object(_, let text): return JSONText.compact(text)
        case .number(let text): return text
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .text(let text):
            var buffer = ByteBuffer(minimumCapacity: text.utf8.count + 2)
            JSONWriter.write(to: &buffer) { $0.string(text) }
            return buffer.text()
        }
    }
}

/// A syntax error of a JSON document and its position.
struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The reason of the error.
    enum Reason: Hashable, Sendable {
        /// The document is incomplete.
        case unexpectedEnd
        /// The grammar does not allow the byte here.
        case unexpectedByte
        /// An object repeats a name.
        case repeatedName(String)
        /// Arrays and objects are nested deeper than this limit.
        case tooDeep(limit: Int)
        /// A text contains a control character, an invalid escape or invalid UTF-8.
        case malformedText
    }

    /// The reason of the error.
    let reason: Reason
    /// The offset in bytes from the start of the document.
    let offset: Int
}

/// A parser of one document.
private struct JSONValueReader {
    private static let maximumDepth = 16

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONSyntaxError) -> JSONValue {
        let value = try value()
        skipBlanks()
        guard index == bytes.count else { throw error(.unexpectedByte) }
        return value
    }

    private func error(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        JSONSyntaxError(reason: index < bytes.count ? reason : .unexpectedEnd, offset: index)
    }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONSyntaxError) {
        guard take(byte) else { throw error(.unexpectedByte) }
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        skipBlanks()
        guard index < bytes.count else { throw error(.unexpectedEnd) }
        switch bytes[index] {
        case UInt8(ascii: "{"):
            return try nested { (reader) throws(JSONSyntaxError) in
                let start = reader.index - 1
                return .object(try reader.members(), text: reader.text(from: start))
            }
        case UInt8(ascii: "["):
            return try nested { (reader) throws(JSONSyntaxError) in
                let start = reader.index - 1
                return .array(try reader.elements(), text: reader.text(from: start))
            }
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func nested(
        _ read: (inout JSONValueReader) throws(JSONSyntaxError) -> JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw error(.tooDeep(limit: Self.maximumDepth)) }
        depth += 1
        index += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func members() throws(JSONSyntaxError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        skipBlanks()
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            skipBlanks()
            let start = index
            let name = try text()
            guard members[name] == nil else {
                throw JSONSyntaxError(reason: .repeatedName(name), offset: start)
            }
            skipBlanks()
            try expect(UInt8(ascii: ":"))
            members[name] = try value()
            skipBlanks()
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
        return members
    }

    private mutating func elements() throws(JSONSyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return elements }
        repeat {
            elements.append(try value())
            skipBlanks()
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        return elements
    }

    private mutating func word(
        _ word: StaticString,
        _ value: JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        for byte in word.description.utf8 { try expect(byte) }
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> String {
        let start = index
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = index
        while index < bytes.count, Self.isDigit(bytes[index]) { index += 1 }
        guard index > start else { throw error(.unexpectedByte) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}

extension JSONValueReader {
    private mutating func text() throws(JSONSyntaxError) -> String {
        try expect(UInt8(ascii: "\""))
        let start = index
        var text: [UInt8] = []
        while !take(UInt8(ascii: "\"")) {
            guard index < bytes.count else { throw error(.unexpectedEnd) }
            let byte = bytes[index]
            guard byte >= 0x20 else { throw error(.malformedText) }
            index += 1
            if byte == UInt8(ascii: "\\") {
                text.append(contentsOf: try escaped())
            } else {
                text.append(byte)
            }
        }
        guard let text = String(validating: text, as: UTF8.self) else {
            throw JSONSyntaxError(reason: .malformedText, offset: start)
        }
        return text
    }

    /// Decodes the escape after a backslash.
    private mutating func escaped() throws(JSONSyntaxError) -> [UInt8] {
        guard index < bytes.count else { throw error(.unexpectedEnd) }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try character())).utf8)
        default: throw JSONSyntaxError(reason: .malformedText, offset: index - 1)
        }
    }

    /// Decodes a character from one or two UTF-16 code units.
    private mutating func character() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = index
        var value = try codeUnit()
        if 0xD800...0xDBFF ~= value {
            try expect(UInt8(ascii: "\\"))
            try expect(UInt8(ascii: "u"))
            let low = try codeUnit()
            guard 0xDC00...0xDFFF ~= low else {
                throw JSONSyntaxError(reason: .malformedText, offset: start)
            }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw JSONSyntaxError(reason: .malformedText, offset: start)
        }
        return scalar
    }

    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count,
                let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue
            else { throw error(.malformedText) }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
