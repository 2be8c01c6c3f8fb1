/// The parts of a request's address as the client sees it, where they differ from what was sent.
package struct ExternalAddress: Hashable, Sendable {
    /// The path below which the client reaches the service.
    package var basePath = BasePath.root
    /// Whether paths below ``basePath`` are sent as the client sees them.
    ///
    /// The proxy may have removed it: paths that are not below it are good, too.
    package var isInPath = false
    /// `http` or `https`; nil where no proxy says it.
    package var scheme: String?
    /// The host and port that the client asked for; nil where no proxy says it.
    package var authority: String?

    /// Creates the address of a request that came as it was sent.
    package init() {}

    /// Whether a text is a host with an optional port.
    package static func isAuthority(_ text: String) -> Bool { Authority.isValid(text.utf8.span) }
}

extension HTTPRequest {
    /// The request as the service answers it: its path freed of the base path.
    package borrowing func addressed(at external: ExternalAddress) -> HTTPRequest {
        var request = copy self
        request.external = external
        // A request that waited comes again as it was answered before.
        if external.isInPath, self.external == nil, let depth = external.basePath.depth(in: path) {
            request.path.removeFirst(depth)
        }
        return request
    }

    /// The path below which the client reaches the service.
    package var basePath: BasePath { external?.basePath ?? .root }
}
