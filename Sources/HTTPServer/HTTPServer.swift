import Glibc
public import HTTP
import Locks
import Synchronization
import System

/// A server of HTTP/1.1 and HTTP/1.0 over TCP, with one independent event loop per thread.
///
/// ```swift
/// var configuration = HTTPServer.Configuration()
/// configuration.port = 8080
/// let server = try HTTPServer(configuration) { _ in HelloHandler() }
/// try server.run()
/// ```
public final class HTTPServer: Sendable {
    /// An address the server listens on.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
        /// The numeric address, such as `127.0.0.1` or `::1`, or `unix:` and a path.
        public let host: String

        /// The port, 0 for a Unix socket.
        public let port: Int

        /// Whether it is a Unix socket.
        public var isUnixSocket: Bool { host.hasPrefix("unix:") }

        /// Whether only this machine reaches it through the network.
        public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

        /// The address with its port, as in a URL.
        public var description: String {
            if isUnixSocket { return host }
            return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    /// The end of a run.
    public enum Ending: Hashable, Sendable {
        /// Every response that was begun was completed.
        case drained

        /// Some connections had to be reset.
        case cut(connections: Int)
    }

    /// Every address the server listens on, with port 0 for Unix sockets only.
    public let addresses: [Address]

    /// The port of the first address.
    public var port: Int { addresses[0].port }

    private let configuration: Configuration
    private let makeHandler: @Sendable (_ loop: Int) throws -> any HTTPHandler
    private let maximumConnectionsPerLoop: Int
    private let addressCounts: PerAddressLimit?
    let lastingStreams: StreamLimiter

    package var openStreams: Int { lastingStreams.openCount }

    private let socketFile: SocketFile?

    package var loopCount: Int { wakeUps.count }

    package var turns: [Int] { configuration.state.turns }

    package var isDraining: Bool { configuration.state.isDraining }

    package func wakeLoops() { for wakeUp in wakeUps { wakeUp.wake() } }

    /// A loop takes them over when it starts.
    private let listeners: [[SharedListener]]

    private let wakeUps: [EventFD]

    /// The number of loops that are resting; see ``Configuration/onIdle``.
    let restingLoops = Atomic(0)

    private let hasRun = Atomic(false)
    private let cutConnections = Atomic(0)

    /// Binds the addresses; clients can connect from now on, and are served by `run()`.
    ///
    /// - Parameters:
    ///   - configuration: The addresses and the behaviour.
    ///   - makeHandler: Makes the handler of a loop, on the loop's thread.
    /// - Throws: The reason why the server cannot start.
    public init(
        _ configuration: Configuration,
        makeHandler: @escaping @Sendable (_ loop: Int) throws -> any HTTPHandler
    ) throws(ServerError) {
        let loops = configuration.loops ?? Processors.usableCount
        precondition(loops >= 1, "\(loops) loops")
        do throws(HTTPLimitError) {
            try configuration.limits.validate()
        } catch {
            throw .invalidLimit(error)
        }
        let maximum = configuration.limits.maximumConnections
        let connections = try ConnectionLimit.connections(wanted: maximum)
        maximumConnectionsPerLoop = max(1, connections / loops)
        lastingStreams = StreamLimiter(configuration.limits, connections: connections)
        do throws(SystemError) {
            var wakeUps: [EventFD] = []
            for _ in 0..<loops { wakeUps.append(try EventFD()) }
            self.wakeUps = wakeUps
        } catch {
            throw ServerError(error)
        }
        addressCounts = configuration.limits.maximumConnectionsPerAddress
            .map { PerAddressLimit(maximum: $0) }
        let bound = try SharedListener.bind(configuration, loops: loops)
        listeners = bound.listeners
        addresses = bound.addresses
        socketFile = bound.socketFile
        self.configuration = configuration
        self.makeHandler = makeHandler
    }

    /// Serves until the server is stopped, on the calling thread and on one thread per further
    /// loop.
    ///
    /// May be called once. The process ignores SIGPIPE and SIGXFSZ from then on.
    ///
    /// - Returns: Whether every response that was begun was completed.
    /// - Throws: The error of `makeHandler`, or the error that ended a loop. All loops have ended
    ///   then.
    @discardableResult
    public func run() throws -> Ending {
        let isSecondRun = hasRun.exchange(true, ordering: .acquiringAndReleasing)
        precondition(!isSecondRun, "a server runs once")
        // A file is sent by a call that cannot suppress SIGPIPE after a client has disconnected.
        Signals.ignoreFailedWrites()
        let signals = configuration.handlesSignals ? try Signals.ofServer() : nil
        // A signal that arrives while the last loop ends still finds its handler.
        defer { withExtendedLifetime(signals) {} }
        let failure = Locked<(any Error)?>(nil)
        var threads = ThreadGroup()
        for companion in configuration.companions {
            do {
                try threads.start(named: "http-beside") { [self] in
                    do { try companion.run() } catch {
                        failure.withLock { $0 = $0 ?? error }
                        stopAtOnce()
                    }
                }
            } catch {
                failure.withLock { $0 = error }
                stopAtOnce()
            }
        }
        for loop in 1..<max(1, wakeUps.count) {
            do {
                try threads.start(named: "http-loop-\(loop)") { [self] in
                    serve(loop, signals: nil, failure: failure)
                }
            } catch {
                failure.withLock { $0 = error }
                stopAtOnce()
                break
            }
        }
        serve(0, signals: signals, failure: failure)
        for companion in configuration.companions { companion.stopAtOnce() }
        threads.join()
        socketFile?.remove()
        if let error = failure.withLock({ $0 }) { throw error }
        let cut = cutConnections.load(ordering: .acquiring)
        return cut == 0 ? .drained : .cut(connections: cut)
    }

    /// Drains the server, from any thread.
    ///
    /// After the drain delay nothing more is accepted and idle connections are closed. Other
    /// connections finish within the drain timeout, then `run()` returns.
    public func stop() {
        configuration.state.advance(to: configuration.drainDelay > .zero ? .leaving : .draining)
        wakeLoops()
    }

    /// Stops at once, from any thread: all connections are reset and `run()` returns.
    public func stopAtOnce() {
        configuration.state.advance(to: .stopping)
        wakeLoops()
    }

    /// Serves on the calling thread until the loop ends, and stops the others if it fails.
    private func serve(
        _ index: Int,
        signals: Signals?,
        failure: Locked<(any Error)?>
    ) {
        do {
            var loop = try EventLoop(
                index: index,
                server: self,
                configuration: configuration,
                maximumConnections: maximumConnectionsPerLoop,
                maximumUnsentBytes: configuration.limits.maximumUnsentBytes / wakeUps.count,
                addressCounts: addressCounts,
                listeners: listeners[index],
                wakeUp: wakeUps[index],
                signals: signals,
                handler: try makeHandler(index)
            )
            let cut = try loop.run()
            cutConnections.add(cut, ordering: .acquiringAndReleasing)
        } catch {
            failure.withLock { $0 = $0 ?? error }
            stopAtOnce()
        }
    }
}
