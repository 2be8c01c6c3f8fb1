import Bytes

/// The reason for a response that the server makes without a handler, with its text.
enum ProblemDetails: Equatable {
    case refused(ParseError)
    case unknownMethod
    case headTimeout
    case bodyTimeout
    case handlerFailed
    case handlerTimeout
    case overloaded

    var status: HTTPStatus {
        switch self {
        case .refused(let error): error.status
        case .unknownMethod: .notImplemented
        case .headTimeout, .bodyTimeout: .requestTimeout
        case .handlerFailed: .internalServerError
        case .handlerTimeout, .overloaded: .serviceUnavailable
        }
    }

    /// The error and the allowed values, without a quote, a backslash or a control byte.
    var detail: String {
        switch self {
        case .refused(let error): error.detail
        case .unknownMethod: "The method is not known here."
        case .headTimeout: "The request head took too long to arrive."
        case .bodyTimeout: "The request body took too long to arrive."
        case .handlerFailed: "The server failed to respond. Your request is not the cause."
        case .handlerTimeout: "The response took too long."
        case .overloaded: "Too many requests are in progress. Try again later."
        }
    }
}

extension ParseError {
    fileprivate var detail: String {
        switch self {
        case .tooManyEmptyLines(let limit):
            "Over \(limit) empty lines stand before the request line."
        case .bareLineFeed: "A line ends in LF without CR."
        case .bareCarriageReturn: "A CR is not followed by LF."
        case .malformedRequestLine:
            "The request line is not a method, a target and a version with one space between."
        case .requestLineTooLong(let limit): "The request line is over \(limit) bytes long."
        case .methodTooLong(let limit): "The method is over \(limit) bytes long."
        case .connectIsNotServed: "CONNECT is not served here."
        case .malformedVersion: "The version is not of the form HTTP/1.1."
        case .unsupportedVersion(let major):
            "HTTP version \(major) is not spoken here; HTTP/1.1 and HTTP/1.0 are."
        case .malformedTarget:
            "The request target is neither a path, an http URL nor the * of OPTIONS."
        case .characterInTarget(let byte):
            "The request target holds a character that is written as "
                + "\(PercentEncoding.encode("\(Unicode.Scalar(byte))", for: .queryComponent))."
        case .malformedPercentEncoding:
            "A % in the path is not followed by two hexadecimal digits."
        case .nulInPath: "The path holds U+0000."
        case .invalidUTF8InPath: "The path is not UTF-8."
        case .invalidUTF8InQuery: "The query is not UTF-8."
        case .pathAboveRoot: "The path leads above its root."
        default: fieldDetail ?? bodyDetail
        }
    }

    private var fieldDetail: String? {
        switch self {
        case .malformedFieldName: "A field line is not a name, a colon and a value."
        case .foldedField: "A field line begins with a blank."
        case .controlByteInField: "A field value holds a control character."
        case .fieldLineTooLong(let limit): "A field line is over \(limit) bytes long."
        case .fieldSectionTooLarge(let limit):
            "The fields together are over \(limit) bytes long."
        case .tooManyFields(let limit): "There are over \(limit) fields."
        case .repeatedField(let name): "The field \(name.name) is there twice."
        case .missingHost: "The field Host is missing."
        case .malformedHost: "The field Host is not a name or address with an optional port."
        case .unknownExpectation: "The only expectation known here is 100-continue."
        default: nil
        }
    }

    private var bodyDetail: String {
        switch self {
        case .malformedContentLength: "Content-Length is not a row of digits."
        case .lengthAndCoding: "Content-Length and Transfer-Encoding exclude each other."
        case .codingInHTTP10: "HTTP/1.0 has no Transfer-Encoding."
        case .malformedTransferEncoding: "Transfer-Encoding is malformed."
        case .unsupportedTransferEncoding: "The only transfer coding known here is chunked."
        case .bodyTooLarge(let limit): "The body is over \(limit) bytes long."
        case .malformedChunk: "A chunk of the body is malformed."
        case .chunkLineTooLong(let limit): "A chunk-size line is over \(limit) bytes long."
        case .chunkExtensionsTooLarge(let limit):
            "The chunk extensions together are over \(limit) bytes long."
        case .truncatedHead: "The connection was closed inside the request head."
        case .truncatedBody: "The connection was closed inside the request body."
        default: ""
        }
    }
}
