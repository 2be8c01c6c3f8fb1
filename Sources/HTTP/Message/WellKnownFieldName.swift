/// The fields recognised while a head is parsed.
///
/// Looking one up compares a number, and sending one copies a literal.
enum WellKnownFieldName: UInt8, CaseIterable, Sendable {
    case host
    case accept
    case acceptEncoding
    case acceptLanguage
    case acceptRanges
    case allow
    case authorization
    case cacheControl
    case connection
    case contentDisposition
    case contentEncoding
    case contentLanguage
    case contentLength
    case contentLocation
    case contentRange
    case contentSecurityPolicy
    case contentType
    case cookie
    case date
    case etag
    case expect
    case expires
    case idempotencyKey
    case ifMatch
    case ifModifiedSince
    case ifNoneMatch
    case ifRange
    case ifUnmodifiedSince
    case lastEventID
    case lastModified
    case link
    case location
    case origin
    case prefer
    case range
    case referer
    case referrerPolicy
    case retryAfter
    case serverTiming
    case setCookie
    case transferEncoding
    case userAgent
    case vary
    case wwwAuthenticate
    case xContentTypeOptions
    case xRequestID

    /// The name as it is sent.
    var wireName: StaticString {
        switch self {
        case .host: "Host"
        case .accept: "Accept"
        case .acceptEncoding: "Accept-Encoding"
        case .acceptLanguage: "Accept-Language"
        case .acceptRanges: "Accept-Ranges"
        case .allow: "Allow"
        case .authorization: "Authorization"
        case .cacheControl: "Cache-Control"
        case .connection: "Connection"
        case .contentDisposition: "Content-Disposition"
        case .contentEncoding: "Content-Encoding"
        case .contentLanguage: "Content-Language"
        case .contentLength: "Content-Length"
        case .contentLocation: "Content-Location"
        case .contentRange: "Content-Range"
        case .contentSecurityPolicy: "Content-Security-Policy"
        case .contentType: "Content-Type"
        case .cookie: "Cookie"
        case .date: "Date"
        case .etag: "ETag"
        case .expect: "Expect"
        case .expires: "Expires"
        case .idempotencyKey: "Idempotency-Key"
        case .ifMatch: "If-Match"
        case .ifModifiedSince: "If-Modified-Since"
        case .ifNoneMatch: "If-None-Match"
        case .ifRange: "If-Range"
        case .ifUnmodifiedSince: "If-Unmodified-Since"
        case .lastEventID: "Last-Event-ID"
        case .lastModified: "Last-Modified"
        case .link: "Link"
        case .location: "Location"
        case .origin: "Origin"
        case .prefer: "Prefer"
        case .range: "Range"
        case .referer: "Referer"
        case .referrerPolicy: "Referrer-Policy"
        case .retryAfter: "Retry-After"
        case .serverTiming: "Server-Timing"
        case .setCookie: "Set-Cookie"
        case .transferEncoding: "Transfer-Encoding"
        case .userAgent: "User-Agent"
        case .vary: "Vary"
        case .wwwAuthenticate: "WWW-Authenticate"
        case .xContentTypeOptions: "X-Content-Type-Options"
        case .xRequestID: "X-Request-Id"
        }
    }

    /// Whether the server writes the field itself.
    var belongsToTheServer: Bool {
        switch self {
        case .connection, .contentLength, .date, .transferEncoding: true
        default: false
        }
    }

    /// Returns the field with this name, in any case.
    ///
    /// - Complexity: O(length of the name), because only names of the same length are compared.
    static func named(_ name: borrowing Span<UInt8>) -> WellKnownFieldName? {
        guard name.count < candidates.count else { return nil }
        for candidate in candidates[name.count] where candidate.matches(name) {
            return candidate.field
        }
        return nil
    }

    private struct Candidate {
        let field: WellKnownFieldName
        let name: [UInt8]

        func matches(_ other: borrowing Span<UInt8>) -> Bool {
            for index in name.indices where name[index] != other[index].lowercasedASCII {
                return false
            }
            return true
        }
    }

    /// The fields, indexed by the length of their names.
    private static let candidates: [[Candidate]] = {
        let all = allCases.map { field in
            Candidate(field: field, name: field.wireName.description.utf8.map(\.lowercasedASCII))
        }
        let longest = all.map(\.name.count).max() ?? 0
        return (0...longest).map { length in all.filter { $0.name.count == length } }
    }()
}
