import HTTP

extension ProxiedSender {
    /// The address that a trusted proxy names as its client's, for the log.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - peer: The other end of the connection; nil where it is not known.
    ///   - trusted: The addresses of the trusted proxies.
    /// - Returns: The last address of X-Forwarded-For; nil without it, and from other senders.
    static func address(
        _ request: borrowing HTTPRequest,
        _ peer: HTTPPeer?,
        _ trusted: Set<String>
    ) -> String? {
        guard !trusted.isEmpty, let peer, trusted.contains(peer.address),
            let last = request.field("x-forwarded-for")?.split(separator: ",").last
        else { return nil }
        let address = last.drop { $0 == " " }
        return String(address.prefix { $0 != " " })
    }
}
