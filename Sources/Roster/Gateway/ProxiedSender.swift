import HTTP

/// The sender of a request: the peer of its connection, or the client that trusted proxies name.
struct ProxiedSender {
    private static let forwarded: FieldName = "forwarded"
    private static let forwardedFor: FieldName = "x-forwarded-for"
    private static let forwardedHost: FieldName = "x-forwarded-host"
    private static let forwardedPrefix: FieldName = "x-forwarded-prefix"
    private static let forwardedProto: FieldName = "x-forwarded-proto"
    private static let forwardedUser: FieldName = "x-forwarded-user"

    /// The number of all clients that a proxy on a Unix socket does not tell apart.
    private static let unixSocket = UInt64.max

    /// Tells clients apart; nil where they cannot be.
    private(set) var client: UInt64?
    /// The address of the client without a port; nil where no proxy names one.
    private var node: Substring?
    /// The caller, as the proxy says; nil where none does.
    private(set) var user: String?
    /// The path below which the client reaches the service; nil where no proxy says it.
    private var basePath: BasePath?
    /// The host and port that the client asked for; nil where no proxy says it.
    private var authority: String?
    /// `http` or `https`; nil where no proxy says it.
    private var scheme: String?

    /// A field of a trusted proxy that cannot be read.
    struct Fault: Error, Hashable {
        let field: String
        let allowed: String
    }

    /// The peer itself, with no proxy before it.
    init(_ peer: HTTPPeer? = nil) { client = peer?.address?.network }

    /// Finds the sender of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - peer: The other end of its connection; nil where that is not known.
    ///   - trusted: The proxies that are believed.
    /// - Throws: ``Fault``.
    init(
        _ request: borrowing HTTPRequest,
        _ peer: HTTPPeer?,
        _ trusted: TrustedProxies
    ) throws(Fault) {
        self.init(peer)
        guard let peer, !trusted.isEmpty, trusted.contains(peer) else { return }
        user = request.field(Self.forwardedUser)
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
        // A proxy that sends the older fields may pass on what its client sent as Forwarded.
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

    /// Walks from the peer towards the client for as long as proxies are trusted.
    ///
    /// Behind a name that is no address (`unknown`, `_hidden`) clients cannot be told apart: they are
    /// counted as the proxy that sent it.
    ///
    /// - Returns: The element that the proxy nearest to the client has added; nil without any.
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

    /// The address that a trusted proxy names as its client's, for the log.
    var address: String? {
        guard let node else { return nil }
        if node.hasPrefix("[") { return String(node.dropFirst().prefix { $0 != "]" }) }
        let isIPv6 = node.utf8.count { $0 == UInt8(ascii: ":") } > 1
        return String(isIPv6 ? node : node.prefix { $0 != ":" })
    }

    /// The last value of a field, which is the one that the peer has added.
    private static func last(_ name: FieldName, of request: borrowing HTTPRequest) -> String? {
        let values = request.field(name)?.split(separator: ",", omittingEmptySubsequences: false)
        return values?.last?.trimmingASCIIBlanks()
    }

    private static func check<Value>(
        _ text: String?,
        _ place: String,
        _ allowed: String,
        _ parse: (String) -> Value?
    ) throws(Fault) -> Value? {
        guard let text else { return nil }
        guard let value = parse(text) else { throw Fault(field: place, allowed: allowed) }
        return value
    }

    /// The address of the request as its client sees it.
    ///
    /// - Parameter setting: The base path where no proxy names one.
    /// - Returns: The address; nil where the request came as it was sent.
    func externalAddress(_ setting: BasePath) -> ExternalAddress? {
        var external = ExternalAddress()
        external.basePath = basePath ?? setting
        // A proxy that names a prefix has removed it, but for the one that is expected.
        external.isInPath = !setting.isRoot && external.basePath == setting
        external.authority = authority
        external.scheme = scheme
        return external == ExternalAddress() ? nil : external
    }
}
