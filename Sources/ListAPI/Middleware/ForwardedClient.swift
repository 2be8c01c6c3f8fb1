import HTTP

struct ForwardedClient {
    private static let forwarded: FieldName = "forwarded"
    private static let forwardedFor: FieldName = "x-forwarded-for"
    private static let forwardedHost: FieldName = "x-forwarded-host"
    private static let forwardedPrefix: FieldName = "x-forwarded-prefix"
    private static let forwardedProto: FieldName = "x-forwarded-proto"
    private static let forwardedUser: FieldName = "x-forwarded-user"

    private static let unixSocket = UInt64.max

    /// A number that distinguishes clients; nil if they cannot be distinguished.
    private(set) var client: UInt64?
    /// The client's address, with a port if the proxy sends one; nil if no proxy names the client.
    private var node: Substring?
    private(set) var user: String?
    private var basePath: BasePath?
    private var authority: String?
    private var scheme: String?

    struct Fault: Error, Hashable {
        let field: String
        let allowed: String
    }

    init(_ peer: HTTPPeer? = nil) { client = peer?.address?.network }

    init(
        _ request: borrowing HTTPRequest,
        _ peer: HTTPPeer?,
        _ trusted: TrustedProxies
    ) throws(Fault) {
        self.init(peer)
        guard let peer, !trusted.isEmpty, trusted.contains(peer) else { return }
        user = Self.last(Self.forwardedUser, of: request).flatMap { $0.isEmpty ? nil : $0 }
        basePath = try Self.check(
            Self.last(Self.forwardedPrefix, of: request),
            "X-Forwarded-Prefix",
            BasePath.allowed
        ) { BasePath($0) }
        authority = try Self.check(
            Self.last(Self.forwardedHost, of: request),
            "X-Forwarded-Host",
            Self.allowedHost,
            Self.host
        )
        scheme = try Self.check(
            Self.last(Self.forwardedProto, of: request),
            "X-Forwarded-Proto",
            Self.allowedScheme,
            Self.scheme
        )
        let nodes = request.field(Self.forwardedFor)
        // A proxy that sets the older fields may pass on its client's Forwarded field.
        guard nodes == nil, authority == nil, scheme == nil, basePath == nil, user == nil,
            let field = request.field(Self.forwarded)
        else {
            let nodes = nodes?.split(separator: ",", omittingEmptySubsequences: false) ?? []
            let hops = nodes.map { ForwardedHop(node: $0.trimmingASCIIBlanks()) }
            _ = findClient(in: hops, trusted, peer)
            return
        }
        guard let hops = ForwardedHop.read(field) else {
            throw Fault(field: "Forwarded", allowed: "a list of elements such as for=10.0.0.7")
        }
        let hop = findClient(in: hops, trusted, peer)
        authority = try Self.check(hop?.host, "host of Forwarded", Self.allowedHost, Self.host)
        scheme = try Self.check(hop?.scheme, "proto of Forwarded", Self.allowedScheme, Self.scheme)
    }

    private static let allowedHost = "a host with an optional port"
    private static let allowedScheme = "http or https"

    private static func host(_ text: String) -> String? {
        ExternalAddress.isAuthority(text) ? text : nil
    }

    private static func scheme(_ text: String) -> String? {
        ["http", "https"].first { $0 == text.lowercased() }
    }

    /// Clients of a name that is no address (`unknown`, `_hidden`) count as the proxy that sent it.
    ///
    /// Returns the element of the trusted proxy nearest to the client; nil without any.
    private mutating func findClient(
        in hops: [ForwardedHop],
        _ trusted: TrustedProxies,
        _ peer: HTTPPeer
    ) -> ForwardedHop? {
        if peer.isUnixSocket { client = Self.unixSocket }
        var nearest: ForwardedHop?
        for hop in hops.reversed() {
            nearest = hop
            guard let address = hop.node.flatMap({ IPAddress(node: $0) }) else { break }
            client = address.network
            node = hop.node?[...]
            guard trusted.contains(address) else { break }
        }
        return nearest
    }

    var address: String? {
        guard let node else { return nil }
        if node.hasPrefix("[") { return String(node.dropFirst().prefix { $0 != "]" }) }
        let isIPv6 = node.utf8.count { $0 == UInt8(ascii: ":") } > 1
        return String(isIPv6 ? node : node.prefix { $0 != ":" })
    }

    private static func last(_ name: FieldName, of request: borrowing HTTPRequest) -> String? {
        let values = request.field(name)?.split(separator: ",", omittingEmptySubsequences: false)
        return values?.last?.trimmingASCIIBlanks()
    }

    private static func check<Value>(
        _ text: String?,
        _ location: String,
        _ allowed: String,
        _ parse: (String) -> Value?
    ) throws(Fault) -> Value? {
        guard let text else { return nil }
        guard let value = parse(text) else { throw Fault(field: location, allowed: allowed) }
        return value
    }

    /// The setting is the base path if no proxy names one; nil if nothing changes the parts.
    func externalAddress(_ setting: BasePath) -> ExternalAddress? {
        var external = ExternalAddress()
        external.basePath = basePath ?? setting
        // A proxy that names a prefix has removed it, except for the configured one.
        external.isInPath = !setting.isRoot && external.basePath == setting
        external.authority = authority
        external.scheme = scheme
        return external == ExternalAddress() ? nil : external
    }
}
