internal import Bytes

/// A reader of the tokens of one JSON value (RFC 8259) in memory.
package struct JSONTokenizer: ~Copyable {
    package let bytes: [UInt8]
    package private(set) var index: Int
    /// The index of the last bracket, name, string, number or literal.
    package private(set) var tokenStart: Int
    /// Those of `NaN`, `Infinity` and `-Infinity`.
    package private(set) var nonFinite: [Range<Int>] = []
    private var grammar: JSONGrammar
    private let replacesInvalid: Bool
    private var text = ByteBuffer(minimumCapacity: 0)

    /// The kinds of values, told by their first byte.
    package enum Kind: Sendable {
        case object, array, string, null
        case other
    }

    /// Texts of the document are checked to be UTF-8 when they are requested.
    ///
    /// White space may stand before the value. At most 128 arrays and objects can be open. With
    /// `replacesInvalid`, a surrogate without its counterpart is U+FFFD and no error, and `NaN` and
    /// `Infinity` are values.
    package init(
        _ bytes: [UInt8],
        at index: Int = 0,
        maximumDepth: Int,
        replacesInvalid: Bool = false
    ) {
        self.replacesInvalid = replacesInvalid
        self.bytes = bytes
        self.index = index
        tokenStart = index
        grammar = JSONGrammar(maximumDepth: maximumDepth)
    }

    package var isComplete: Bool { grammar.isComplete }

    package mutating func next() throws(JSONSyntaxError) -> JSONGrammar.Token {
        let byte = try peek()
        let start = index
        var token = grammar.take(byte)
        if token == nil, replacesInvalid { token = grammar.takeNonFinite(byte) }
        guard let token else { throw grammar.error(of: byte, at: start) }
        switch token {
        case .comma, .colon:
            index += 1
            return token
        case .name, .string: try readString()
        case .number: try readNumber(from: start)
        case .literal(let literal): try read(literal, from: start)
        case .beginObject, .endObject, .beginArray, .endArray: index += 1
        }
        tokenStart = start
        return token
    }

    /// With resolved escapes.
    ///
    /// Fails if the text is not UTF-8.
    package func lastText() throws(JSONSyntaxError) -> String {
        let text = text.withBytes { utf8 -> String? in
            guard let checked = try? UTF8Span(validating: utf8) else { return nil }
            return String(copying: checked)
        }
        guard let text else { throw JSONSyntaxError(.invalidUTF8, at: tokenStart + 1) }
        return text
    }

    /// Only white space may follow the value.
    package mutating func finish() throws(JSONSyntaxError) {
        skipSpace()
        guard index < bytes.count else { return }
        let reason = JSONSyntaxError.Reason.unexpectedByte(bytes[index], expected: .endOfFile)
        throw JSONSyntaxError(reason, at: index)
    }

    private mutating func peek() throws(JSONSyntaxError) -> UInt8 {
        skipSpace()
        guard index < bytes.count else { throw endsEarly(grammar.expectation) }
        return bytes[index]
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private mutating func readString() throws(JSONSyntaxError) {
        let bytes = bytes
        text.removeAll()
        var string = JSONString(limit: bytes.count)
        string.replacesInvalid = replacesInvalid
        string.begin(at: 0)
        index += 1
        while true {
            switch try string.read(bytes.span, &index, chunkStart: 0, into: &text) {
            case .complete: return
            case .needsMoreBytes: throw endsEarly(.endOfString)
            case .nonASCII:
                let start = index
                while index < bytes.count, bytes[index] >= 0x80 { index += 1 }
                text.append(bytes.span.extracting(start..<index))
            }
        }
    }

    private mutating func readNumber(from start: Int) throws(JSONSyntaxError) {
        let bytes = bytes
        var number = JSONNumber()
        number.read(bytes.span, &index)
        guard !number.isComplete else { return }
        guard index < bytes.count else { throw endsEarly(.digit) }
        if replacesInvalid, index == start + 1, bytes[index] == UInt8(ascii: "I") {
            return try read(.infinity, from: start)
        }
        throw JSONSyntaxError(.invalidNumber, at: index)
    }

    private mutating func read(
        _ literal: JSONLiteral,
        from start: Int
    ) throws(JSONSyntaxError) {
        for byte in literal.bytes {
            guard index < bytes.count else { throw endsEarly(.literal) }
            guard bytes[index] == byte else {
                let reason = JSONSyntaxError.Reason.unexpectedByte(bytes[index], expected: .literal)
                throw JSONSyntaxError(reason, at: index)
            }
            index += 1
        }
        if !literal.isFinite { nonFinite.append(start..<index) }
    }

    private func endsEarly(_ expected: JSONExpectation) -> JSONSyntaxError {
        JSONSyntaxError(.unexpectedEnd(expected: expected), at: bytes.count)
    }
}

extension JSONTokenizer {
    /// Does not read the value.
    ///
    /// Fails if the document ends.
    package mutating func kind() throws(JSONSyntaxError) -> Kind {
        switch try peek() {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "n"): .null
        default: .other
        }
    }

    /// The closure receives each name and must read the value of the member.
    ///
    /// A value that is no object is an error.
    package mutating func members(
        _ body: (String, inout JSONTokenizer) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try expect(.object)
        while true {
            switch try next() {
            case .name:
                let name = try lastText()
                _ = try next()
                try body(name, &self)
            case .endObject: return
            default: continue
            }
        }
    }

    /// The closure must read each element.
    ///
    /// A value that is no array is an error.
    package mutating func elements(
        _ body: (inout JSONTokenizer) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        try expect(.array)
        guard try peek() != UInt8(ascii: "]") else {
            _ = try next()
            return
        }
        repeat { try body(&self) } while try next() == .comma
    }

    /// Reads any value.
    ///
    /// Returns the range of its bytes.
    @discardableResult
    package mutating func value() throws(JSONSyntaxError) -> Range<Int> {
        let depth = grammar.depth
        _ = try next()
        let start = tokenStart
        while grammar.depth > depth { _ = try next() }
        return start..<index
    }

    package mutating func string() throws(JSONSyntaxError) -> String {
        guard try next() == .string else { throw noValue(bytes[tokenStart], at: tokenStart) }
        return try lastText()
    }

    private mutating func expect(_ kind: Kind) throws(JSONSyntaxError) {
        guard try self.kind() == kind else { throw noValue(bytes[index], at: index) }
        _ = try next()
    }

    private func noValue(_ byte: UInt8, at index: Int) -> JSONSyntaxError {
        JSONSyntaxError(.unexpectedByte(byte, expected: .value), at: index)
    }
}
