import Bytes

extension HTTPRequest {
    /// Reads METHOD SP TARGET SP VERSION (RFC 9112 §3).
    ///
    /// - Parameters:
    ///   - line: The line without its end; no byte is a control character.
    ///   - offset: The index of the line in the head.
    ///   - limits: The limits of the method and the path.
    /// - Returns: Whether the method is a known one.
    /// - Throws: The rule that the line breaks.
    mutating func readRequestLine(
        _ line: borrowing Span<UInt8>,
        at offset: Int,
        limits: HTTPLimits
    ) throws(ParseError) -> Bool {
        guard let methodEnd = line.firstIndex(of: .space, from: 0),
            let targetEnd = line.firstIndex(of: .space, from: methodEnd + 1),
            methodEnd > 0, targetEnd > methodEnd + 1
        else { throw .malformedRequestLine }
        version = try Self.readVersion(line.extracting((targetEnd + 1)...))
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

    /// Reads a target in one of its forms (RFC 9112 §3.2).
    private mutating func readTarget(
        _ target: borrowing Span<UInt8>,
        at offset: Int,
        method: HTTPMethod?,
        limits: HTTPLimits
    ) throws(ParseError) {
        let question = target.firstIndex(of: UInt8(ascii: "?"), from: 0) ?? target.count
        let query = target.extracting(min(question + 1, target.count)...)
        if let byte = target.extracting(..<question).firstByte(outside: .path)
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
        try path.read(target.extracting(pathStart..<question), limits: limits)
        guard question < target.count else { return }
        guard query.isUTF8 else { throw .invalidUTF8InQuery }
        queryRange = offset + question + 1..<offset + target.count
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

/// The result of an incremental parser that has not refused its input.
enum ParseResult<Value> {
    /// The bytes so far are the beginning of a value.
    case needsMoreBytes
    /// The value, and the number of bytes that belong to it.
    case complete(Value, consumed: Int)
}

extension ParseResult: Sendable where Value: Sendable {}
extension ParseResult: Equatable where Value: Equatable {}

/// The progress of an incremental parser that delivers its value piece by piece.
struct ParseProgress: Sendable, Equatable {
    /// The number of bytes consumed.
    var consumed: Int
    /// Whether the value is complete.
    var isComplete: Bool
}
