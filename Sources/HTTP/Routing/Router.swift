/// A router, which finds the route of a request (RFC 9110 §9, §15.5.5, §15.5.6).
///
/// `Route` is the caller's type, usually an enum of resources. If several patterns match, the one
/// with a literal at the first difference is chosen.
package struct Router<Route> {
    /// The result of a lookup.
    package enum Match {
        /// The route, and the segments captured by its pattern.
        case found(Route, RouteCaptures)
        /// The request is OPTIONS, and the target allows these methods.
        case options(allow: [HTTPMethod])
        /// The target exists and does not support the method (405).
        case methodNotAllowed(allow: [HTTPMethod])
        /// Nothing matches the path (404).
        case notFound
    }

    /// The tree is not generic, because a lookup through a generic type is much slower.
    private var tree = RouteTree()
    /// The routes, to which the tree refers by index.
    private var routes: [Route] = []
    private var methods: Set<HTTPMethod> = []

    /// Creates a router without routes.
    package init() {}

    /// Registers a route.
    ///
    /// - Parameters:
    ///   - method: GET also covers HEAD. HEAD, OPTIONS, TRACE, QUERY and CONNECT cannot be
    ///     registered.
    ///   - pattern: The paths, see `RoutePattern`.
    ///   - route: The result of a lookup.
    /// - Throws: The reason for refusing the route. The router is unchanged then.
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

    /// Finds the route of a request.
    ///
    /// - Complexity: O(segments), times two for each segment where both a literal and a capture
    ///   match. It allocates nothing: captured text is made when it is read.
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
