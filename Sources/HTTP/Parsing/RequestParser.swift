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

    /// Creates a parser for one head.
    init() {}

    /// Whether a byte of the request line has arrived.
    var hasBegun: Bool {
        switch phase {
        case .beforeRequestLine, .emptyLineFeed: false
        case .requestLine, .requestLineFeed, .fields: true
        }
    }

    /// Reads as many of the bytes as possible.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the request so far, including those of earlier calls.
    ///   - request: Receives the request. It is complete only with the result `.complete`.
    ///   - limits: The same for every call.
    /// - Returns: The framing and connection options of the head, once it is complete.
    /// - Throws: The rule that the bytes break.
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

    /// Reads fields up to the end of the section; false if the bytes end before it.
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
    /// Copies the bytes of the head.
    fileprivate mutating func copyHead(_ bytes: borrowing Span<UInt8>) {
        head.removeAll(keepingCapacity: true)
        head.append(bytes)
    }
}
