/// An absolute `http` or `https` address, checked against the grammar (RFC 3986).
///
/// Characters that a person or a careless server writes as they are, such as `ä` or `[`, are
/// percent-encoded; spaces, control characters, user names and every other scheme are refused.
public struct RemoteAddress: Hashable, Sendable {
    /// How a server is spoken to.
    public enum Scheme: String, Hashable, Sendable {
        /// In the clear.
        case http
        /// Over TLS.
        case https

        /// The port when none is named.
        var standardPort: Int { self == .http ? 80 : 443 }
    }

    /// How the server is spoken to.
    public let scheme: Scheme
    /// The server's name in lower case, or its address; IPv6 in brackets.
    public let host: String
    /// The port, 1...65535.
    public let port: Int
    /// The path, percent-encoded; begins with `/`.
    public let path: String
    /// What stands behind the `?`, percent-encoded; nil without one.
    public let query: String?

    init(scheme: Scheme, host: String, port: Int, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
    }

    /// Reads an address; a fragment is left out.
    ///
    /// - Throws: ``RemoteError/invalidAddress(_:)``.
    public init(_ text: String) throws(RemoteError) {
        guard let address = Self.absolute(text) else { throw .invalidAddress(text) }
        self = address
    }

    /// Reads a reference to another address as it stands in an answer from this one
    /// (RFC 3986 §5.2).
    ///
    /// - Throws: ``RemoteError/invalidAddress(_:)``, also for another scheme.
    public func resolving(_ reference: String) throws(RemoteError) -> RemoteAddress {
        guard let address = resolved(reference) else { throw .invalidAddress(reference) }
        return address
    }

    /// The server: scheme, host and port.
    package var origin: String { "\(scheme.rawValue)://\(host):\(port)" }

    /// Whether two addresses are of one server: scheme, host and port.
    package func isSameOrigin(as other: RemoteAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }
}

extension RemoteAddress: CustomStringConvertible {
    /// The address as it is sent, secrets and all; ``masked`` is for logs.
    public var description: String { text(query: query) }

    func text(query: String?) -> String {
        let port = port == scheme.standardPort ? "" : ":\(port)"
        return "\(scheme.rawValue)://\(host)\(port)\(path)" + (query.map { "?" + $0 } ?? "")
    }
}

extension RemoteAddress {
    /// The address with more below its path and in its query.
    ///
    /// - Parameters:
    ///   - tail: Joined to the path by one `/`; empty leaves the path alone.
    ///   - items: Appended to the query, encoded.
    /// - Returns: The longer address.
    /// - Throws: ``RemoteError/invalidAddress(_:)`` when the tail cannot stand in a path.
    func extended(
        path tail: String,
        query items: [Endpoint.QueryItem]
    ) throws(RemoteError) -> RemoteAddress {
        var path = path
        if !tail.isEmpty {
            guard let tail = Self.encoded(tail, in: .path) else { throw .invalidAddress(tail) }
            if !path.hasSuffix("/") { path += "/" }
            path += tail.hasPrefix("/") ? String(tail.dropFirst()) : tail
        }
        let parts = (query.map { [$0] } ?? []) + items.map(\.encoded)
        return RemoteAddress(
            scheme: scheme,
            host: host,
            port: port,
            path: Self.withoutDots(path),
            query: parts.isEmpty ? nil : parts.joined(separator: "&")
        )
    }

    /// The address with some items of its query set anew, the others as they are.
    func setting(_ items: [Endpoint.QueryItem]) -> RemoteAddress {
        let names = items.map { Endpoint.QueryItem($0.name, "").encoded }
        let kept = (query ?? "").split(separator: "&").map(String.init).filter { part in
            !names.contains { part.hasPrefix($0) }
        }
        return RemoteAddress(
            scheme: scheme,
            host: host,
            port: port,
            path: path,
            query: (kept + items.map(\.encoded)).joined(separator: "&")
        )
    }
}
