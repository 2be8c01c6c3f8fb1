import HTTP

/// The hosts a server answers for; every other is answered 421 (RFC 9110 §7.4).
///
/// Keeps a page that has rebound its own name to this machine from reading lists.
package struct AllowedHosts: Hashable, Sendable {
    private let hosts: Set<String>

    /// Reads names or addresses with commas between, each with or without a port; nil when one of
    /// them is neither.
    package init?(_ text: String) {
        let hosts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard hosts.allSatisfy(Self.isAuthority) else { return nil }
        self.hosts = Set(hosts.map { Self.canonical($0) })
    }

    /// Whether a host is allowed: as it is with its port, or without it.
    ///
    /// - Parameter authority: Host and port as sent; nil, from HTTP/1.0, is allowed.
    /// - Returns: Whether the request may be answered.
    package func contains(_ authority: String?) -> Bool {
        guard let authority else { return true }
        let canonical = Self.canonical(authority)
        return hosts.contains(canonical) || hosts.contains(Self.canonical(Self.host(of: canonical)))
    }

    /// Whether a text is a host with an optional port.
    static func isAuthority(_ text: String) -> Bool {
        do {
            _ = try HTTPRequest(.get, "/", fields: [(.host, text)])
            return true
        } catch {
            return false
        }
    }

    /// In lower case and without the dot that ends a complete name.
    private static func canonical(_ authority: String) -> String {
        let lowercased = authority.lowercased()
        let host = host(of: lowercased)
        guard host.hasSuffix("."), host.count > 1 else { return lowercased }
        return "\(host.dropLast())\(lowercased.dropFirst(host.count))"
    }

    private static func host(of authority: String) -> String {
        if authority.hasPrefix("[") {
            return String(authority.prefix { $0 != "]" }) + "]"
        }
        return String(authority.prefix { $0 != ":" })
    }
}
