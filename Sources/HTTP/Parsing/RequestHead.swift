import Bytes

/// The framing and connection options of a complete request head.
struct RequestHead: Sendable, Equatable {
    /// Whether the method is a known one; otherwise the response is 501.
    var isMethodKnown: Bool

    /// The framing of the body.
    var framing: BodyFraming

    /// Whether the client wants to use the connection again (RFC 9112 §9.3).
    var keepsConnection: Bool

    /// Whether the client waits for 100 before it sends the body (RFC 9110 §10.1.1).
    var expectsContinue: Bool
}

/// The framing of a request's body (RFC 9112 §6.3).
enum BodyFraming: Sendable, Equatable {
    /// There is no body.
    case absent
    /// The body has this many bytes, at least one.
    case length(Int)
    /// The body is sent in chunks.
    case chunked
}

extension RequestHead {
    /// Reads the fields of a request, and refuses those that contradict each other.
    ///
    /// - Throws: The rule that is broken.
    init(
        of request: borrowing HTTPRequest,
        isMethodKnown: Bool,
        limits: HTTPLimits
    ) throws(ParseError) {
        let fields = try ConnectionFields(of: request)
        self.isMethodKnown = isMethodKnown
        framing = try fields.framing(version: request.version, limits: limits)
        keepsConnection =
            switch request.version {
            case .http10: fields.saysKeepAlive && !fields.saysClose
            case .http11: !fields.saysClose
            }
        // HTTP/1.0 has no interim responses, so its expectations are ignored.
        if fields.hasUnknownExpectation, request.version == .http11 { throw .unknownExpectation }
        expectsContinue =
            fields.expectsContinue && request.version == .http11 && framing != .absent
        guard fields.hasHost || request.version == .http10 else { throw .missingHost }
    }
}

/// The fields that decide about framing and the connection, collected in one pass.
private struct ConnectionFields {
    var contentLength: Range<Int>?
    var transferEncoding: Range<Int>?
    var hasHost = false
    var saysClose = false
    var saysKeepAlive = false
    var expectsContinue = false
    var hasUnknownExpectation = false
    let head: [UInt8]

    init(of request: borrowing HTTPRequest) throws(ParseError) {
        head = request.head
        var seen: UInt64 = 0
        for field in request.fields {
            guard let known = field.known else { continue }
            if known.mustNotRepeat {
                guard seen & known.bit == 0 else { throw .repeatedField(FieldName(known)) }
                seen |= known.bit
            }
            try read(known, value: field.value)
        }
    }

    private mutating func read(_ field: WellKnownFieldName, value: Range<Int>) throws(ParseError) {
        switch field {
        case .host:
            guard Authority.isValid(head.span.extracting(value)) else { throw .malformedHost }
            hasHost = true
        case .contentLength:
            contentLength = value
        case .transferEncoding:
            // Two lines would form one list, in which chunked may only be the last member.
            guard transferEncoding == nil else { throw .malformedTransferEncoding }
            transferEncoding = value
        case .connection:
            for option in ListMembers(head[value]) {
                saysClose = saysClose || option.equalsIgnoringCase("close")
                saysKeepAlive = saysKeepAlive || option.equalsIgnoringCase("keep-alive")
            }
        case .expect:
            if head[value].equalsIgnoringCase("100-continue") {
                expectsContinue = true
            } else {
                hasUnknownExpectation = true
            }
        default:
            break
        }
    }

    func framing(version: HTTPVersion, limits: HTTPLimits) throws(ParseError) -> BodyFraming {
        guard let transferEncoding else { return try lengthFraming(limit: limits.largestBodyBytes) }
        guard contentLength == nil else { throw .lengthAndCoding }
        guard version == .http11 else { throw .codingInHTTP10 }
        try checkCodings(head[transferEncoding])
        return .chunked
    }

    private func lengthFraming(limit: Int) throws(ParseError) -> BodyFraming {
        guard let contentLength else { return .absent }
        let digits = head[contentLength]
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { throw .malformedContentLength }
        // Eighteen digits are below Int.max, so the sum cannot overflow.
        guard digits.count <= 18 else { throw .bodyTooLarge(limit: limit) }
        let length = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard length <= limit else { throw .bodyTooLarge(limit: limit) }
        return length == 0 ? .absent : .length(length)
    }

    /// Accepts `chunked` alone, and distinguishes malformed from unsupported codings.
    private func checkCodings(_ value: ArraySlice<UInt8>) throws(ParseError) {
        if value.equalsIgnoringCase("chunked") { return }
        var hasChunked = false
        for coding in ListMembers(value) {
            guard !hasChunked, !coding.isEmpty, coding.allSatisfy(ByteClass.token.contains) else {
                throw .malformedTransferEncoding
            }
            hasChunked = coding.equalsIgnoringCase("chunked")
        }
        throw .unsupportedTransferEncoding
    }
}

extension WellKnownFieldName {
    /// Whether a second line of this field makes a request ambiguous (RFC 9110 §5.3).
    fileprivate var mustNotRepeat: Bool {
        switch self {
        case .host, .contentLength, .contentType, .ifModifiedSince, .range, .authorization: true
        default: false
        }
    }

    /// One of 64 bits, for sets of fields.
    var bit: UInt64 { 1 << UInt64(rawValue) }
}
