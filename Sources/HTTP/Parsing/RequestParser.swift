import Bytes

/// A parser of one request head, which takes the bytes as they arrive (RFC 9112 §2 to §5).
///
/// Each byte is read once, wherever reads split the head. Refusals depend on the bytes only, never
/// on the splits.
struct RequestParser: Sendable {
    private enum Phase: Sendable {
        case beforeRequestLine
        case emptyLineFeed
        case requestLine
        case requestLineFeed
        case fields(FieldSectionParser)
    }

    private var position = 0
    private var lineStart = 0
    private var emptyLines = 0
    private var phase: Phase = .beforeRequestLine
    private var isMethodKnown = true

    init() {}

    var hasBegun: Bool {
        switch phase {
        case .beforeRequestLine, .emptyLineFeed: false
        case .requestLine, .requestLineFeed, .fields: true
        }
    }

    /// The bytes are all those of the request so far, including those of earlier calls.
    ///
    /// The request is complete only with the result `.complete`. The limits are the same for every
    /// call. Throws the rule that the bytes break.
    mutating func parse(
        _ bytes: borrowing Span<UInt8>,
        into request: inout HTTPRequest,
        limits: HTTPLimits
    ) throws(ParseError) -> ParseResult<RequestHead> {
        if !hasBegun {
            // A refusal before the request line is framed as for GET of HTTP/1.1. The memory may
            // hold values of another request.
            request.method = .get
            request.version = .http11
        }
        while position < bytes.count {
            switch phase {
            case .beforeRequestLine:
                try beginLine(with: bytes[position], limits: limits)
            case .emptyLineFeed:
                try skipLineFeed(bytes[position])
                phase = .beforeRequestLine
            case .requestLine:
                try scanRequestLine(bytes, limit: limits.maximumRequestLineBytes)
            case .requestLineFeed:
                try skipLineFeed(bytes[position])
                let line = bytes.extracting(lineStart..<position - 2)
                isMethodKnown = try request.readRequestLine(line, at: lineStart, limits: limits)
                request.fields.removeAll(keepingCapacity: true)
                phase = .fields(FieldSectionParser(start: position))
            case .fields(var section):
                guard try readFields(&section, of: bytes, into: &request, limits: limits) else {
                    return .needsMoreBytes
                }
                request.copyHead(bytes.extracting(..<section.position))
                let head = try RequestHead(
                    of: request,
                    isMethodKnown: isMethodKnown,
                    limits: limits
                )
                return .complete(head, consumed: section.position)
            }
        }
        return .needsMoreBytes
    }

    private mutating func beginLine(with byte: UInt8, limits: HTTPLimits) throws(ParseError) {
        guard byte == .carriageReturn else {
            lineStart = position
            phase = .requestLine
            return
        }
        emptyLines += 1
        guard emptyLines <= limits.maximumEmptyLines else {
            throw .tooManyEmptyLines(limit: limits.maximumEmptyLines)
        }
        position += 1
        phase = .emptyLineFeed
    }

    private mutating func skipLineFeed(_ byte: UInt8) throws(ParseError) {
        guard byte == .lineFeed else { throw .bareCarriageReturn }
        position += 1
    }

    private mutating func scanRequestLine(
        _ bytes: borrowing Span<UInt8>,
        limit: Int
    ) throws(ParseError) {
        let bound = min(bytes.count, lineStart + limit)
        var index = position
        while index < bound, bytes[index] >= .space, bytes[index] != 0x7F { index += 1 }
        position = index
        guard index < bytes.count else { return }
        guard bytes[index] == .carriageReturn else {
            if index >= lineStart + limit { throw .requestLineTooLong(limit: limit) }
            throw bytes[index] == .lineFeed ? .bareLineFeed : .malformedRequestLine
        }
        position += 1
        phase = .requestLineFeed
    }

    private mutating func readFields(
        _ section: inout FieldSectionParser,
        of bytes: borrowing Span<UInt8>,
        into request: inout HTTPRequest,
        limits: HTTPLimits
    ) throws(ParseError) -> Bool {
        let bounds = FieldSectionParser.Bounds(
            lineBytes: limits.maximumFieldLineBytes,
            sectionBytes: limits.maximumFieldSectionBytes,
            fields: limits.maximumFields
        )
        while true {
            switch try section.next(bytes, bounds: bounds) {
            case .field(let field):
                request.fields.append(field)
            case .needsMoreBytes:
                position = section.position
                phase = .fields(section)
                return false
            case .end:
                return true
            }
        }
    }
}

extension HTTPRequest {
    fileprivate mutating func copyHead(_ bytes: borrowing Span<UInt8>) {
        head.removeAll(keepingCapacity: true)
        head.append(bytes)
    }
}

struct RequestHead: Sendable, Equatable {
    /// Otherwise the response is 501.
    var isMethodKnown: Bool

    var framing: BodyFraming

    /// RFC 9112 §9.3.
    var keepsConnection: Bool

    /// The client waits for 100 before it sends the body (RFC 9110 §10.1.1).
    var expectsContinue: Bool
}

/// The framing of a request's body (RFC 9112 §6.3).
enum BodyFraming: Sendable, Equatable {
    case absent
    /// At least one.
    case length(Int)
    case chunked
}

