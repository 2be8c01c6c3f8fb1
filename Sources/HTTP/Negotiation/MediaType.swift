/// A media type that a response can have (RFC 9110 §8.3.1).
public struct MediaType: Hashable, Sendable {
    /// The type, in lower case, as in `text`.
    public let type: String
    /// The subtype, in lower case, as in `html`.
    public let subtype: String
    /// The parameters after it, ready to be sent, as in `charset=utf-8`; nil without any.
    public let parameters: String?

    /// Creates a media type from its parts, in lower case.
    public init(_ type: String, _ subtype: String, parameters: String? = nil) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
    }

    /// The value of a Content-Type field.
    public var value: String {
        parameters.map { "\(type)/\(subtype); \($0)" } ?? "\(type)/\(subtype)"
    }
}

extension MediaType {
    /// `text/html; charset=utf-8`.
    public static let html = MediaType("text", "html", parameters: "charset=utf-8")
    /// `text/plain; charset=utf-8`.
    public static let plainText = MediaType("text", "plain", parameters: "charset=utf-8")
    /// `text/csv; charset=utf-8`.
    public static let csv = MediaType("text", "csv", parameters: "charset=utf-8")
    /// `text/css; charset=utf-8`.
    public static let css = MediaType("text", "css", parameters: "charset=utf-8")
    /// `text/javascript; charset=utf-8`.
    public static let javaScript = MediaType("text", "javascript", parameters: "charset=utf-8")
    /// `text/event-stream`.
    public static let eventStream = MediaType("text", "event-stream")
    /// `application/json`, which is UTF-8 by definition (RFC 8259 §8.1).
    public static let json = MediaType("application", "json")
    /// `application/problem+json` (RFC 9457).
    public static let problemJSON = MediaType("application", "problem+json")
    /// `application/x-ndjson`: one JSON value per line.
    public static let ndjson = MediaType("application", "x-ndjson")
}
