package import HTTP

extension Middleware {
    package struct Settings: Sendable {
        /// Nil allows all hosts.
        package var allowedHosts: AllowedHosts?
        /// Nil allows only the service's own origin.
        package var crossOrigin: CrossOrigin?
        /// Whether responses carry a note for the access log.
        package var notesAnswers = false
        package var rateLimits: RateLimits?
        package var trustedProxies = TrustedProxies()
        /// The path below which clients reach the service, where no proxy names another one.
        package var basePath = BasePath.root

        package init() {}
    }
}
