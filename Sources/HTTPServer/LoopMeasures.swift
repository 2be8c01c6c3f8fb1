import Locks

/// What a loop of the server counts; the loop alone writes to it, and any thread reads it.
final class LoopMeasures: Sendable {
    /// The connections it has taken.
    let opened = LoopCount()
    /// Those of them that are over.
    let closed = LoopCount()
    /// The bytes it has given to the kernel.
    let sentBytes = LoopCount()
    /// The bytes it has been given.
    let receivedBytes = LoopCount()
    /// The turns it has begun.
    let turns = LoopCount()
}

/// What a server has counted since it was started.
package struct HTTPServerTotals: Sendable {
    /// The connections that were taken.
    package var connections = 0
    /// Those that are open.
    package var openConnections = 0
    /// The bytes of all answers given to the kernel.
    package var sentBytes = 0
    /// The bytes of all requests.
    package var receivedBytes = 0

    /// Nothing was counted.
    package init() {}
}
