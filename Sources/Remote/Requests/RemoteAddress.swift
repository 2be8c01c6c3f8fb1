/// An absolute `http` or `https` address, checked against the grammar (RFC 3986).
///
/// Characters such as `ä` or `[` are percent-encoded, because users and servers write them
/// unencoded. Spaces, control characters, user names and other schemes are rejected.
public struct RemoteAddress: Hashable, Sendable {
    /// The scheme of an address.
    public enum Scheme: String, Hashable, Sendable {
        /// Unencrypted HTTP.
        case http
        /// HTTP over TLS.
        case https

        /// The default port of the scheme.
        var standardPort: Int { self == .http ? 80 : 443 }
    }

    /// The scheme.
    public let scheme: Scheme
    /// The host name in lower case, or the IP address.
    ///
    /// IPv6 addresses are in brackets.
    public let host: String
    /// The port, 1...65535.
    public let port: Int
    /// The percent-encoded path, which begins with `/`.
    public let path: String
    /// The percent-encoded query after the `?`, or nil.
    public let query: String?

    init(scheme: Scheme, host: String, port: Int, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
    }

    /// Parses an address.
    ///
    /// A fragment is dropped.
    ///
    /// - Throws: ``RemoteError/invalidAddress(_:)``.
    public init(_ text: String) throws(RemoteError) {
        guard let address = Self.absolute(text) else { throw .invalidAddress(text) }
        self = address
    }

    /// Resolves a reference that a response from this address contains (RFC 3986 §5.2).
    ///
    /// - Throws: ``RemoteError/invalidAddress(_:)``, also for another scheme.
    public func resolving(_ reference: String) throws(RemoteError) -> RemoteAddress {
        guard let address = resolved(reference) else { throw .invalidAddress(reference) }
        return address
    }

    /// The origin: scheme, host and port.
    package var origin: String { "\(scheme.rawValue)://\(host):\(port)" }

    /// Whether two addresses have the same origin: scheme, host and port.
    package func isSameOrigin(as other: RemoteAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }
}

extension RemoteAddress: CustomStringConvertible {
    /// The address as sent, including secrets.
    ///
    /// Logs must use ``masked``.
    public var description: String { text(query: query) }

    func text(query: String?) -> String {
        let port = port == scheme.standardPort ? "" : ":\(port)"
        return "\(scheme.rawValue)://\(host)\(port)\(path)" + (query.map { "?" + $0 } ?? "")
    }
}

extension RemoteAddress {
    /// Returns the address with an extended path and query.
    ///
    /// - Parameters:
    ///   - tail: The path to append after one `/`. Empty leaves the path unchanged.
    ///   - items: The query items to append, not encoded yet.
    /// - Returns: The extended address.
    /// - Throws: ``RemoteError/invalidAddress(_:)`` if the tail is not valid in a path.
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

    /// Returns the address with these query items replaced or added.
    ///
    /// The other items stay.
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
