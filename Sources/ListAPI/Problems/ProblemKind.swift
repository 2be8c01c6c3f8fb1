/// The kinds of problems that the service responds with; each has a page that explains it.
package enum ProblemKind: String, CaseIterable, Sendable {
    /// A parameter is invalid.
    case invalidParameter = "invalid-parameter"
    /// A cursor is malformed, or was issued for another list or order.
    case invalidCursor = "invalid-cursor"
    /// A cursor is no longer accepted.
    case cursorExpired = "cursor-expired"
    /// A version is malformed, or was issued for another list or query.
    case invalidVersion = "invalid-version"
    /// The changes since a version are no longer known.
    case versionExpired = "version-expired"
    /// The content of a request violates its media type or the schema of the address.
    case malformedContent = "malformed-content"
    /// The content of a request has a media type that the address does not read.
    case unsupportedMediaType = "unsupported-media-type"
    /// Values of a row cannot be stored.
    case invalidRow = "invalid-row"
    /// An idempotency key was used for another request.
    case reusedKey = "reused-key"
    /// The request is not permitted.
    case forbidden
    /// A page of another site requests a change.
    case foreignOrigin = "foreign-origin"
    /// The request conflicts with the state of the list.
    case conflict
    /// The address is unknown.
    case notFound = "not-found"
    /// The address does not support the method.
    case methodNotAllowed = "method-not-allowed"
    /// The address has no representation that the client accepts.
    case notAcceptable = "not-acceptable"
    /// The client must authenticate with a known token.
    case unauthenticated
    /// The client exceeds its rate limit.
    case tooManyRequests = "too-many-requests"
    /// A condition of the request does not hold.
    case preconditionFailed = "precondition-failed"
    /// The request must name the state of the row that it changes.
    case preconditionRequired = "precondition-required"
    /// The requested range is not available.
    case rangeNotSatisfiable = "range-not-satisfiable"
    /// The server does not serve the host.
    case misdirected
    /// The rows cannot be read at the moment.
    case unavailable
    /// The query exceeded its time limit.
    case outOfTime = "out-of-time"
    /// The storage is full.
    case outOfRoom = "out-of-room"
    /// The service has a bug or failed.
    case internalError = "internal-error"
    /// The request violates the rules of HTTP.
    case malformedRequest = "malformed-request"
    /// The request took too long to arrive.
    case requestTimeout = "request-timeout"
    /// The content of a request is too large.
    case contentTooLarge = "content-too-large"
    /// The address of a request is too long.
    case addressTooLong = "address-too-long"
    /// The request has an unknown expectation.
    case unknownExpectation = "unknown-expectation"
    /// The fields of a request are too large.
    case fieldsTooLarge = "fields-too-large"
    /// The server does not implement the method or a coding of the request.
    case notImplemented = "not-implemented"
    /// The server does not support the HTTP version of the request.
    case versionNotSupported = "version-not-supported"

    /// The status of the response.
    package var status: Int {
        switch self {
        case .invalidParameter, .invalidCursor, .invalidVersion, .malformedContent,
            .malformedRequest:
            400
        case .invalidRow, .reusedKey: 422
        case .forbidden, .foreignOrigin: 403
        case .conflict: 409
        case .unsupportedMediaType: 415
        case .cursorExpired, .versionExpired: 410
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .unauthenticated: 401
        case .tooManyRequests: 429
        case .preconditionFailed: 412
        case .preconditionRequired: 428
        case .outOfRoom: 507
        case .rangeNotSatisfiable: 416
        case .misdirected: 421
        case .unavailable, .outOfTime: 503
        case .internalError: 500
        case .requestTimeout: 408
        case .contentTooLarge: 413
        case .addressTooLong: 414
        case .unknownExpectation: 417
        case .fieldsTooLarge: 431
        case .notImplemented: 501
        case .versionNotSupported: 505
        }
    }

    /// The title of the kind, in a few words.
    package var title: String {
        switch self {
        case .invalidParameter: "Invalid query parameter"
        case .invalidCursor: "Invalid cursor"
        case .cursorExpired: "Cursor expired"
        case .invalidVersion: "Invalid version"
        case .versionExpired: "Version expired"
        case .malformedContent: "Malformed content"
        case .unsupportedMediaType: "Unsupported media type"
        case .invalidRow: "Invalid row"
        case .reusedKey: "Key used before"
        case .forbidden: "Forbidden"
        case .foreignOrigin: "Request of another site"
        case .conflict: "Not done"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .notAcceptable: "No acceptable format"
        case .unauthenticated: "Credentials needed"
        case .tooManyRequests: "Too many requests"
        case .preconditionFailed: "Condition not met"
        case .preconditionRequired: "Condition needed"
        case .outOfRoom: "No room left"
        case .rangeNotSatisfiable: "Range not satisfiable"
        case .misdirected: "Wrong host"
        case .unavailable: "Temporarily unavailable"
        case .outOfTime: "Took too long"
        case .internalError: "Internal error"
        case .malformedRequest: "Malformed request"
        case .requestTimeout: "Request too slow"
        case .contentTooLarge: "Content too large"
        case .addressTooLong: "Address too long"
        case .unknownExpectation: "Unknown expectation"
        case .fieldsTooLarge: "Fields too large"
        case .notImplemented: "Not known here"
        case .versionNotSupported: "HTTP version not spoken"
        }
    }

    /// The explanation of the kind and its remedy.
    package var explanation: String {
        switch self {
        case .invalidParameter:
            "A query parameter is unknown, repeated or has a value that is not allowed. Nothing "
                + "was read. Each member of errors names the parameter, what is wrong with it and, "
                + "where one is near, what was probably meant."
        case .invalidCursor:
            "The value of after or before is mangled, or was given out for another list, order, "
                + "grouping or set of sections. Go on from the links of a page of the same list "
                + "and order, or start at the first page."
        case .cursorExpired:
            "The cursor was right once, but its format or its key is not honoured any more. Start "
                + "at the first page."
        case .invalidVersion:
            "What changed is told since a version of a page, as the page's own address of changes "
                + "names it. This one is mangled, or belongs to another list, order or page. Read "
                + "the page, and follow its address of changes."
        case .versionExpired:
            "What changed since the version is not worth telling, because most of the page did, or "
                + "not possible, because the list is not set up as it was. Read the page again; the "
                + "links of the answer have its address."
        case .malformedContent:
            "The content of the request is not what its Content-Type says, or has members that the "
                + "address does not take. Nothing was done. Each member of errors names the place "
                + "and what is wrong there."
        case .unsupportedMediaType:
            "Content is read as application/json or application/x-www-form-urlencoded, in UTF-8, "
                + "as the Content-Type field says, and without a Content-Encoding. Nothing was done."
        case .invalidRow:
            "The content is well-formed, and at least one of its values cannot be stored: a value "
                + "is missing, is of another type than its column, or stands under a name that no "
                + "column has. Nothing was written. Each member of errors points at one of them."
        case .reusedKey:
            "The Idempotency-Key field names a request that was answered before, and this request "
                + "is another one. Nothing was written. Ask for another change under another key."
        case .forbidden:
            "The list shows the row, and does not let it be opened; or who asks is known, and may "
                + "not do what is asked for. Asking again changes nothing."
        case .foreignOrigin:
            "A browser sent the request for a page that is not part of this service. Changes are "
                + "taken from the service's own pages and from programs. Nothing was done."
        case .conflict:
            "The request was understood, and the state of the row or the list does not allow what "
                + "it asks for. Look at the list as it is now, and try again if it still makes "
                + "sense. Of a refused move order has the ids of the section's rows as they stand."
        case .notFound: "No list, section, row or page has this address."
        case .methodNotAllowed: "The Allow field of the answer lists the methods of this address."
        case .notAcceptable:
            "None of the formats of this address is among those that the Accept field allows. A "
                + "suffix such as .json asks for a format whatever the Accept field says."
        case .unauthenticated:
            "The server wants to know who asks. The WWW-Authenticate field of the answer says how: "
                + "by a token in the field Authorization, which its operator gives out."
        case .tooManyRequests:
            "More requests came from one address than the operator lets one send in a second. Wait "
                + "for as many seconds as the Retry-After field of the answer says."
        case .preconditionFailed:
            "What the If-Match or If-Unmodified-Since field of the request asks for is not the "
                + "state there is. Read the current state, and ask again with its tag."
        case .preconditionRequired:
            "This server changes a row only for those who say which state of it they know: send "
                + "the row's entity tag in If-Match, or If-None-Match: * to create it."
        case .outOfRoom:
            "The disk that holds the list is full. Nothing was written, and reading goes on. Try "
                + "again when there is room."
        case .rangeNotSatisfiable:
            "The Range field asks for bytes behind the end. The Content-Range field of the answer "
                + "says how many there are."
        case .misdirected:
            "The Host field of the request names a host that this server is not set up to answer "
                + "for. Its operator can allow it."
        case .unavailable:
            "The rows cannot be read, or not be written, at the moment. Try again after a while."
        case .outOfTime:
            "Reading was ended because it took longer than one question may, and nothing of it was "
                + "sent. The rows of a list without an index for its conditions and its order are "
                + "looked at one by one. A condition that few rows meet on an indexed column, the "
                + "order of an index, or no q finds them sooner; so does an index that the owner of "
                + "the database makes, and that the program writes where it is given --explain."
        case .internalError: "The service is at fault, and the fault has been logged."
        case .malformedRequest:
            "The bytes that were sent are no request of HTTP/1.1 or HTTP/1.0. What follows them on "
                + "the same connection is not read."
        case .requestTimeout:
            "The request came too slowly, or not to its end, and its connection was closed. Send it "
                + "again on another one."
        case .contentTooLarge:
            "The content of the request is longer than is read here. Nothing was done."
        case .addressTooLong:
            "The address of the request is longer than any address of this service."
        case .unknownExpectation:
            "The Expect field of the request asks for something else than 100-continue."
        case .fieldsTooLarge:
            "A field of the request, or all of them together, are longer than is read here. Cookies "
                + "that other services of the same host have set may be the reason."
        case .notImplemented:
            "The method of the request, or the way its content is coded, is not known to this "
                + "service at any address."
        case .versionNotSupported: "HTTP/1.1 and HTTP/1.0 are spoken here, and no other version."
        }
    }
}
