import HTTP
import HTTPServer
import ListAPI
import Listings

/// The limits of requests, from the settings.
package struct ServingLimits: Hashable, Sendable {
    /// The longest wait for the head of a request.
    var headTimeout = Duration.seconds(10)
    /// The longest wait for more of a body.
    var bodyTimeout = Duration.seconds(10)
    /// The time an idle connection stays open.
    ///
    /// It exceeds the 60 s of common load balancers, so that they close first and never use a
    /// closed connection.
    var idleTimeout = Duration.seconds(75)
    /// The longest wait for a client to take bytes.
    var writeTimeout = Duration.seconds(20)
    /// The maximum size of a body other than an import, in kibibytes.
    var bodyKibibytes = 1_024
    /// The time budgets of reading.
    var readingTimes = ReadingTimes()
    /// The maximum number of reads of a client that wait for a thread.
    var readQueue = 1_000
    /// The maximum size of the writes that wait for a thread, in mebibytes.
    var writeQueue = 64
    /// The longest wait of a write for other writers.
    var writeWait = Duration.seconds(5)

    /// Applies the value of a setting.
    ///
    /// - Throws: ``ConfigurationError/invalidValue(_:value:allowed:)`` with the name of the origin.
    mutating func set(
        _ key: Option.Key,
        to value: String,
        origin: String
    ) throws(ConfigurationError) {
        func number(_ range: ClosedRange<Int>, _ unit: String) throws(ConfigurationError) -> Int {
            try Configuration.number(value, origin, range, of: unit)
        }
        func seconds(_ range: ClosedRange<Int>) throws(ConfigurationError) -> Duration {
            .seconds(try number(range, "seconds"))
        }
        func milliseconds(_ range: ClosedRange<Int>) throws(ConfigurationError) -> Duration {
            .milliseconds(try number(range, "milliseconds"))
        }
        switch key {
        case .headTimeout: headTimeout = try seconds(1...600)
        case .bodyTimeout: bodyTimeout = try seconds(1...600)
        case .idleTimeout: idleTimeout = try seconds(1...3_600)
        case .writeTimeout: writeTimeout = try seconds(1...600)
        case .bodyLimit: bodyKibibytes = try number(1...1_048_576, "kibibytes")
        case .rowsTime: readingTimes.rows = try milliseconds(10...20_000)
        case .countsTime: readingTimes.counts = try milliseconds(1...5_000)
        case .facetsTime: readingTimes.facets = try milliseconds(1...5_000)
        case .readQueue: readQueue = try number(0...10_000, "requests")
        case .writeQueue: writeQueue = try number(0...4_096, "mebibytes")
        case .writeWait: writeWait = try seconds(1...600)
        default: preconditionFailure("\(key) is no limit")
        }
    }

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
