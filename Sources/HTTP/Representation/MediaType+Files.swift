extension MediaType {
    /// Creates the type of a file from the extension of its name, in any case.
    ///
    /// It is `application/octet-stream` for an unknown extension. Texts are assumed to be UTF-8.
    package init(fileName: String) {
        let dot = fileName.lastIndex(of: ".")
        let ending = dot.map { fileName[fileName.index(after: $0)...].lowercased() }
        self = ending.flatMap { Self.byEnding[$0] } ?? MediaType("application", "octet-stream")
    }

    /// Whether content of this type becomes smaller by compression, for clients that accept gzip.
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
