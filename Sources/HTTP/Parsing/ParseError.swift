/// The reason for refusing bytes from a client.
///
/// The framing of the bytes that follow is in doubt, so the connection closes after the response.
public enum ParseError: Error, Hashable, Sendable {
    // MARK: Request line

    /// More empty lines before the request line than allowed.
    case tooManyEmptyLines(limit: Int)
    /// A line ends in LF without CR.
    case bareLineFeed
    /// A CR is not followed by LF.
    case bareCarriageReturn
    /// The line is not METHOD SP TARGET SP VERSION.
    case malformedRequestLine
    /// The line is longer than allowed.
    case requestLineTooLong(limit: Int)
    /// The method is longer than any known one.
    case methodTooLong(limit: Int)
    /// The method is CONNECT, which only a proxy can serve.
    case connectIsNotServed
    /// The version is not HTTP/DIGIT.DIGIT.
    case malformedVersion
    /// The version is well-formed and its major number is not 1.
    case unsupportedVersion(major: Int)

    // MARK: Target

    /// The target has none of the four forms.
    case malformedTarget
    /// The target holds a character that has to be percent-encoded.
    case characterInTarget(UInt8)
    /// A `%` in the path is not followed by two hexadecimal digits.
    case malformedPercentEncoding
    /// The path holds U+0000.
    case nulInPath
    /// A segment of the path is not UTF-8.
    case invalidUTF8InPath
    /// The query is not UTF-8.
    case invalidUTF8InQuery
    /// The dot segments of the path lead above its root.
    case pathAboveRoot

    // MARK: Fields

    /// A field name is empty, not a token, or not followed by a colon.
    case malformedFieldName
    /// A line begins with a blank: the obsolete continuation of the line before.
    case foldedField
    /// A field value holds a control byte.
    case controlByteInField
    /// A field line is longer than allowed.
    case fieldLineTooLong(limit: Int)
    /// The fields together are longer than allowed.
    case fieldSectionTooLarge(limit: Int)
    /// There are more fields than allowed.
    case tooManyFields(limit: Int)
    /// A field that must not be repeated occurs twice.
    case repeatedField(FieldName)
    /// An HTTP/1.1 request has no Host field.
    case missingHost
    /// The host is not a name or address with an optional port.
    case malformedHost
    /// An expectation other than 100-continue.
    case unknownExpectation

    // MARK: Body

    /// The length is not a sequence of digits.
    case malformedContentLength
    /// Both a length and a coding are given.
    case lengthAndCoding
    /// A coding is given in HTTP/1.0, which has none.
    case codingInHTTP10
    /// The coding is not a list of tokens that ends in one `chunked`.
    case malformedTransferEncoding
    /// The coding is well-formed and not `chunked` alone.
    case unsupportedTransferEncoding
    /// The body is longer than allowed.
    case bodyTooLarge(limit: Int)
    /// A chunk is not size, extensions, CRLF, data, CRLF.
    case malformedChunk
    /// A chunk-size line is longer than allowed.
    case chunkLineTooLong(limit: Int)
    /// The chunk extensions together are longer than allowed.
    case chunkExtensionsTooLarge(limit: Int)

    // MARK: End of input

    /// The client stopped sending inside a head.
    case truncatedHead
    /// The client stopped sending inside a body.
    case truncatedBody
}

extension ParseError {
    /// The status of the response to the client.
    public var status: HTTPStatus {
        switch self {
        case .tooManyEmptyLines, .bareLineFeed, .bareCarriageReturn, .malformedRequestLine,
            .malformedVersion, .malformedTarget, .malformedPercentEncoding, .nulInPath,
            .characterInTarget, .invalidUTF8InPath, .invalidUTF8InQuery, .pathAboveRoot,
            .malformedFieldName, .foldedField,
            .controlByteInField, .repeatedField, .missingHost, .malformedHost,
            .malformedContentLength, .lengthAndCoding, .codingInHTTP10,
            .malformedTransferEncoding, .malformedChunk, .chunkLineTooLong,
            .chunkExtensionsTooLarge, .truncatedHead, .truncatedBody:
            .badRequest
        case .requestLineTooLong: .uriTooLong
        case .fieldLineTooLong, .fieldSectionTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .unknownExpectation: .expectationFailed
        case .methodTooLong, .connectIsNotServed, .unsupportedTransferEncoding: .notImplemented
        case .unsupportedVersion: .httpVersionNotSupported
        }
    }
}
