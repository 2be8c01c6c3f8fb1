/// The structure of a JSON value (RFC 8259 §2–§5), fed with the first byte of each token.
///
/// The bytes of strings, numbers and literals are read by their own types.
package struct JSONGrammar: Sendable {
    /// A token, told by its first byte.
    package enum Token: Hashable, Sendable {
        case beginObject
        case endObject
        case beginArray
        case endArray
        case comma
        case colon
        /// The name of a member.
        case name
        /// A string that is a value.
        case string
        case number
        case literal(JSONLiteral)
    }

    private enum State {
        case value
        case valueOrEnd
        case name
        case nameOrEnd
        case colon
        case afterValue
    }

    private var state = State.value
    private let maximumDepth: Int
    /// A bit for each open container, 1 for an array. The innermost one is the lowest.
    private var containers: UInt128 = 0
    /// The number of open arrays and objects.
    package private(set) var depth = 0

    /// Creates the state before a value.
    ///
    /// - Parameter maximumDepth: The maximum number of open arrays and objects, up to 128.
    package init(maximumDepth: Int) {
        precondition(maximumDepth <= 128, "\(maximumDepth) containers have no bits")
        self.maximumDepth = maximumDepth
    }

    /// Whether the value is complete.
    package var isComplete: Bool { depth == 0 && state == .afterValue }

    /// Whether the innermost container is an array.
    package var isInArray: Bool { depth > 0 && containers & 1 != 0 }

    /// The tokens that are allowed next.
    package var expectation: JSONExpectation {
        switch state {
        case .value: .value
        case .valueOrEnd: .valueOrEndOfArray
        case .name: .name
        case .nameOrEnd: .nameOrEndOfObject
        case .colon: .colon
        case .afterValue:
            depth == 0 ? .endOfFile : isInArray ? .commaOrEndOfArray : .commaOrEndOfObject
        }
    }

    /// Takes the first byte of a token, which is no white space.
    ///
    /// - Parameters:
    ///   - byte: The byte.
    ///   - offset: Its offset, for errors.
    /// - Returns: The token.
    /// - Throws: ``JSONSyntaxError`` if the byte is not allowed here.
    package mutating func take(
        _ byte: UInt8,
        at offset: Int
    ) throws(JSONSyntaxError) -> Token {
        switch (state, byte) {
        case (.valueOrEnd, UInt8(ascii: "]")):
            return end(.endArray)
        case (.value, _), (.valueOrEnd, _):
            return try beginValue(byte, at: offset)
        case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
            state = .colon
            return .name
        case (.colon, UInt8(ascii: ":")):
            state = .value
            return .colon
        case (.afterValue, UInt8(ascii: ",")) where depth > 0:
            state = isInArray ? .value : .name
            return .comma
        case (.afterValue, UInt8(ascii: "]")) where isInArray:
            return end(.endArray)
        case (.nameOrEnd, UInt8(ascii: "}")),
            (.afterValue, UInt8(ascii: "}")) where depth > 0 && !isInArray:
            return end(.endObject)
        default:
            throw unexpected(byte, at: offset)
        }
    }

    private mutating func beginValue(
        _ byte: UInt8,
        at offset: Int
    ) throws(JSONSyntaxError) -> Token {
        let token: Token
        switch byte {
        case UInt8(ascii: "\""): token = .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): token = .number
        case UInt8(ascii: "t"): token = .literal(.true)
        case UInt8(ascii: "f"): token = .literal(.false)
        case UInt8(ascii: "n"): token = .literal(.null)
        case UInt8(ascii: "["):
            try begin(isArray: true, at: offset)
            return .beginArray
        case UInt8(ascii: "{"):
            try begin(isArray: false, at: offset)
            return .beginObject
        default: throw unexpected(byte, at: offset)
        }
        state = .afterValue
        return token
    }

    private mutating func begin(isArray: Bool, at offset: Int) throws(JSONSyntaxError) {
        guard depth < maximumDepth else {
            throw JSONSyntaxError(.tooDeep(limit: maximumDepth), at: offset)
        }
        depth += 1
        containers = containers << 1 | (isArray ? 1 : 0)
        state = isArray ? .valueOrEnd : .nameOrEnd
    }

    private mutating func end(_ token: Token) -> Token {
        depth -= 1
        containers >>= 1
        state = .afterValue
        return token
    }

    private func unexpected(_ byte: UInt8, at offset: Int) -> JSONSyntaxError {
        JSONSyntaxError(.unexpectedByte(byte, expected: expectation), at: offset)
    }
}

/// The JSON literals.
package enum JSONLiteral: Sendable {
    case `true`
    case `false`
    case null

    /// The bytes of the literal.
    package var bytes: [UInt8] {
        switch self {
        case .true: Self.trueBytes
        case .false: Self.falseBytes
        case .null: Self.nullBytes
        }
    }

    private static let trueBytes = Array("true".utf8)
    private static let falseBytes = Array("false".utf8)
    private static let nullBytes = Array("null".utf8)
}
