/// A router, which finds the route of a request (RFC 9110 §9, §15.5.5, §15.5.6).
///
/// `Route` is the caller's type, usually an enum of resources. If several patterns match, the one
/// with a literal at the first difference is chosen.
package struct Router<Route> {
    package enum Match {
        case found(Route, RouteCaptures)
        case options(allow: [HTTPMethod])
        /// The target exists and does not support the method (405).
        case methodNotAllowed(allow: [HTTPMethod])
        /// Nothing matches the path (404).
        case notFound
    }

    /// The tree is not generic, because a lookup through a generic type is much slower.
    private var tree = RouteTree()
    private var routes: [Route] = []
    private var methods: Set<HTTPMethod> = []

    package init() {}

    /// GET also covers HEAD.
    ///
    /// HEAD, OPTIONS, TRACE, QUERY and CONNECT cannot be registered. See `RoutePattern`. The router
    /// is unchanged after an error.
    package mutating func register(
        _ method: HTTPMethod = .get,
        _ pattern: String,
        _ route: Route
    ) throws(RoutingError) {
        let pattern = try RoutePattern(pattern)
        guard method.isRouted else {
            throw .methodIsNotRouted(method: method, pattern: pattern.text)
        }
        if let other = tree.endpoint(of: pattern)?.entry(for: method) {
            throw .duplicate(
                method: method,
                pattern: pattern.text,
                registered: other.pattern.text
            )
        }
        tree.add(RouteTree.Entry(method: method, pattern: pattern, route: routes.count))
        routes.append(route)
        methods.insert(method)
    }

    /// O(segments), times two for each segment where both a literal and a capture match.
    ///
    /// It allocates nothing: captured text is made when it is read.
    package func match(_ method: HTTPMethod, _ path: RequestPath) -> Match {
        if path.isAsterisk { return .options(allow: RouteTree.allowed(Array(methods))) }
        guard path.isWithinLimits, let endpoint = tree.endpoint(for: path) else {
            return .notFound
        }
        if method == .options { return .options(allow: endpoint.allow) }
        guard let entry = endpoint.entry(for: method == .head ? .get : method) else {
            return .methodNotAllowed(allow: endpoint.allow)
        }
        return .found(routes[entry.route], RouteCaptures(of: entry.pattern, in: path))
    }
}
extension Router: Sendable where Route: Sendable {}
extension Router.Match: Sendable where Route: Sendable {}
extension Router.Match: Equatable where Route: Equatable {}

extension HTTPMethod {
    fileprivate var isRouted: Bool {
        switch self {
        case .get, .post, .put, .patch, .delete: true
        case .head, .options, .trace, .query, .connect: false
        }
    }
}

/// The decoded segments that a pattern has captured, in the pattern's order.
package struct RouteCaptures: Hashable, Sendable {
    package static let none = RouteCaptures(names: [], positions: [], path: RequestPath())

    private let names: [String]
    private let positions: [Int]
    private let path: RequestPath

    private init(names: [String], positions: [Int], path: RequestPath) {
        self.names = names
        self.positions = positions
        self.path = path
    }

    init(of pattern: RoutePattern, in path: RequestPath) {
        guard !pattern.capturePositions.isEmpty else {
            // Without captures, the path's memory is not retained.
            self = .none
            return
        }
        self.init(names: pattern.captureNames, positions: pattern.capturePositions, path: path)
    }

    package var texts: [String: String] {
        Dictionary(
            uniqueKeysWithValues: names.indices.map { (names[$0], path.segment(positions[$0])) }
        )
    }

    package var count: Int { positions.count }

    package subscript(_ index: Int) -> String { path.segment(positions[index]) }

    /// A name that is not in the pattern is a programming error.
    package subscript(_ name: String) -> String {
        guard let index = names.firstIndex(of: name) else {
            preconditionFailure("there is no capture \(name) among \(names)")
        }
        return self[index]
    }
}

