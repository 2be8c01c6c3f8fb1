public import HTTP

extension HTTPServer {
    /// The addresses and the behaviour of a server.
    public struct Configuration: Sendable {
        /// An IPv4 or IPv6 address or a name.
        ///
        /// `0.0.0.0` means every interface, `::` every interface with IPv4 as well. `unix:` and a
        /// path is a Unix socket, which has no port.
        ///
        /// Default `127.0.0.1`. The server listens on every address of a name. The file of a Unix
        /// socket has the rights 0777 less the umask. It is removed at the end, and a file of a
        /// dead server is replaced.
        public var host = "127.0.0.1"

        /// The port, 0 for any free one.
        ///
        /// Default 8080.
        public var port: UInt16 = 8_080

        /// The number of listening sockets inherited from a service manager, from descriptor 3 on.
        ///
        /// They replace `host` and `port` (sd_listen_fds(3)).
        ///
        /// Default 0.
        public var inheritedSockets = 0

        /// The number of threads, each with its own event loop and handler.
        ///
        /// Default nil: one per processor the process may use. At least 1.
        public var loops: Int?

        /// The limits of every connection.
        public var limits = HTTPLimits()

        /// The time for which a stopping server still accepts connections.
        ///
        /// Its state reports draining meanwhile, so that load balancers can avoid it.
        ///
        /// Default 0.
        public var drainDelay: Duration = .zero

        /// The longest time for connections to finish once the server is stopped.
        ///
        /// Default 10 s. Exceeded: they are reset.
        public var drainTimeout: Duration = .seconds(10)

        /// A closure for SIGHUP, called on a loop's thread; must not block.
        ///
        /// Default nil: SIGHUP does nothing if signals are handled.
        public var onHangup: (@Sendable () -> Void)?

        /// A closure called on a loop's thread when no loop has had an event for ``idleDelay``.
        ///
        /// It must not block.
        ///
        /// Default nil. It is called again only after another event.
        package var onIdle: (@Sendable () -> Void)?

        /// The time without events after which the server rests.
        ///
        /// Default 5 s.
        package var idleDelay: Duration = .seconds(5)

        /// Whether SIGTERM and SIGINT stop the server, and SIGHUP does not.
        ///
        /// Default true. The first signal drains, the second stops at once. The signal handlers
        /// belong to the process while the server runs. The former ones are restored after it.
        public var handlesSignals = true

        /// Whether handlers receive the peer of each request.
        ///
        /// Default false: only the access log receives it, if there is one.
        package var identifiesPeers = false

        /// Servers that run for as long as this one, each on its own thread, and handle no signals.
        package var companions: [HTTPServer] = []

        /// The state of the server, in which a handler can see that it drains.
        public var state = HTTPServerState()

        /// A closure called after every complete response, on the loops' threads.
        ///
        /// Default nil: no log, and nothing is measured.
        public var accessLog: (@Sendable (AccessRecord) -> Void)?

        /// A closure for events that an operator should know, called on the loops' threads.
        ///
        /// Except for failing handlers it is called at most a few times a second.
        ///
        /// Default nil.
        public var eventLog: (@Sendable (ServerEvent) -> Void)?

        /// Creates the default configuration.
        public init() {}
    }
}

/// One response, for the access log.
public struct AccessRecord: Sendable {
    /// The method; nil for a request that was refused before it was parsed.
    public var method: HTTPMethod?

    /// The request target as sent; empty for a request that was refused.
    public var target: String

    /// The name of the request, if the response has a field X-Request-Id.
    public var requestID: String?

    /// The response's status.
    public var status: HTTPStatus

    /// The bytes of the response's body; for a stream, all bytes that the kernel has taken for it.
    public var bodyBytes: Int

    /// The time from the complete request until the response is passed to the connection.
    ///
    /// For a stream it ends with the last byte.
    public var duration: Duration

    /// The time that the complete request waited for the loop.
    public var queued: Duration

    /// Whether the connection ended before a stream was complete.
    public var isAborted: Bool

    /// The numeric address of the peer without a port, or `unix:` for a Unix socket.
    public var client: String?

    /// The field User-Agent; nil without it, and for a request that was refused.
    public var userAgent: String?

    /// The field Referer; nil without it, and for a request that was refused.
    public var referrer: String?

    /// The version of the request; nil for one that was refused.
    public var version: HTTPVersion?

    package var note: AccessLogMetadata?
}

/// An event that an operator of a running server should know.
public enum ServerEvent: Sendable {
    /// A handler threw, and the client received a problem of status 500.
    case handlerFailed(method: HTTPMethod, target: String, error: any Error)

    /// The stream of a response threw after `bodyBytes` bytes.
    ///
    /// The connection was reset, so that the client knows that the body is incomplete.
    case streamFailed(method: HTTPMethod, target: String, bodyBytes: Int, error: any Error)

    /// The server accepts no connections for a while: the kernel has no descriptor or memory for
    /// them.
    case acceptingPaused(code: Int32)

    /// A client address has the maximum number of connections, and another was refused.
    ///
    /// Reported at most once a second.
    case addressAtLimit(host: String)

    /// A loop has its maximum number of connections.
    ///
    /// It closes idle ones for new ones, or new ones wait. Each loop reports this at most once a
    /// second.
    case connectionsAtLimit(maximum: Int)

    /// Clients leave too many bytes of responses unread.
    ///
    /// Those that have read nothing for the longest time are reset. Reported at most once a second.
    case answersAtLimit(bytes: Int)

    /// The server is being stopped, and still accepts connections for this time.
    case leavingBegan(for: Duration)

    /// Draining has begun on one of the loops, with this number of connections open.
    case drainingBegan(loop: Int, openConnections: Int)
}
