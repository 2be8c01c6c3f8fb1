package import HTTP

extension Middleware {
    /// The settings of a gateway.
    package struct Settings: Sendable {
        /// The hosts that the server serves.
        ///
        /// Default nil: all.
        package var allowedHosts: AllowedHosts?
        /// The origins whose pages may read responses.
        ///
        /// Default nil: only the service's own.
        package var crossOrigin: CrossOrigin?
        /// Whether responses carry a note for the access log.
        ///
        /// Default false.
        package var notesAnswers = false
        /// The limits of requests a second for each client.
        ///
        /// Default nil: no limit.
        package var rateLimits: RateLimits?
        /// The proxies whose fields about their clients are trusted.
        ///
        /// Default none.
        package var trustedProxies = TrustedProxies()
        /// The path below which clients reach the service, where no proxy names another one.
        ///
        /// Default `/`.
        package var basePath = BasePath.root

        package init() {}
    }
}
