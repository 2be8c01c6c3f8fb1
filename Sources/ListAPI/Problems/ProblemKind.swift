package import Rendering

extension ProblemKind {
    static let invalidParameter = Self(400, "invalid-parameter", "Invalid query parameter") {
        "A query parameter is unknown, is repeated, or has a value that is not allowed. Nothing "
            + "was read. Each member of errors names a parameter, the error and, if there is one, "
            + "the nearest valid text."
    }
    static let invalidCursor = Self(400, "invalid-cursor", "Invalid cursor") {
        "The value of after or before is malformed, or belongs to another list, order, grouping or "
            + "set of sections. Follow the links of a page of the same list and order, or start at "
            + "the first page."
    }
    static let cursorExpired = Self(410, "cursor-expired", "Cursor expired") {
        "The cursor was valid once, but its format or its key is no longer accepted. Start at the "
            + "first page."
    }
    static let invalidVersion = Self(400, "invalid-version", "Invalid version") {
        "The address of changes names the version of a page. This version is malformed, or belongs "
            + "to another list, order or page. Read the page again, and follow its changes link."
    }
    static let versionExpired = Self(410, "version-expired", "Version expired") {
        "Most of the page has changed since the version, or the list has been set up differently. "
            + "Read the page again; its links have the new address of changes."
    }
    static let malformedContent = Self(400, "malformed-content", "Malformed content") {
        "The content of the request does not match its Content-Type, or has members that the "
            + "address does not accept. Nothing was done. Each member of errors names a position "
            + "and the error."
    }
    static let unsupportedMediaType = Self(
        415,
        "unsupported-media-type",
        "Unsupported media type"
    ) {
        "The server reads application/json and application/x-www-form-urlencoded, in UTF-8 and "
            + "without a Content-Encoding. The Content-Type field must name the type. Nothing was "
            + "done."
    }
    static let invalidRow = Self(422, "invalid-row", "Invalid row") {
        "The content is well-formed, but at least one value cannot be stored. A value is missing, "
            + "has another type than its column, or has a name that no column has. Nothing was "
            + "written. Each member of errors points to one of them."
    }
    static let invalidFile = Self(422, "invalid-file", "Invalid file") {
        "The file cannot be read as the rows of a list. Nothing was stored. Each member of errors "
            + "names a line and a column of the file."
    }
    static let reusedKey = Self(422, "reused-key", "Key used before") {
        "The Idempotency-Key field has the key of an earlier request with other content. Nothing "
            + "was written. Use another key for another change."
    }
    static let forbidden = Self(403, "forbidden", "Forbidden") {
        "The list does not let this row be opened, or the client has no right to do this. A "
            + "repeated request has the same result."
    }
    static let foreignOrigin = Self(403, "foreign-origin", "Request of another site") {
        "A browser sent the request for a page that is not part of this service. Only pages of the "
            + "service and programs may change rows. Nothing was done."
    }
    static let conflict = Self(409, "conflict", "Not done") {
        "The request is valid, but the state of the row or the list does not allow it. Read the "
            + "list again, and repeat the request if it still makes sense. For a refused move, "
            + "order has the current ids of the section's rows."
    }
    static let notFound = Self(404, "not-found", "Not found") {
        "No list, section, row or page has this address."
    }
    static let methodNotAllowed = Self(405, "method-not-allowed", "Method not allowed") {
        "The Allow field of the response lists the methods of this address."
    }
    static let notAcceptable = Self(406, "not-acceptable", "No acceptable format") {
        "The address has none of the formats that the Accept field allows. A suffix such as .json "
            + "selects a format whatever the Accept field says."
    }
    static let unauthenticated = Self(401, "unauthenticated", "Credentials needed") {
        "The server needs to know the client. The WWW-Authenticate field of the response names the "
            + "method: a token in the Authorization field. The operator of the server issues "
            + "tokens."
    }
    static let tooManyRequests = Self(429, "too-many-requests", "Too many requests") {
        "The client address sent more requests in a second than the operator allows. Wait for the "
            + "seconds that the Retry-After field of the response names."
    }
    static let preconditionFailed = Self(412, "precondition-failed", "Condition not met") {
        "The state of the row is not the one that If-Match or If-Unmodified-Since names. Read the "
            + "current state, and repeat the request with its tag."
    }
    static let preconditionRequired = Self(428, "precondition-required", "Condition needed") {
        "This server changes a row only if the request names its state. Send the row's entity tag "
            + "in If-Match, or If-None-Match: * to create the row."
    }
    static let rangeNotSatisfiable = Self(416, "range-not-satisfiable", "Range not satisfiable") {
        "The Range field names bytes after the end. The Content-Range field of the response has "
            + "the length."
    }
    static let misdirected = Self(421, "misdirected", "Wrong host") {
        "This server does not respond for the host in the Host field. Its operator can allow the "
            + "host."
    }
    static let unavailable = Self(503, "unavailable", "Temporarily unavailable") {
        "The rows cannot be read or written at the moment. Try again later."
    }
    static let outOfTime = Self(503, "out-of-time", "Took too long") {
        "Reading took longer than a query may take, and was ended. Without an index for its "
            + "conditions and order, all rows of a list are read. Add a condition on an indexed "
            + "column, use the order of an index, or remove q. The owner of the database can also "
            + "create an index; --explain prints the SQL."
    }
    static let outOfRoom = Self(507, "out-of-room", "No room left") {
        "The disk that holds the list is full. Nothing was written; lists can still be read. Try "
            + "again when there is room."
    }
    static let internalError = Self(500, "internal-error", "Internal error") {
        "The service has an internal error, which has been logged."
    }
    static let malformedRequest = Self(400, "malformed-request", "Malformed request") {
        "The bytes are not a request of HTTP/1.1 or HTTP/1.0. The server reads nothing more from "
            + "the connection."
    }
    static let requestTimeout = Self(408, "request-timeout", "Request too slow") {
        "The request was too slow or incomplete, and its connection was closed. Send it again on "
            + "another connection."
    }
    static let contentTooLarge = Self(413, "content-too-large", "Content too large") {
        "The content of the request is longer than the server reads. Nothing was done."
    }
    static let addressTooLong = Self(414, "address-too-long", "Address too long") {
        "The address of the request is longer than any address of this service."
    }
    static let unknownExpectation = Self(417, "unknown-expectation", "Unknown expectation") {
        "The Expect field of the request has another value than 100-continue."
    }
    static let fieldsTooLarge = Self(431, "fields-too-large", "Fields too large") {
        "A field of the request, or all fields together, are longer than the server reads. Cookies "
            + "of other services on the same host may be the reason."
    }
    static let notImplemented = Self(501, "not-implemented", "Not known here") {
        "The service does not know the method of the request, or the coding of its content, at any "
            + "address."
    }
    static let versionNotSupported = Self(505, "version-not-supported", "HTTP version not spoken") {
        "The server speaks HTTP/1.1 and HTTP/1.0, and no other version."
    }

    package static let all: [ProblemKind] = [
        .invalidParameter, .invalidCursor, .cursorExpired, .invalidVersion, .versionExpired,
        .malformedContent, .unsupportedMediaType, .invalidRow, .invalidFile, .reusedKey,
        .forbidden,
        .foreignOrigin, .conflict, .notFound, .methodNotAllowed, .notAcceptable, .unauthenticated,
        .tooManyRequests, .preconditionFailed, .preconditionRequired, .rangeNotSatisfiable,
        .misdirected, .unavailable, .outOfTime, .outOfRoom, .internalError, .malformedRequest,
        .requestTimeout, .contentTooLarge, .addressTooLong, .unknownExpectation, .fieldsTooLarge,
        .notImplemented, .versionNotSupported,
    ]
}
