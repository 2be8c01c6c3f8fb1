import HTTP
import Locks

/// The counters of one loop, which only the loop writes and any thread reads.
final class LoopMetrics: Sendable {
    /// The connections it has accepted.
    let opened = ThreadLocalCounter()
    /// The connections that are closed.
    let closed = ThreadLocalCounter()
    /// The bytes that the kernel has taken.
    let sentBytes = ThreadLocalCounter()
    let receivedBytes = ThreadLocalCounter()
    /// The iterations it has begun.
    let turns = ThreadLocalCounter()
}

/// The sums of a server's counters since its start.
package struct HTTPServerTotals: Sendable {
    /// The connections that were accepted.
    package var connections = 0
    package var openConnections = 0
    /// The bytes of all responses that the kernel has taken.
    package var sentBytes = 0
    /// The bytes of all requests.
    package var receivedBytes = 0

    package init() {}
}

/// A limiter that allows an event once in each second of the clock.
struct LogThrottle {
    private var last: Int64?

    /// Whether the event is allowed now, and counts as done then.
    mutating func isDue(at time: HTTPTime) -> Bool {
        guard last != time.secondsSince1970 else { return false }
        last = time.secondsSince1970
        return true
    }
}
