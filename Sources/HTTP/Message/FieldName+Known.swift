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
