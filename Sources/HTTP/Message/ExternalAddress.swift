/// The parts of a request's URL as the client sees it, where they differ from the request.
package struct ExternalAddress: Hashable, Sendable {
    package var basePath = BasePath.root
    /// Whether the proxy passes ``basePath`` on in the path.
    ///
    /// The proxy may have removed it, so paths that are not below it are valid too.
    package var isInPath = false
    /// `http` or `https`; nil if no proxy states it.
    package var scheme: String?
    /// As the client used it; nil if no proxy states it.
    package var authority: String?

    package init() {}

    package static func isAuthority(_ text: String) -> Bool { Authority.isValid(text.utf8.span) }
}

extension HTTPRequest {
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

    package var basePath: BasePath { external?.basePath ?? .root }
}
