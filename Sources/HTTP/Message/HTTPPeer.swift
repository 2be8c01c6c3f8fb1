/// The other end of a connection.
package struct HTTPPeer: Hashable, Sendable {
    /// The address; nil for a Unix socket.
    package let address: IPAddress?
    /// The address as the log shows it.
    package let text: String
    /// Whether the connection came through a Unix socket.
    package let isUnixSocket: Bool

    /// Creates a peer.
    ///
    /// - Parameter address: The numeric address without a port, or a text with the prefix `unix:`.
    package init(address: String) {
        self.address = IPAddress(address)
        text = address
        isUnixSocket = address.hasPrefix("unix:")
    }
}

/// A handler that needs the peer of each request.
package protocol HTTPPeerHandler: HTTPHandler {
    /// The sender of the next request; nil if it is unknown.
    var peer: HTTPPeer? { get set }
}
