import Glibc
public import HTTP
import Locks
import Sockets
import Synchronization

/// Serves HTTP/1.1 and HTTP/1.0 over TCP, with one event loop per thread and nothing shared between
/// them.
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
        /// The address in numbers, such as `127.0.0.1` or `::1`, or `unix:` and a path.
        public let host: String

        /// The port, 0 for a Unix socket.
        public let port: Int

        /// Whether it is a Unix socket.
        public var isUnixSocket: Bool { host.hasPrefix("unix:") }

        /// Whether only this machine reaches it by the network.
        public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

        /// The address with its port, as in a URL.
        public var description: String {
            if isUnixSocket { return host }
            return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    /// How a run ended.
    public enum Ending: Hashable, Sendable {
        /// Every answer that was begun was completed.
        case drained

        /// So many connections had to be reset.
        case cut(connections: Int)
    }

    /// Every address the server listens on; none has port 0 but Unix sockets.
    public let addresses: [Address]

    /// The port of the first address.
    public var port: Int { addresses[0].port }

    private let configuration: Configuration
    private let makeHandler: @Sendable (_ loop: Int) throws -> any HTTPHandler
    private let maximumConnectionsPerLoop: Int
    private let addressCounts: AddressCounts?
    let lastingStreams: LastingStreams

    /// How many streams without an end are open.
    package var openStreams: Int { lastingStreams.openCount }

    /// The file of a Unix socket that this server has made.
    private let socketFile: SocketFile?

    /// The number of loops.
    package var loopCount: Int { wakeUps.count }

    /// The turns that each loop has begun, those of loops that have started.
    package var turns: [Int] { configuration.state.turns }

    /// Whether the server has been stopped.
    package var isDraining: Bool { configuration.state.isDraining }

    /// Has every loop begin a turn, unless one does not answer.
    package func wakeLoops() { for wakeUp in wakeUps { wakeUp.wake() } }

    /// For each loop the listeners it takes over when it starts.
    private let listeners: [[SharedListener]]

    /// For each loop what ends its wait.
    private let wakeUps: [WakeUp]

    /// The loops that have had nothing to do for long; see ``Configuration/onRest``.
    let restingLoops = Atomic(0)

    private let hasRun = Atomic(false)
    private let cutConnections = Atomic(0)

    /// Binds the addresses; clients can connect from now on and are served when `run()` is called.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen and how to behave.
    ///   - makeHandler: Makes the handler of a loop, on the loop's thread.
    /// - Throws: Why the server cannot start.
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
        let connections = try ConnectionCap.connections(wanted: maximum)
        maximumConnectionsPerLoop = max(1, connections / loops)
        lastingStreams = LastingStreams(configuration.limits, connections: connections)
        do throws(SystemError) {
            var wakeUps: [WakeUp] = []
            for _ in 0..<loops { wakeUps.append(try WakeUp()) }
            self.wakeUps = wakeUps
        } catch {
            throw ServerError(error)
        }
        addressCounts = configuration.limits.maximumConnectionsPerAddress
            .map { AddressCounts(maximum: $0) }
        let bound = try SharedListener.bind(configuration, loops: loops)
        listeners = bound.listeners
        addresses = bound.addresses
        socketFile = bound.socketFile
        self.configuration = configuration
        self.makeHandler = makeHandler
    }

    /// Serves until the server is stopped, on the calling thread and, with more than one loop, on
    /// threads of its own.
    ///
    /// May be called once. The process ignores SIGPIPE from then on.
    ///
    /// - Returns: Whether every answer that was begun was completed.
    /// - Throws: What `makeHandler` throws, or what stopped a loop; every loop has ended then.
    @discardableResult
    public func run() throws -> Ending {
        let isSecondRun = hasRun.exchange(true, ordering: .acquiringAndReleasing)
        precondition(!isSecondRun, "a server runs once")
        // A file is sent by a call that cannot hold SIGPIPE back when a client has left.
        Signals.ignore(SIGPIPE)
        let signals = configuration.handlesSignals ? try Signals.ofServer() : nil
        // A signal that comes while the last loop ends still finds its handler.
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

    /// Drains from any thread: after the drain delay nothing more is accepted, idle connections are
    /// closed, what was begun is finished within the drain timeout, and `run()` returns.
    public func stop() {
        configuration.state.advance(to: configuration.drainDelay > .zero ? .leaving : .draining)
        wakeLoops()
    }

    /// Stops from any thread without waiting for what was begun: connections are reset and `run()`
    /// returns.
    public func stopAtOnce() {
        configuration.state.advance(to: .stopping)
        wakeLoops()
    }

    /// Serves on the calling thread until the loop ends; a loop that fails stops the others.
    private func serve(
        _ index: Int,
        signals: Signals?,
        failure: Locked<(any Error)?>
    ) {
        do {
            var loop = try ServerLoop(
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
