/// The kinds of problems that the service responds with; each has a page that explains it.
package enum ProblemKind: String, CaseIterable, Sendable {
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
            "A query parameter is unknown, is repeated, or has a value that is not "
                + "allowed. Nothing was read. Each member of errors names a parameter, the "
                + "error and, if there is one, the nearest valid text."
        case .invalidCursor:
            "The value of after or before is malformed, or belongs to another list, "
                + "order, grouping or set of sections. Follow the links of a page of the same "
                + "list and order, or start at the first page."
        case .cursorExpired:
            "The cursor was valid once, but its format or its key is no longer accepted. "
                + "Start at the first page."
        case .invalidVersion:
            "The address of changes names the version of a page. This version is "
                + "malformed, or belongs to another list, order or page. Read the page again, "
                + "and follow its changes link."
        case .versionExpired:
            "Most of the page has changed since the version, or the list has been set up "
                + "differently. Read the page again; its links have the new address of changes."
        case .malformedContent:
            "The content of the request does not match its Content-Type, or has members "
                + "that the address does not accept. Nothing was done. Each member of errors "
                + "names a position and the error."
        case .unsupportedMediaType:
            "The server reads application/json and application/x-www-form-urlencoded, in "
                + "UTF-8 and without a Content-Encoding. The Content-Type field must name the "
                + "type. Nothing was done."
        case .invalidRow:
            "The content is well-formed, but at least one value cannot be stored. A value "
                + "is missing, has another type than its column, or has a name that no column "
                + "has. Nothing was written. Each member of errors points to one of them."
        case .reusedKey:
            "The Idempotency-Key field has the key of an earlier request with other "
                + "content. Nothing was written. Use another key for another change."
        case .forbidden:
            "The list does not let this row be opened, or the client has no right to do "
                + "this. A repeated request has the same result."
        case .foreignOrigin:
            "A browser sent the request for a page that is not part of this service. Only "
                + "pages of the service and programs may change rows. Nothing was done."
        case .conflict:
            "The request is valid, but the state of the row or the list does not allow "
                + "it. Read the list again, and repeat the request if it still makes sense. For "
                + "a refused move, order has the current ids of the section's rows."
        case .notFound: "No list, section, row or page has this address."
        case .methodNotAllowed: "The Allow field of the response lists the methods of this address."
        case .notAcceptable:
            "The address has none of the formats that the Accept field allows. A suffix "
                + "such as .json selects a format whatever the Accept field says."
        case .unauthenticated:
            "The server needs to know the client. The WWW-Authenticate field of the "
                + "response names the method: a token in the Authorization field. The operator "
                + "of the server issues tokens."
        case .tooManyRequests:
            "The client address sent more requests in a second than the operator allows. "
                + "Wait for the seconds that the Retry-After field of the response names."
        case .preconditionFailed:
            "The state of the row is not the one that If-Match or If-Unmodified-Since "
                + "names. Read the current state, and repeat the request with its tag."
        case .preconditionRequired:
            "This server changes a row only if the request names its state. Send the "
                + "row's entity tag in If-Match, or If-None-Match: * to create the row."
        case .outOfRoom:
            "The disk that holds the list is full. Nothing was written; lists can still "
                + "be read. Try again when there is room."
        case .rangeNotSatisfiable:
            "The Range field names bytes after the end. The Content-Range field of the "
                + "response has the length."
        case .misdirected:
            "This server does not respond for the host in the Host field. Its operator "
                + "can allow the host."
        case .unavailable: "The rows cannot be read or written at the moment. Try again later."
        case .outOfTime:
            "Reading took longer than a query may take, and was ended. Without an index "
                + "for its conditions and order, all rows of a list are read. Add a condition "
                + "on an indexed column, use the order of an index, or remove q. The owner of "
                + "the database can also create an index; --explain prints the SQL."
        case .internalError: "The service has an internal error, which has been logged."
        case .malformedRequest:
            "The bytes are not a request of HTTP/1.1 or HTTP/1.0. The server reads "
                + "nothing more from the connection."
        case .requestTimeout:
            "The request was too slow or incomplete, and its connection was closed. Send "
                + "it again on another connection."
        case .contentTooLarge:
            "The content of the request is longer than the server reads. Nothing was "
                + "done."
        case .addressTooLong:
            "The address of the request is longer than any address of this service."
        case .unknownExpectation:
            "The Expect field of the request has another value than 100-continue."
        case .fieldsTooLarge:
            "A field of the request, or all fields together, are longer than the server "
                + "reads. Cookies of other services on the same host may be the reason."
        case .notImplemented:
            "The service does not know the method of the request, or the coding of its "
                + "content, at any address."
        case .versionNotSupported: "The server speaks HTTP/1.1 and HTTP/1.0, and no other version."
        }
    }
}
