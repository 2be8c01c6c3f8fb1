package import HTTP

extension Gateway {
    /// The settings of a gateway.
    package struct Settings: Sendable {
        /// The hosts that are answered for.
        ///
        /// Default nil: all.
        package var allowedHosts: AllowedHosts?
        /// The origins whose pages may read the answers.
        ///
        /// Default nil: none but the own.
        package var crossOrigin: CrossOrigin?
        /// Whether the log is to be told what an answer is about.
        ///
        /// Default false.
        package var notesAnswers = false
        /// So many requests a second of each client.
        ///
        /// Default nil: as many as come.
        package var rateLimits: RateLimits?
        /// The proxies whose fields about their clients are believed.
        ///
        /// Default none.
        package var trustedProxies = TrustedProxies()
        /// The path below which clients reach the service, where no proxy names another one.
        ///
        /// Default `/`.
        package var basePath = BasePath.root

        /// The settings of a gateway that lets everybody in.
        package init() {}
    }
}