/// A pattern for the paths of a route, such as `/{list}/-/sections/{id}`.
///
/// Segments are compared after decoding. A segment in braces captures any segment that is not
/// empty. Every other segment matches itself.
package struct RoutePattern: Hashable, Sendable {
    enum Segment: Hashable, Sendable {
        case literal([UInt8])
        /// Any segment that is not empty, under this name.
        case capture(String)
    }

    package let text: String

    let segments: [Segment]

    package let captureNames: [String]

    let capturePositions: [Int]

    /// The text is a `/`, then segments with `/` between them.
    ///
    /// A capture is `{name}`, with a name of ASCII letters and digits. Nothing is percent-encoded.
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
        capturePositions = segments.indices.filter {
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

package enum RoutingError: Error, Hashable, Sendable {
    case patternWithoutSlash(String)
    case malformedCapture(String)
    case repeatedCapture(name: String, pattern: String)
    /// A segment is `.` or `..`, which no decoded path contains.
    case unreachableSegment(String)
    /// Another pattern matches exactly the same paths.
    case duplicate(method: HTTPMethod, pattern: String, registered: String)
    /// HEAD and OPTIONS follow from other methods, and TRACE, QUERY and CONNECT are never routed.
    case methodIsNotRouted(method: HTTPMethod, pattern: String)
}

struct RouteTree: Sendable {
    struct Entry: Sendable {
        let method: HTTPMethod
        let pattern: RoutePattern
        let route: Int
    }

    /// For one set of paths.
    struct Endpoint: Sendable {
        fileprivate(set) var entries: [Entry] = []
        fileprivate(set) var allow: [HTTPMethod] = []

        func entry(for method: HTTPMethod) -> Entry? {
            for index in entries.indices where entries[index].method == method {
                return entries[index]
            }
            return nil
        }
    }

    private struct Node {
        var literals: [(bytes: [UInt8], node: Int)] = []
        var capture: Int?
        var endpoint: Endpoint?
    }

    private var nodes = [Node()]

    func endpoint(of pattern: RoutePattern) -> Endpoint? {
        find(pattern).flatMap { nodes[$0].endpoint }
    }

    mutating func add(_ entry: Entry) {
        let index = makeNode(for: entry.pattern)
        var endpoint = nodes[index].endpoint ?? Endpoint()
        endpoint.entries.append(entry)
        endpoint.allow = Self.allowed(endpoint.entries.map(\.method))
        nodes[index].endpoint = endpoint
    }

    func endpoint(for path: borrowing RequestPath) -> Endpoint? {
        node(for: path, segment: 0, from: 0).flatMap { nodes[$0].endpoint }
    }

    private func node(for path: borrowing RequestPath, segment: Int, from node: Int) -> Int? {
        guard segment < path.count else { return nodes[node].endpoint == nil ? nil : node }
        for index in nodes[node].literals.indices
        where path.segment(segment, equals: nodes[node].literals[index].bytes) {
            let next = nodes[node].literals[index].node
            if let found = self.node(for: path, segment: segment + 1, from: next) { return found }
        }
        guard let capture = nodes[node].capture, !path.isSegmentEmpty(segment) else { return nil }
        return self.node(for: path, segment: segment + 1, from: capture)
    }

    private func find(_ pattern: RoutePattern) -> Int? {
        var node: Int? = 0
        for segment in pattern.segments {
            guard let current = node else { return nil }
            node = next(segment, from: current)
        }
        return node
    }

    private func next(_ segment: RoutePattern.Segment, from node: Int) -> Int? {
        switch segment {
        case .literal(let bytes): nodes[node].literals.first { $0.bytes == bytes }?.node
        case .capture: nodes[node].capture
        }
    }

    private mutating func makeNode(for pattern: RoutePattern) -> Int {
        var node = 0
        for segment in pattern.segments {
            if let next = next(segment, from: node) {
                node = next
                continue
            }
            nodes.append(Node())
            let added = nodes.count - 1
            switch segment {
            case .literal(let bytes): nodes[node].literals.append((bytes, added))
            case .capture: nodes[node].capture = added
            }
            node = added
        }
        return node
    }

    /// Returns the methods of an Allow field: HEAD with GET, OPTIONS always, in one fixed order.
    static func allowed(_ methods: [HTTPMethod]) -> [HTTPMethod] {
        HTTPMethod.allCases.filter { method in
            switch method {
            case .head: methods.contains(.get)
            case .options: true
            case .get, .post, .put, .patch, .delete: methods.contains(method)
            case .trace, .query, .connect: false
            }
        }
    }
}
