package import HTTP

/// Finds the route a request asks for (RFC 9110 §9, §15.5.5, §15.5.6).
///
/// `Route` is whatever the caller wants back, usually an enum of what can be asked. Where several
/// patterns match, the one with a literal at the first place they differ is taken.
package struct Router<Route> {
    /// What a look-up finds.
    package enum Match {
        /// The route, and the segments captured by its pattern.
        case found(Route, RouteCaptures)
        /// The request is OPTIONS: what the target allows.
        case options(allow: [HTTPMethod])
        /// The target exists and does not know the method (405).
        case methodNotAllowed(allow: [HTTPMethod])
        /// Nothing matches the path (404).
        case notFound
    }

    /// A place in the tree of segments; patterns with the same beginning share their nodes.
    fileprivate struct Node {
        var literals: [(bytes: [UInt8], node: Int)] = []
        var capture: Int?
        var endpoint: Endpoint?
    }

    /// What is registered for one set of paths.
    fileprivate struct Endpoint {
        var routes: [(method: HTTPMethod, pattern: RoutePattern, route: Route)]
        var allow: [HTTPMethod]
    }

    private var nodes = [Node()]
    private var methods: Set<HTTPMethod> = []

    /// Creates a router without routes.
    package init() {}

    /// Registers a route.
    ///
    /// - Parameters:
    ///   - method: GET also answers HEAD. HEAD, OPTIONS, TRACE and CONNECT cannot be registered.
    ///   - pattern: The paths, see `RoutePattern`.
    ///   - route: What a look-up answers with.
    /// - Throws: Why the route is refused; the router is as before then.
    package mutating func register(
        _ method: HTTPMethod = .get,
        _ pattern: String,
        _ route: Route
    ) throws(RoutingError) {
        let pattern = try RoutePattern(pattern)
        guard method.isRouted else {
            throw .methodIsNotRouted(method: method, pattern: pattern.text)
        }
        if let index = find(pattern),
            let other = nodes[index].endpoint?.routes.first(where: { $0.method == method })
        {
            throw .duplicate(
                method: method,
                pattern: pattern.text,
                registered: other.pattern.text
            )
        }
        let index = makeNode(for: pattern)
        var endpoint = nodes[index].endpoint ?? Endpoint(routes: [], allow: [])
        endpoint.routes.append((method, pattern, route))
        endpoint.allow = Self.allowed(endpoint.routes.map(\.method))
        nodes[index].endpoint = endpoint
        methods.insert(method)
    }

    /// Finds what a request asks for.
    ///
    /// - Complexity: O(segments), times two for each place where a literal and a capture both lead
    ///   on. Allocates nothing; captured text is made when it is asked for.
    package func match(_ method: HTTPMethod, _ path: RequestPath) -> Match {
        if path.isAsterisk { return .options(allow: Self.allowed(Array(methods))) }
        guard path.isWithinLimits, let endpoint = endpoint(for: path, segment: 0, node: 0) else {
            return .notFound
        }
        if method == .options { return .options(allow: endpoint.allow) }
        let wanted = method == .head ? .get : method
        guard let entry = endpoint.routes.first(where: { $0.method == wanted }) else {
            return .methodNotAllowed(allow: endpoint.allow)
        }
        return .found(entry.route, RouteCaptures(of: entry.pattern, in: path))
    }

    private func endpoint(for path: RequestPath, segment: Int, node: Int) -> Endpoint? {
        guard segment < path.count else { return nodes[node].endpoint }
        for literal in nodes[node].literals where path.segment(segment, equals: literal.bytes) {
            let found = endpoint(for: path, segment: segment + 1, node: literal.node)
            if let found { return found }
        }
        guard let capture = nodes[node].capture, !path.isSegmentEmpty(segment) else { return nil }
        return endpoint(for: path, segment: segment + 1, node: capture)
    }

    /// The node where a pattern ends; nil when no pattern has come this way.
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

    /// The methods of an Allow field: HEAD beside GET, OPTIONS always, in one fixed order.
    private static func allowed(_ methods: [HTTPMethod]) -> [HTTPMethod] {
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

extension Router: Sendable where Route: Sendable {}
extension Router.Node: Sendable where Route: Sendable {}
extension Router.Endpoint: Sendable where Route: Sendable {}
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
