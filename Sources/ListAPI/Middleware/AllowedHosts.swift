import HTTP
import Rendering

/// The hosts that a server serves; requests for any other host get 421 (RFC 9110 §7.4).
///
/// The check prevents DNS rebinding: a page whose name resolves to this machine cannot read lists.
package struct AllowedHosts: Hashable, Sendable {
    /// `localhost` and all names below it (RFC 6761 §6.3), 127.0.0.0/8 and `[::1]`, with any port.
    package static let thisMachine = AllowedHosts(hosts: ["localhost", "[::1]"], areLoopback: true)

    private let hosts: Set<String>
    private let areLoopback: Bool

    private init(hosts: Set<String>, areLoopback: Bool) {
        self.hosts = hosts
        self.areLoopback = areLoopback
    }

    /// Reads names or addresses between commas, with or without ports; nil for anything else.
    package init?(_ text: String) {
        let hosts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard hosts.allSatisfy(ExternalAddress.isAuthority) else { return nil }
        self.init(hosts: Set(hosts.map { Self.canonical($0) }), areLoopback: false)
    }

    var refusal: Text {
        areLoopback
            ? "This server responds for localhost, 127.0.0.1 and [::1] only; "
                + "--allow-hosts names other hosts."
            : "This server does not respond for the host of the request."
    }

    /// Nil, from HTTP/1.0, is allowed.
    package func contains(_ authority: String?) -> Bool {
        guard let authority else { return true }
        let canonical = Self.canonical(authority)
        let host = Self.canonical(Self.host(of: canonical))
        return hosts.contains(canonical) || hosts.contains(host)
            || areLoopback && (host.hasSuffix(".localhost") || Self.isLoopbackAddress(host))
    }

    /// Whether a host is an address of 127.0.0.0/8 with four numbers; a name may begin like one.
    private static func isLoopbackAddress(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.first?.isNumber == true && UInt8($0) != nil }
    }

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
