/// The parts of a request's URL as the client sees it, where they differ from the request.
package struct ExternalAddress: Hashable, Sendable {
    /// The path below which the client reaches the service.
    package var basePath = BasePath.root
    /// Whether the proxy passes ``basePath`` on in the path.
    ///
    /// The proxy may have removed it, so paths that are not below it are valid too.
    package var isInPath = false
    /// `http` or `https`; nil if no proxy states it.
    package var scheme: String?
    /// The host and port that the client used; nil if no proxy states them.
    package var authority: String?

    package init() {}

    /// Whether a text is a host with an optional port.
    package static func isAuthority(_ text: String) -> Bool { Authority.isValid(text.utf8.span) }
}

extension HTTPRequest {
    /// Returns the request with an external address, and with the base path removed from its path.
    package borrowing func addressed(at external: ExternalAddress) -> HTTPRequest {
        var request = copy self
        request.external = external
        request.hasExternalAddress = true
        // A request that was deferred comes a second time, with its path already shortened.
        if external.isInPath, self.external == nil, let depth = external.basePath.depth(in: path) {
            request.path.removeFirst(depth)
        }
        return request
    }

    /// The path below which the client reaches the service.
    package var basePath: BasePath { external?.basePath ?? .root }
}
