import Locks

/// The counters of one loop, which only the loop writes and any thread reads.
final class LoopMeasures: Sendable {
    /// The connections it has accepted.
    let opened = LoopCount()
    /// The connections that are closed.
    let closed = LoopCount()
    /// The bytes that the kernel has taken.
    let sentBytes = LoopCount()
    /// The bytes it has received.
    let receivedBytes = LoopCount()
    /// The iterations it has begun.
    let turns = LoopCount()
}

/// The sums of a server's counters since its start.
package struct HTTPServerTotals: Sendable {
    /// The connections that were accepted.
    package var connections = 0
    /// The connections that are open.
    package var openConnections = 0
    /// The bytes of all responses that the kernel has taken.
    package var sentBytes = 0
    /// The bytes of all requests.
    package var receivedBytes = 0

    /// Creates totals of zero.
    package init() {}
}
