/// The patterns of a router, as a tree of segments.
struct RouteTree: Sendable {
    /// A route of one method and one pattern.
    struct Entry: Sendable {
        let method: HTTPMethod
        let pattern: RoutePattern
        /// The index of the router's route.
        let route: Int
    }

    /// The routes registered for one set of paths.
    struct Endpoint: Sendable {
        fileprivate(set) var entries: [Entry] = []
        /// The methods of an Allow field.
        fileprivate(set) var allow: [HTTPMethod] = []

        /// Returns the route of a method.
        func entry(for method: HTTPMethod) -> Entry? {
            for index in entries.indices where entries[index].method == method {
                return entries[index]
            }
            return nil
        }
    }

    /// A node in the tree of segments, shared by patterns with the same beginning.
    private struct Node {
        var literals: [(bytes: [UInt8], node: Int)] = []
        var capture: Int?
        var endpoint: Endpoint?
    }

    private var nodes = [Node()]

    /// Returns the endpoint for the paths of a pattern.
    func endpoint(of pattern: RoutePattern) -> Endpoint? {
        find(pattern).flatMap { nodes[$0].endpoint }
    }

    /// Adds a route.
    mutating func add(_ entry: Entry) {
        let index = makeNode(for: entry.pattern)
        var endpoint = nodes[index].endpoint ?? Endpoint()
        endpoint.entries.append(entry)
        endpoint.allow = Self.allowed(endpoint.entries.map(\.method))
        nodes[index].endpoint = endpoint
    }

    /// Returns the endpoint for a path.
    func endpoint(for path: borrowing RequestPath) -> Endpoint? {
        node(for: path, segment: 0, from: 0).flatMap { nodes[$0].endpoint }
    }

    /// Returns the index of the node with an endpoint to which a path leads.
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

    /// Returns the node where a pattern ends; nil if no added pattern begins like it.
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