extension RequestHead {
    /// Reads the fields of a request, and refuses those that contradict each other.
    ///
    /// Throws the rule that is broken.
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

    var bit: UInt64 { 1 << UInt64(rawValue) }
}

extension HTTPRequest {
    /// Reads METHOD SP TARGET SP VERSION (RFC 9112 §3).
    ///
    /// The line has no end, and no byte is a control character. The offset is that of the line in
    /// the head. False if the method is not a known one. Throws the rule that the line breaks.
    mutating func readRequestLine(
        _ line: borrowing Span<UInt8>,
        at offset: Int,
        limits: HTTPLimits
    ) throws(ParseError) -> Bool {
        guard let methodEnd = line.firstIndex(of: .space, from: 0),
            let targetEnd = line.firstIndex(of: .space, from: methodEnd + 1),
            methodEnd > 0, targetEnd > methodEnd + 1
        else { throw .malformedRequestLine }
        let rest = line.extracting((targetEnd + 1)...)
        if let space = rest.firstIndex(of: .space, from: 0) {
            let isInTarget = space > 0 && !rest.extracting(..<min(5, rest.count)).equals("HTTP/")
            throw isInTarget ? .characterInTarget(.space) : .malformedRequestLine
        }
        version = try Self.readVersion(rest)
        let name = line.extracting(..<methodEnd)
        guard name.isMadeOf(.token) else { throw .malformedRequestLine }
        guard methodEnd <= limits.maximumMethodBytes else {
            throw .methodTooLong(limit: limits.maximumMethodBytes)
        }
        let known = HTTPMethod(name)
        method = known ?? .get
        if known == .connect { throw .connectIsNotServed }
        let target = line.extracting((methodEnd + 1)..<targetEnd)
        try readTarget(target, at: offset + methodEnd + 1, method: known, limits: limits)
        return known != nil
    }

    private static func readVersion(
        _ bytes: borrowing Span<UInt8>
    ) throws(ParseError) -> HTTPVersion {
        guard bytes.count == 8, bytes.extracting(..<5).equals("HTTP/"), bytes[5].isDigit,
            bytes[6] == UInt8(ascii: "."), bytes[7].isDigit
        else { throw .malformedVersion }
        let major = Int(bytes[5] - UInt8(ascii: "0"))
        guard major == 1 else { throw .unsupportedVersion(major: major) }
        return bytes[7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    /// RFC 9112 §3.2.
    private mutating func readTarget(
        _ target: borrowing Span<UInt8>,
        at offset: Int,
        method: HTTPMethod?,
        limits: HTTPLimits
    ) throws(ParseError) {
        let questionMark = target.firstIndex(of: UInt8(ascii: "?"), from: 0) ?? target.count
        let query = target.extracting(min(questionMark + 1, target.count)...)
        if let byte = target.extracting(..<questionMark).firstByte(outside: .path)
            ?? query.firstByte(outside: .query)
        {
            throw .characterInTarget(byte)
        }
        authorityRange = nil
        queryRange = nil
        if target[0] == UInt8(ascii: "*") {
            guard target.count == 1, method == .options else { throw .malformedTarget }
            path.readAsterisk()
            return
        }
        var pathStart = 0
        if target[0] != UInt8(ascii: "/") {
            pathStart = try Self.endOfAuthority(in: target)
            authorityRange = offset + 7..<offset + pathStart
        }
        try path.read(target.extracting(pathStart..<questionMark), limits: limits)
        guard questionMark < target.count else { return }
        guard query.isUTF8 else { throw .invalidUTF8InQuery }
        queryRange = offset + questionMark + 1..<offset + target.count
    }

    /// The end of `http://authority` in a target in absolute form.
    private static func endOfAuthority(
        in target: borrowing Span<UInt8>
    ) throws(ParseError) -> Int {
        guard target.count > 7, target.extracting(..<7).equalsIgnoringCase("http://") else {
            throw .malformedTarget
        }
        var end = 7
        while end < target.count, target[end] != UInt8(ascii: "/"),
            target[end] != UInt8(ascii: "?")
        { end += 1 }
        guard Authority.isValid(target.extracting(7..<end)) else { throw .malformedTarget }
        return end
    }
}

extension HTTPMethod {
    /// The known method of this name; case matters (RFC 9110 §9.1).
    fileprivate init?(_ name: borrowing Span<UInt8>) {
        let method: HTTPMethod? =
            switch name.count {
            case 3: name.equals("GET") ? .get : name.equals("PUT") ? .put : nil
            case 4: name.equals("HEAD") ? .head : name.equals("POST") ? .post : nil
            case 5:
                name.equals("PATCH")
                    ? .patch : name.equals("TRACE") ? .trace : name.equals("QUERY") ? .query : nil
            case 6: name.equals("DELETE") ? .delete : nil
            case 7: name.equals("OPTIONS") ? .options : name.equals("CONNECT") ? .connect : nil
            default: nil
            }
        guard let method else { return nil }
        self = method
    }
}

enum ParseResult<Value> {
    case needsMoreBytes
    case complete(Value, consumed: Int)
}

extension ParseResult: Sendable where Value: Sendable {}
extension ParseResult: Equatable where Value: Equatable {}

/// The progress of an incremental parser that delivers its value piece by piece.
struct ParseProgress: Sendable, Equatable {
    var consumed: Int
    var isComplete: Bool
}
