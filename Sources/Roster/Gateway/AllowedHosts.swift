import HTTP

/// The hosts a server answers for; every other is answered 421 (RFC 9110 §7.4).
///
/// Keeps a page that has rebound its own name to this machine from reading lists.
package struct AllowedHosts: Hashable, Sendable {
    /// The names and addresses of this machine alone: `localhost` and all below it (RFC 6761 §6.3),
    /// 127.0.0.0/8 and `[::1]`, with any port.
    package static let thisMachine = AllowedHosts(hosts: ["localhost", "[::1]"], areLoopback: true)

    private let hosts: Set<String>
    /// Whether further names and addresses are allowed that can only be this machine's.
    private let areLoopback: Bool

    private init(hosts: Set<String>, areLoopback: Bool) {
        self.hosts = hosts
        self.areLoopback = areLoopback
    }

    /// Reads names or addresses with commas between, each with or without a port; nil when one of
    /// them is neither.
    package init?(_ text: String) {
        let hosts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard hosts.allSatisfy(ExternalAddress.isAuthority) else { return nil }
        self.init(hosts: Set(hosts.map { Self.canonical($0) }), areLoopback: false)
    }

    /// What is told to who asks for another host.
    var refusal: String {
        areLoopback
            ? "This server answers for localhost, 127.0.0.1 and [::1] only; --allow-hosts names other "
                + "hosts."
            : "This server does not answer for the host that was asked."
    }

    /// Whether a host is allowed: as it is with its port, or without it.
    ///
    /// - Parameter authority: Host and port as sent; nil, from HTTP/1.0, is allowed.
    /// - Returns: Whether the request may be answered.
    package func contains(_ authority: String?) -> Bool {
        guard let authority else { return true }
        let canonical = Self.canonical(authority)
        let host = Self.canonical(Self.host(of: canonical))
        return hosts.contains(canonical) || hosts.contains(host)
            || areLoopback && (host.hasSuffix(".localhost") || Self.isLoopbackAddress(host))
    }

    /// Whether a host is an address of 127.0.0.0/8, as four numbers; a name may begin like one.
    private static func isLoopbackAddress(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.first?.isNumber == true && UInt8($0) != nil }
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
