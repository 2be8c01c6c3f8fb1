/// A pattern for the paths of a route, such as `/{list}/-/sections/{id}`.
///
/// Segments are compared after decoding. A segment in braces captures any segment that is not
/// empty. Every other segment matches itself.
package struct RoutePattern: Hashable, Sendable {
    /// One segment of a pattern.
    enum Segment: Hashable, Sendable {
        /// A segment of these bytes.
        case literal([UInt8])
        /// Any segment that is not empty, under this name.
        case capture(String)
    }

    /// The pattern as it was written.
    package let text: String

    let segments: [Segment]

    /// The names of the captures, in order.
    package let captureNames: [String]

    /// The indices of the segments that are captures, in order.
    let capturePlaces: [Int]

    /// Reads a pattern.
    ///
    /// - Parameter text: A `/`, then segments with `/` between them. A capture is `{name}`, with a
    ///   name of ASCII letters and digits. Nothing is percent-encoded.
    /// - Throws: The rule that the pattern breaks.
    package init(_ text: String) throws(RoutingError) {
        guard text.hasPrefix("/") else { throw .patternWithoutSlash(text) }
        var segments: [Segment] = []
        var names: [String] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard part.contains(where: { $0 == "{" || $0 == "}" }) else {
                guard part != ".", part != ".." else { throw .unreachableSegment(text) }
                segments.append(.literal(Array(part.utf8)))
                continue
            }
            let name = String(part.dropFirst().dropLast())
            let isName = !name.isEmpty && name.utf8.allSatisfy(Self.isNameByte)
            guard part.hasPrefix("{"), part.hasSuffix("}"), isName else {
                throw .malformedCapture(text)
            }
            guard !names.contains(name) else { throw .repeatedCapture(name: name, pattern: text) }
            names.append(name)
            segments.append(.capture(name))
        }
        self.text = text
        self.segments = segments
        captureNames = names
        capturePlaces = segments.indices.filter {
            if case .capture = segments[$0] { true } else { false }
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

/// The reason why a route is refused at registration.
package enum RoutingError: Error, Hashable, Sendable {
    /// The pattern does not begin with `/`.
    case patternWithoutSlash(String)
    /// A segment has a brace and is not `{name}`.
    case malformedCapture(String)
    /// Two captures of the pattern have the same name.
    case repeatedCapture(name: String, pattern: String)
    /// A segment is `.` or `..`, which no decoded path contains.
    case unreachableSegment(String)
    /// Another pattern matches exactly the same paths.
    case duplicate(method: HTTPMethod, pattern: String, registered: String)
    /// HEAD and OPTIONS follow from other methods, and TRACE, QUERY and CONNECT are never routed.
    case methodIsNotRouted(method: HTTPMethod, pattern: String)
}
