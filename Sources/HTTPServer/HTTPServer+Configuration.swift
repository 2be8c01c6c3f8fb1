public import HTTP

extension HTTPServer {
    /// Where a server listens and how it behaves.
    public struct Configuration: Sendable {
        /// An IPv4 or IPv6 address or a name; `0.0.0.0` for every interface, `::` for every
        /// interface with IPv4 as well; `unix:` and a path for a Unix socket, which has no port.
        ///
        /// Default `127.0.0.1`. A name with several addresses is listened to on each. The file of a
        /// Unix socket has the rights that the umask leaves of 0777; it is removed at the end, and
        /// one that a dead server has left is replaced.
        public var host = "127.0.0.1"

        /// The port, 0 for any free one.
        ///
        /// Default 8080.
        public var port: UInt16 = 8_080

        /// How many listening sockets are taken over from a service manager, from descriptor 3 on,
        /// instead of listening at `host` and `port` (sd_listen_fds(3)).
        ///
        /// Default 0.
        public var inheritedSockets = 0

        /// The threads that serve, each with an event loop and a handler of its own.
        ///
        /// Default nil: one per processor the process may use. At least 1.
        public var loops: Int?

        /// The bounds every connection is held to.
        public var limits = HTTPLimits()

        /// How long connections are still taken once the server is stopped, while its state says that
        /// it drains, so that load balancers can turn away from it.
        ///
        /// Default 0.
        public var drainDelay: Duration = .zero

        /// The longest time connections are given to finish once the server is stopped.
        ///
        /// Default 10 s. Exceeded: they are reset.
        public var drainTimeout: Duration = .seconds(10)

        /// Called when SIGHUP arrives, on a loop's thread; must not block.
        ///
        /// Default nil: SIGHUP does nothing where signals are handled.
        public var onHangup: (@Sendable () -> Void)?

        /// Called on a loop's thread when no loop has had an event for ``restDelay``; must not block.
        ///
        /// Default nil. Called again only after there was one.
        package var onRest: (@Sendable () -> Void)?

        /// How long nothing happens before the server rests.
        ///
        /// Default 5 s.
        package var restDelay: Duration = .seconds(5)

        /// Whether SIGTERM and SIGINT stop the server and SIGHUP does not.
        ///
        /// Default true. The first signal drains, the second stops at once. The handlers are those of
        /// the process while the server runs, and the former ones are restored after it.
        public var handlesSignals = true

        /// Whether a handler that wants to know who asks is told.
        ///
        /// Default false: only the access log is told, where there is one.
        package var tellsPeers = false

        /// Servers that run beside this one, each on a thread of its own, from its start to its end;
        /// they handle no signals.
        package var companions: [HTTPServer] = []

        /// Where a handler can see that the server drains.
        public var state = HTTPServerState()

        /// Told of every answer once it is complete; called on the loops' threads.
        ///
        /// Default nil: no log, and nothing is measured.
        public var accessLog: (@Sendable (AccessRecord) -> Void)?

        /// Told of what an operator should know; called on the loops' threads, at most a few times
        /// a second but for handlers that fail.
        ///
        /// Default nil.
        public var eventLog: (@Sendable (ServerEvent) -> Void)?

        /// Creates the default configuration.
        public init() {}
    }
}

/// One answer, for the access log.
public struct AccessRecord: Sendable {
    /// The method; nil for a request that was refused before it was understood.
    public var method: HTTPMethod?

    /// The request target as sent; empty for a request that was refused.
    public var target: String

    /// The name of the request, if the handler gave it one by the field X-Request-Id.
    public var requestID: String?

    /// The answer's status.
    public var status: HTTPStatus

    /// The bytes of the answer's body; for a stream, all bytes given to the kernel for it.
    public var bodyBytes: Int

    /// The time from the complete request to the answer handed to the connection; for a stream, to
    /// its last byte.
    public var duration: Duration

    /// The time that the complete request waited for its turn on the loop.
    public var queued: Duration

    /// Whether the connection ended before a stream was complete.
    public var isAborted: Bool

    /// The address at the other end of the connection, in numbers and without a port; `unix:` for a
    /// Unix socket.
    public var client: String?

    /// The field User-Agent; nil without it, and for a request that was refused.
    public var userAgent: String?

    /// The field Referer; nil without it, and for a request that was refused.
    public var referrer: String?

    /// The version of the request; nil for one that was refused.
    public var version: HTTPVersion?

    /// What the handler has told of the answer.
    package var note: HTTPAnswerNote?
}

/// What an operator should know of a running server.
public enum ServerEvent: Sendable {
    /// A handler threw; the client got a problem of status 500.
    case handlerFailed(method: HTTPMethod, target: String, error: any Error)

    /// The stream of an answer threw after so many bytes; the connection was reset, so that the client
    /// knows that it has a part.
    case streamFailed(method: HTTPMethod, target: String, bodyBytes: Int, error: any Error)

    /// Connections are not taken for a while: the kernel has no descriptor or memory for them.
    case acceptingPaused(code: Int32)

    /// A client has as many connections as one address may have, and was refused another; told once
    /// a second at most.
    case addressAtLimit(host: String)

    /// So many connections are open as one loop may have: idle ones are closed for new ones, or new
    /// ones wait; told once a second at most by each loop.
    case connectionsAtLimit(maximum: Int)

    /// Clients leave more bytes of answers untaken than may be held, and those that have taken nothing
    /// for the longest are reset; told once a second at most.
    case answersAtLimit(bytes: Int)

    /// The server is to be stopped, and still takes connections for this time.
    case leavingBegan(for: Duration)

    /// Draining has begun, with so many connections open on one of the loops.
    case drainingBegan(loop: Int, openConnections: Int)
}
