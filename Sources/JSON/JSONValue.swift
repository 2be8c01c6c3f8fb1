internal import Bytes

/// A JSON document, of which every part has been read.
package enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(String)
    case text(String)
    case array([JSONValue], text: String)
    case object([String: JSONValue], text: String)

    private static let maximumDepth = 16

    /// Parses exactly one document (RFC 8259).
    ///
    /// It is stricter where the grammar leaves the meaning open. An object may not repeat a name,
    /// and an escape may not form an unpaired surrogate.
    ///
    /// A byte order mark is an error, which RFC 8259 §8.1 permits.
    package init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        var tokenizer = JSONTokenizer(bytes, maximumDepth: Self.maximumDepth)
        try self.init(&tokenizer)
        try tokenizer.finish()
    }

    /// Parses one document a line (NDJSON), as the elements of an array.
    ///
    /// The last line needs no line feed.
    package init(parsingLines bytes: [UInt8]) throws(JSONSyntaxError) {
        var elements: [JSONValue] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            do throws(JSONSyntaxError) {
                elements.append(try JSONValue(parsing: Array(bytes[start..<end])))
            } catch {
                throw JSONSyntaxError(error.reason, at: start + error.offset)
            }
            start = end + 1
        }
        self = .array(elements, text: "")
    }

    private init(_ tokenizer: inout JSONTokenizer) throws(JSONSyntaxError) {
        let kind = try tokenizer.kind()
        let start = tokenizer.index
        switch kind {
        case .object:
            var members: [String: JSONValue] = [:]
            try tokenizer.members { (name, tokenizer) throws(JSONSyntaxError) in
                guard members[name] == nil else {
                    throw JSONSyntaxError(.repeatedName(name), at: tokenizer.tokenStart)
                }
                members[name] = try JSONValue(&tokenizer)
            }
            self = .object(members, text: tokenizer.source(from: start))
        case .array:
            var elements: [JSONValue] = []
            try tokenizer.elements { (tokenizer) throws(JSONSyntaxError) in
                elements.append(try JSONValue(&tokenizer))
            }
            self = .array(elements, text: tokenizer.source(from: start))
        case .string: self = .text(try tokenizer.string())
        case .null, .other:
            switch try tokenizer.next() {
            case .literal(.null): self = .null
            case .literal(let literal): self = .boolean(literal == .true)
            default: self = .number(tokenizer.source(from: start))
            }
        }
    }
}

extension JSONTokenizer {
    /// Ends at the next byte to read.
    fileprivate func source(from start: Int) -> String {
        String(decoding: bytes[start..<index], as: UTF8.self)
    }
}

/// Arrays and objects as JSON text (RFC 8259).
package enum JSONText {
    /// Replaces escapes of U+0000 and of surrogates without counterpart by one of U+FFFD.
    ///
    /// The document is valid apart from these escapes. Its length does not change.
    package static func replaceInvalidEscapes(in json: inout [UInt8]) {
        func unit(at index: Int) -> UInt16? {
            guard index + 6 <= json.count, json[index] == UInt8(ascii: "\\"),
                json[index + 1] == UInt8(ascii: "u")
            else { return nil }
            return json[(index + 2)..<(index + 6)].reduce(UInt16(0)) {
                $0 << 4 | UInt16($1.hexadecimalValue ?? 0)
            }
        }
        var index = 0
        while index < json.count {
            guard json[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard let high = unit(at: index) else {
                index += 2
                continue
            }
            if 0xD800...0xDBFF ~= high, let low = unit(at: index + 6), 0xDC00...0xDFFF ~= low {
                index += 12
                continue
            }
            if high == 0 || 0xD800...0xDFFF ~= high {
                json.replaceSubrange((index + 2)..<(index + 6), with: Array("fffd".utf8))
            }
            index += 6
        }
    }

    private static let maximumDepth = 64

    /// Validates an array or object and removes the white space between its tokens.
    ///
    /// Nil for anything but one array or object.
    package static func compact(_ text: String) -> String? {
        guard let value = compactValue(text), "[{".utf8.contains(value.utf8.first ?? 0) else {
            return nil
        }
        return value
    }

    /// Validates a value of any type and removes the white space between its tokens.
    ///
    /// Nil for anything but one JSON value.
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

    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
