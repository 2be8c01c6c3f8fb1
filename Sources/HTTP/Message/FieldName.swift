import Bytes

/// The name of a field, compared without case (RFC 9110 §5.1).
public struct FieldName: Hashable, Sendable {
    enum Storage: Hashable, Sendable {
        case known(WellKnownFieldName)
        case other(lowercased: String)
    }

    let storage: Storage

    init(_ field: WellKnownFieldName) {
        storage = .known(field)
    }

    /// Creates a name from its text.
    ///
    /// - Parameter name: One token (RFC 9110 §5.6.2). Any other text is a programming error.
    public init(_ name: String) {
        let isToken = !name.isEmpty && name.utf8.allSatisfy(ByteClass.token.contains)
        precondition(isToken, "\(name) is not a field name")
        let lowercased = name.utf8.map(\.lowercasedASCII)
        if let field = WellKnownFieldName.named(lowercased.span) {
            storage = .known(field)
        } else {
            storage = .other(lowercased: String(decoding: lowercased, as: UTF8.self))
        }
    }

    package init?(validating name: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(ByteClass.token.contains) else { return nil }
        self.init(name)
    }

    /// Whether a handler may add a field of this name with a value.
    ///
    /// The server writes some fields itself, and no value has control bytes.
    package func accepts(_ value: String) -> Bool {
        if case .known(let field) = storage, field.belongsToTheServer { return false }
        return value.utf8.allSatisfy(ByteClass.fieldValue.contains)
    }

    /// The name as it is sent: the usual spelling of a known field, or lower case.
    public var name: String {
        switch storage {
        case .known(let field): field.wireName.description
        case .other(let lowercased): lowercased
        }
    }
}

extension FieldName: ExpressibleByStringLiteral {
    /// Creates a name from a literal, which must be one token.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}

extension FieldName {
    /// `Host`.
    public static var host: FieldName { FieldName(.host) }
    /// `Accept`.
    public static var accept: FieldName { FieldName(.accept) }
    /// `Accept-Encoding`.
    public static var acceptEncoding: FieldName { FieldName(.acceptEncoding) }
    /// `Accept-Language`.
    public static var acceptLanguage: FieldName { FieldName(.acceptLanguage) }
    /// `Accept-Ranges`.
    public static var acceptRanges: FieldName { FieldName(.acceptRanges) }
    /// `Allow`.
    public static var allow: FieldName { FieldName(.allow) }
    /// `Authorization`.
    public static var authorization: FieldName { FieldName(.authorization) }
    /// `Cache-Control`.
    public static var cacheControl: FieldName { FieldName(.cacheControl) }
    /// `Connection`.
    public static var connection: FieldName { FieldName(.connection) }
    /// `Content-Disposition`.
    public static var contentDisposition: FieldName { FieldName(.contentDisposition) }
    /// `Content-Encoding`.
    public static var contentEncoding: FieldName { FieldName(.contentEncoding) }
    /// `Content-Language`.
    public static var contentLanguage: FieldName { FieldName(.contentLanguage) }
    /// `Content-Length`.
    public static var contentLength: FieldName { FieldName(.contentLength) }
    /// `Content-Location`.
    public static var contentLocation: FieldName { FieldName(.contentLocation) }
    /// `Content-Range`.
    public static var contentRange: FieldName { FieldName(.contentRange) }
    /// `Content-Security-Policy`.
    public static var contentSecurityPolicy: FieldName { FieldName(.contentSecurityPolicy) }
    /// `Content-Type`.
    public static var contentType: FieldName { FieldName(.contentType) }
    /// `Cookie`.
    public static var cookie: FieldName { FieldName(.cookie) }
    /// `Date`.
    public static var date: FieldName { FieldName(.date) }
    /// `ETag`.
    public static var etag: FieldName { FieldName(.etag) }
    /// `Expect`.
    public static var expect: FieldName { FieldName(.expect) }
    /// `Expires`.
    public static var expires: FieldName { FieldName(.expires) }
    /// `Idempotency-Key`.
    public static var idempotencyKey: FieldName { FieldName(.idempotencyKey) }
    /// `If-Match`.
    public static var ifMatch: FieldName { FieldName(.ifMatch) }
    /// `If-Modified-Since`.
    public static var ifModifiedSince: FieldName { FieldName(.ifModifiedSince) }
    /// `If-None-Match`.
    public static var ifNoneMatch: FieldName { FieldName(.ifNoneMatch) }
    /// `If-Range`.
    public static var ifRange: FieldName { FieldName(.ifRange) }
    /// `If-Unmodified-Since`.
    public static var ifUnmodifiedSince: FieldName { FieldName(.ifUnmodifiedSince) }
    /// `Last-Event-ID`.
    public static var lastEventID: FieldName { FieldName(.lastEventID) }
    /// `Last-Modified`.
    public static var lastModified: FieldName { FieldName(.lastModified) }
    /// `Link`.
    public static var link: FieldName { FieldName(.link) }
    /// `Location`.
    public static var location: FieldName { FieldName(.location) }
    /// `Origin`.
    public static var origin: FieldName { FieldName(.origin) }
    /// `Prefer`.
    public static var prefer: FieldName { FieldName(.prefer) }
    /// `Range`.
    public static var range: FieldName { FieldName(.range) }
    /// `Referer`.
    public static var referer: FieldName { FieldName(.referer) }
    /// `Referrer-Policy`.
    public static var referrerPolicy: FieldName { FieldName(.referrerPolicy) }
    /// `Retry-After`.
    public static var retryAfter: FieldName { FieldName(.retryAfter) }
    /// `Server-Timing`.
    public static var serverTiming: FieldName { FieldName(.serverTiming) }
    /// `Set-Cookie`.
    public static var setCookie: FieldName { FieldName(.setCookie) }
    /// `Transfer-Encoding`.
    public static var transferEncoding: FieldName { FieldName(.transferEncoding) }
    /// `User-Agent`.
    public static var userAgent: FieldName { FieldName(.userAgent) }
    /// `Vary`.
    public static var vary: FieldName { FieldName(.vary) }
    /// `WWW-Authenticate`.
    public static var wwwAuthenticate: FieldName { FieldName(.wwwAuthenticate) }
    /// `X-Content-Type-Options`.
    public static var xContentTypeOptions: FieldName { FieldName(.xContentTypeOptions) }
    /// `X-Request-Id`.
    public static var xRequestID: FieldName { FieldName(.xRequestID) }
}

package struct FieldNameSet: Sendable {
    static let all = FieldNameSet(bits: .max)

    private var bits: UInt64

    init() { bits = 0 }

    private init(bits: UInt64) { self.bits = bits }

    mutating func insert(_ field: WellKnownFieldName) { bits |= field.bit }

    mutating func formUnion(_ other: FieldNameSet) { bits |= other.bits }

    /// Always true for fields that are not known ones.
    package func mayHold(_ name: FieldName) -> Bool {
        switch name.storage {
        case .known(let field): bits & field.bit != 0
        case .other: true
        }
    }
}

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

    var belongsToTheServer: Bool {
        switch self {
        case .connection, .contentLength, .date, .transferEncoding: true
        default: false
        }
    }

    /// The name may be in any case.
    ///
    /// O(length of the name), because only names of the same length are compared.
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

    /// Indexed by the length of their names.
    private static let candidates: [[Candidate]] = {
        let all = allCases.map { field in
            Candidate(field: field, name: field.wireName.description.utf8.map(\.lowercasedASCII))
        }
        let longest = all.map(\.name.count).max() ?? 0
        return (0...longest).map { length in all.filter { $0.name.count == length } }
    }()
}
