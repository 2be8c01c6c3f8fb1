import Locks
import Synchronization

/// The state of a server, readable from any thread.
///
/// Create it with the configuration and pass it to handlers. A readiness probe responds 503 while
/// the server drains.
public final class HTTPServerState: Sendable {
    enum Phase: Int, Comparable {
        case serving
        case leaving
        case draining
        case stopping

        static func < (first: Phase, second: Phase) -> Bool { first.rawValue < second.rawValue }
    }

    private let loops = Locked<[LoopMetrics]>([])
    private let rawPhase = Atomic<Int>(Phase.serving.rawValue)

    /// Creates the state of a running server.
    public init() {}

    /// Whether the server is about to stop, so that every response closes its connection.
    ///
    /// It still accepts connections until `HTTPServer.Configuration.drainDelay` has passed.
    public var isDraining: Bool { phase > .serving }

    func add(_ measures: LoopMetrics) { loops.withLock { $0.append(measures) } }

    var turns: [Int] { loops.withLock { loops in loops.map { $0.turns.value } } }

    package var totals: HTTPServerTotals {
        loops.withLock { loops in
            loops.reduce(into: HTTPServerTotals()) { totals, loop in
                let closed = loop.closed.value
                totals.connections += loop.opened.value
                totals.openConnections += loop.opened.value - closed
                totals.sentBytes += loop.sentBytes.value
                totals.receivedBytes += loop.receivedBytes.value
            }
        }
    }

    var phase: Phase {
        switch rawPhase.load(ordering: .acquiring) {
        case Phase.serving.rawValue: .serving
        case Phase.leaving.rawValue: .leaving
        case Phase.draining.rawValue: .draining
        default: .stopping
        }
    }

    func advance(to phase: Phase) {
        _ = rawPhase.max(phase.rawValue, ordering: .acquiringAndReleasing)
    }
}
