import Bytes

/// A path below which the service is reached, such as `/lists`.
package struct BasePath: Hashable, Sendable {
    package static let root = BasePath()

    package static let allowed =
        "a path such as /lists, of letters, digits, -, ., _, ~ and %XX, without empty segments and "
        + "dot segments"

    /// A prefix of the service's paths; empty for the root.
    package let text: String
    private let segments: [[UInt8]]

    private init() {
        text = ""
        segments = []
    }

    /// Drops one `/` at the end, so that `/` is the root.
    ///
    /// Nil unless the text is one of ``allowed``. Characters that need escaping in HTML, JSON or a
    /// field are not allowed.
    package init?(_ text: String) {
        let path = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard !path.isEmpty else {
            guard text == "/" else { return nil }
            self = .root
            return
        }
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        let allowed = ByteClass.unreserved
        let hasOnlyAllowed = path.utf8.allSatisfy { byte in
            allowed.contains(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%")
        }
        var parsed = RequestPath()
        do {
            try parsed.read(path.utf8.span, limits: HTTPLimits())
        } catch {
            return nil
        }
        let segments = parsed.segments
        // Resolved dot segments are missing from the segments that were read.
        guard hasOnlyAllowed, parsed.isWithinLimits, !segments.contains(""),
            segments.count == path.utf8.count(where: { $0 == UInt8(ascii: "/") })
        else { return nil }
        self.text = path
        self.segments = segments.map { Array($0.utf8) }
    }

    package var isRoot: Bool { segments.isEmpty }

    package var firstSegment: String? {
        segments.first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Nil if the path is not below this prefix.
    func depth(in path: RequestPath) -> Int? {
        guard path.count >= segments.count else { return nil }
        for (index, segment) in segments.enumerated()
        where !path.segment(index, equals: segment) { return nil }
        return segments.count
    }
}
