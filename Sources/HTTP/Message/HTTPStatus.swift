/// A three-digit status code (RFC 9110 §15).
public struct HTTPStatus: Hashable, Sendable {
    /// The number, 100...599.
    public let code: Int

    /// Creates a status from its number.
    ///
    /// - Parameter code: 100...599. Any other number is a programming error.
    public init(code: Int) {
        precondition(code >= 100 && code <= 599, "status \(code) is not in 100...599")
        self.code = code
    }

    /// Whether a response of this status never has content: 1xx, 204 and 304 (RFC 9112 §6.3).
    public var forbidsContent: Bool { code < 200 || code == 204 || code == 304 }
}

extension HTTPStatus {
    /// 100: the client may send the body.
    public static var `continue`: HTTPStatus { HTTPStatus(code: 100) }
    /// 200: success.
    public static var ok: HTTPStatus { HTTPStatus(code: 200) }
    /// 201: a new resource was created.
    public static var created: HTTPStatus { HTTPStatus(code: 201) }
    /// 202: accepted, not finished.
    public static var accepted: HTTPStatus { HTTPStatus(code: 202) }
    /// 204: success, without content.
    public static var noContent: HTTPStatus { HTTPStatus(code: 204) }
    /// 206: a part of the content.
    public static var partialContent: HTTPStatus { HTTPStatus(code: 206) }
    /// 301: moved permanently.
    public static var movedPermanently: HTTPStatus { HTTPStatus(code: 301) }
    /// 302: temporarily at another URL.
    public static var found: HTTPStatus { HTTPStatus(code: 302) }
    /// 303: the result is another resource, to be read with GET.
    public static var seeOther: HTTPStatus { HTTPStatus(code: 303) }
    /// 304: the client's copy is still current.
    public static var notModified: HTTPStatus { HTTPStatus(code: 304) }
    /// 307: temporarily at another URL, same method.
    public static var temporaryRedirect: HTTPStatus { HTTPStatus(code: 307) }
    /// 308: moved permanently, same method.
    public static var permanentRedirect: HTTPStatus { HTTPStatus(code: 308) }
    /// 400: malformed.
    public static var badRequest: HTTPStatus { HTTPStatus(code: 400) }
    /// 401: credentials are missing or wrong.
    public static var unauthorized: HTTPStatus { HTTPStatus(code: 401) }
    /// 403: refused, with any credentials.
    public static var forbidden: HTTPStatus { HTTPStatus(code: 403) }
    /// 404: no such resource.
    public static var notFound: HTTPStatus { HTTPStatus(code: 404) }
    /// 405: the target does not support the method.
    public static var methodNotAllowed: HTTPStatus { HTTPStatus(code: 405) }
    /// 406: no representation suits the client.
    public static var notAcceptable: HTTPStatus { HTTPStatus(code: 406) }
    /// 408: the request took too long to arrive.
    public static var requestTimeout: HTTPStatus { HTTPStatus(code: 408) }
    /// 409: conflicts with the current state.
    public static var conflict: HTTPStatus { HTTPStatus(code: 409) }
    /// 410: permanently removed.
    public static var gone: HTTPStatus { HTTPStatus(code: 410) }
    /// 411: a body requires a length.
    public static var lengthRequired: HTTPStatus { HTTPStatus(code: 411) }
    /// 412: a condition of the request does not hold.
    public static var preconditionFailed: HTTPStatus { HTTPStatus(code: 412) }
    /// 413: the content is over the limit.
    public static var contentTooLarge: HTTPStatus { HTTPStatus(code: 413) }
    /// 414: the request line is over the limit.
    public static var uriTooLong: HTTPStatus { HTTPStatus(code: 414) }
    /// 415: the content's media type or coding is not supported.
    public static var unsupportedMediaType: HTTPStatus { HTTPStatus(code: 415) }
    /// 416: the range lies outside the content.
    public static var rangeNotSatisfiable: HTTPStatus { HTTPStatus(code: 416) }
    /// 417: an expectation is unknown.
    public static var expectationFailed: HTTPStatus { HTTPStatus(code: 417) }
    /// 421: this server does not serve the named host.
    public static var misdirectedRequest: HTTPStatus { HTTPStatus(code: 421) }
    /// 422: understood, but the content cannot be processed.
    public static var unprocessableContent: HTTPStatus { HTTPStatus(code: 422) }
    /// 428: the request must carry a condition (RFC 6585 §3).
    public static var preconditionRequired: HTTPStatus { HTTPStatus(code: 428) }
    /// 429: too many requests within a time (RFC 6585 §4).
    public static var tooManyRequests: HTTPStatus { HTTPStatus(code: 429) }
    /// 431: a field or all fields together are over the limit (RFC 6585 §5).
    public static var requestHeaderFieldsTooLarge: HTTPStatus { HTTPStatus(code: 431) }
    /// 500: the server failed.
    public static var internalServerError: HTTPStatus { HTTPStatus(code: 500) }
    /// 501: the method or coding is not implemented.
    public static var notImplemented: HTTPStatus { HTTPStatus(code: 501) }
    /// 503: temporarily unavailable.
    public static var serviceUnavailable: HTTPStatus { HTTPStatus(code: 503) }
    /// 507: no storage space (RFC 4918 §11.5).
    public static var insufficientStorage: HTTPStatus { HTTPStatus(code: 507) }
    /// 505: the HTTP version is not supported.
    public static var httpVersionNotSupported: HTTPStatus { HTTPStatus(code: 505) }
}

extension HTTPStatus {
    /// The reason phrase after the number in a status line; empty for a number without one.
    public var reason: StaticString {
        switch code {
        case 100..<300: successReason
        case 300..<400: redirectionReason
        case 400..<500: clientErrorReason
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 507: "Insufficient Storage"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }

    private var successReason: StaticString {
        switch code {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        default: ""
        }
    }

    private var redirectionReason: StaticString {
        switch code {
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        default: ""
        }
    }

    private var clientErrorReason: StaticString {
        switch code {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        default: ""
        }
    }
}
