/// Who is at the other end of a connection.
package struct HTTPPeer: Hashable, Sendable {
    /// The address in numbers, without a port; `unix:` for a Unix socket.
    package let address: String
    /// What tells clients apart: see `SocketAddress.network`; nil for a Unix socket.
    package let network: UInt64?

    /// Names who is there.
    package init(address: String, network: UInt64?) {
        self.address = address
        self.network = network
    }
}

/// A handler that wants to know whose request it answers.
package protocol HTTPPeerHandler: HTTPHandler {
    /// Who sent the request that comes next; nil where that is not known.
    var peer: HTTPPeer? { get set }
}
