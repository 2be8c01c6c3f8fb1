import HTTP

/// Who sends a request: who is at the other end, or whom a proxy there names that is believed.
struct ProxiedSender {
    private static let forwardedFor: FieldName = "x-forwarded-for"
    private static let forwardedUser: FieldName = "x-forwarded-user"

    /// Tells clients apart; nil where they cannot be.
    let client: UInt64?
    /// Who the proxy says it is; nil where none does.
    let user: String?

    /// Finds out who sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - peer: Who is at the other end; nil where that is not known.
    ///   - trusted: The addresses of the proxies that are believed.
    init(_ request: borrowing HTTPRequest, _ peer: HTTPPeer?, _ trusted: Set<String>) {
        guard let peer, trusted.contains(peer.address) else {
            client = peer?.network
            user = nil
            return
        }
        user = request.field(Self.forwardedUser)
        // The last one is the proxy's own; those before it are what its client has sent.
        let addresses = request.field(Self.forwardedFor)?.split(separator: ",") ?? []
        client = addresses.last.map(Self.number) ?? peer.network
    }

    /// A number for an address, the same for all of the network of 64 bits that an IPv6 address
    /// written out belongs to (FNV-1a).
    private static func number(_ address: Substring) -> UInt64 {
        let text = address.filter { $0 != " " }
        let groups = text.split(separator: ":", omittingEmptySubsequences: false).prefix(4)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in groups.joined(separator: ":").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return hash
    }
}
