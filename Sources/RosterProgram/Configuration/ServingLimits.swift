import HTTP
import HTTPServer
import ListAPI
import Listings

package struct ServingLimits: Hashable, Sendable {
    var headTimeout = Duration.seconds(10)
    var bodyTimeout = Duration.seconds(10)
    /// The time an idle connection stays open.
    ///
    /// It exceeds the 60 s of common load balancers, so that they close first and never use a
    /// closed connection.
    var idleTimeout = Duration.seconds(75)
    var writeTimeout = Duration.seconds(20)
    var bodyKibibytes = 1_024
    var readingTimes = ReadingTimes()
    var readQueue = 1_000
    /// The maximum size of the writes that wait for a thread, in mebibytes.
    var writeQueue = 64
    var writeWait = Duration.seconds(5)

    /// Applies the limits to the server's connections.
    ///
    /// The handler timeout covers reading a page. It also covers a write, which waits for a worker,
    /// for an import and for another program. A client thus gets no timeout for a write that is done
    /// later.
    func apply(to limits: inout HTTPLimits) {
        limits.headTimeout = headTimeout
        limits.bodyTimeout = bodyTimeout
        limits.idleTimeout = idleTimeout
        limits.writeTimeout = writeTimeout
        limits.maximumBodyBytes = bodyKibibytes << 10
        let times = [readingTimes.rows ?? .seconds(10), readingTimes.counts, readingTimes.facets]
        let waiting = ServiceWorkers.longestReadWait + .seconds(10)
        let reading = times.reduce(waiting) { $0 + ($1 ?? .zero) }
        let writing = writeWait * 3 + .seconds(10)
        limits.handlerTimeout = max(limits.handlerTimeout, reading, writing)
    }
}

extension ServiceWorkers {
    convenience init(_ limits: ServingLimits) {
        self.init(
            WorkerPool(threads: Self.readerThreads, maximumWaiting: limits.readQueue),
            maximumWritingBytes: limits.writeQueue << 20,
            longestWriteWait: limits.writeWait
        )
    }
}
