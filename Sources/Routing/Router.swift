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

    /// Knows no type of the caller's: to look a path up where one is involved took four times the
    /// instructions.
    private var tree = RouteTree()
    /// What the tree names by positions.
    private var routes: [Route] = []
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

    /// Finds what a request asks for.
    ///
    /// - Complexity: O(segments), times two for each place where a literal and a capture both lead
    ///   on. Allocates nothing; captured text is made when it is asked for.
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
