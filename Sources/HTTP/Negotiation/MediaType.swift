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

extension MediaType {
    /// `application/octet-stream` for an unknown extension.
    ///
    /// Texts are assumed to be UTF-8. The case does not matter.
    package init(fileName: String) {
        let dot = fileName.lastIndex(of: ".")
        let ending = dot.map { fileName[fileName.index(after: $0)...].lowercased() }
        self = ending.flatMap { Self.byEnding[$0] } ?? MediaType("application", "octet-stream")
    }

    package var isCompressible: Bool {
        if type == "text" { return self != .eventStream }
        return Self.compressible.contains("\(type)/\(subtype)")
    }

    private static let compressible: Set<String> = [
        "application/json", "application/problem+json", "application/x-ndjson",
        "application/manifest+json", "application/xml", "application/openapi+json",
        "application/wasm", "image/svg+xml", "image/bmp", "image/vnd.microsoft.icon",
        "font/ttf", "font/otf",
    ]

    private static let byEnding: [String: MediaType] = [
        "html": .html, "htm": .html, "css": .css, "js": .javaScript, "mjs": .javaScript,
        "txt": .plainText, "csv": .csv, "json": .json, "ndjson": .ndjson, "map": .json,
        "md": MediaType("text", "markdown", parameters: "charset=utf-8"),
        "xml": MediaType("application", "xml"),
        "webmanifest": MediaType("application", "manifest+json"),
        "wasm": MediaType("application", "wasm"),
        "pdf": MediaType("application", "pdf"),
        "zip": MediaType("application", "zip"),
        "gz": MediaType("application", "gzip"),
        "svg": MediaType("image", "svg+xml"),
        "png": MediaType("image", "png"),
        "jpg": MediaType("image", "jpeg"),
        "jpeg": MediaType("image", "jpeg"),
        "gif": MediaType("image", "gif"),
        "webp": MediaType("image", "webp"),
        "avif": MediaType("image", "avif"),
        "ico": MediaType("image", "vnd.microsoft.icon"),
        "bmp": MediaType("image", "bmp"),
        "woff": MediaType("font", "woff"),
        "woff2": MediaType("font", "woff2"),
        "ttf": MediaType("font", "ttf"),
        "otf": MediaType("font", "otf"),
        "mp4": MediaType("video", "mp4"),
        "webm": MediaType("video", "webm"),
        "mp3": MediaType("audio", "mpeg"),
    ]
}
