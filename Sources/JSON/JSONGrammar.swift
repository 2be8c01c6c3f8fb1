/// The structure of a JSON value (RFC 8259 §2–§5), fed with the first byte of each token.
///
/// The bytes of strings, numbers and literals are read by their own types. It is inlined, because
/// a call for each token costs files a tenth of their reading.
@frozen
@usableFromInline
package struct JSONGrammar: Sendable {
    /// A token, told by its first byte.
    @frozen
    @usableFromInline
    package enum Token: Hashable, Sendable {
        case beginObject
        case endObject
        case beginArray
        case endArray
        case comma
        case colon
        case name
        case string
        case number
        case literal(JSONLiteral)
    }

    @frozen
    @usableFromInline
    enum State {
        case value
        case valueOrEnd
        case name
        case nameOrEnd
        case colon
        case afterValue
    }

    @usableFromInline var state = State.value
    @usableFromInline let maximumDepth: Int
    /// A bit for each open container, 1 for an array.
    ///
    /// The innermost one is the lowest.
    @usableFromInline var containers: UInt128 = 0
    /// The number of open arrays and objects.
    @usableFromInline package internal(set) var depth = 0

    /// At most 128 open arrays and objects.
    package init(maximumDepth: Int) {
        precondition(maximumDepth <= 128, "\(maximumDepth) containers have no bits")
        self.maximumDepth = maximumDepth
    }

    package var isComplete: Bool { depth == 0 && state == .afterValue }

    @inlinable package var isInArray: Bool { depth > 0 && containers & 1 != 0 }

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

    /// The byte is no white space.
    ///
    /// Nil if it is not allowed here, see ``error(of:at:)``.
    @inlinable
    package mutating func take(_ byte: UInt8) -> Token? {
        switch state {
        case .value: return beginValue(byte)
        case .valueOrEnd: return byte == UInt8(ascii: "]") ? end(.endArray) : beginValue(byte)
        case .name, .nameOrEnd:
            if byte == UInt8(ascii: "\"") {
                state = .colon
                return .name
            }
            return state == .nameOrEnd && byte == UInt8(ascii: "}") ? end(.endObject) : nil
        case .colon:
            guard byte == UInt8(ascii: ":") else { return nil }
            state = .value
            return .colon
        case .afterValue:
            guard depth > 0 else { return nil }
            switch byte {
            case UInt8(ascii: ","):
                state = isInArray ? .value : .name
                return .comma
            case UInt8(ascii: "]"): return isInArray ? end(.endArray) : nil
            case UInt8(ascii: "}"): return isInArray ? nil : end(.endObject)
            default: return nil
            }
        }
    }

    /// Takes the first byte of `NaN` or `Infinity`, which are no JSON, where null may stand.
    package mutating func takeNonFinite(_ byte: UInt8) -> Token? {
        let literal: JSONLiteral
        switch byte {
        case UInt8(ascii: "N"): literal = .nan
        case UInt8(ascii: "I"): literal = .infinity
        default: return nil
        }
        return take(UInt8(ascii: "n")).map { _ in .literal(literal) }
    }

    /// The byte was not taken.
    package func error(of byte: UInt8, at offset: Int) -> JSONSyntaxError {
        let isBracket = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
        guard isBracket, state == .value || state == .valueOrEnd else {
            return JSONSyntaxError(.unexpectedByte(byte, expected: expectation), at: offset)
        }
        return JSONSyntaxError(.tooDeep(limit: maximumDepth), at: offset)
    }

    @inlinable
    mutating func beginValue(_ byte: UInt8) -> Token? {
        let token: Token
        switch byte {
        case UInt8(ascii: "\""): token = .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): token = .number
        case UInt8(ascii: "t"): token = .literal(.true)
        case UInt8(ascii: "f"): token = .literal(.false)
        case UInt8(ascii: "n"): token = .literal(.null)
        case UInt8(ascii: "["): return begin(isArray: true) ? .beginArray : nil
        case UInt8(ascii: "{"): return begin(isArray: false) ? .beginObject : nil
        default: return nil
        }
        state = .afterValue
        return token
    }

    /// False if too many are open.
    @inlinable
    mutating func begin(isArray: Bool) -> Bool {
        guard depth < maximumDepth else { return false }
        depth += 1
        containers = containers << 1 | (isArray ? 1 : 0)
        state = isArray ? .valueOrEnd : .nameOrEnd
        return true
    }

    @inlinable
    mutating func end(_ token: Token) -> Token {
        depth -= 1
        containers >>= 1
        state = .afterValue
        return token
    }
}

@frozen
@usableFromInline
package enum JSONLiteral: Sendable {
    case `true`
    case `false`
    case null
    /// Not JSON, see ``JSONGrammar/takeNonFinite(_:)``.
    case nan, infinity

    package var isFinite: Bool { self != .nan && self != .infinity }

    package var bytes: [UInt8] {
        switch self {
        case .true: Self.trueBytes
        case .false: Self.falseBytes
        case .null: Self.nullBytes
        case .nan: Self.nanBytes
        case .infinity: Self.infinityBytes
        }
    }

    private static let trueBytes = Array("true".utf8)
    private static let falseBytes = Array("false".utf8)
    private static let nullBytes = Array("null".utf8)
    private static let nanBytes = Array("NaN".utf8)
    private static let infinityBytes = Array("Infinity".utf8)
}
