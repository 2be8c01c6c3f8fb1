import HTTP
import Locks

/// The counters of one loop, which only the loop writes and any thread reads.
final class LoopMetrics: Sendable {
    let opened = ThreadLocalCounter()
    let closed = ThreadLocalCounter()
    /// The bytes that the kernel has taken.
    let sentBytes = ThreadLocalCounter()
    let receivedBytes = ThreadLocalCounter()
    let turns = ThreadLocalCounter()
}

package struct HTTPServerTotals: Sendable {
    package var connections = 0
    package var openConnections = 0
    /// Bytes that the kernel has taken.
    package var sentBytes = 0
    package var receivedBytes = 0

    package init() {}
}

/// A limiter that allows an event once in each second of the clock.
struct LogThrottle {
    private var last: Int64?

    /// An allowed event counts as done.
    mutating func isDue(at time: HTTPTime) -> Bool {
        guard last != time.secondsSince1970 else { return false }
        last = time.secondsSince1970
        return true
    }
}
