import HTTP
package import HTTPServer
import Listings
import Locks

/// Threads for work that would block an event loop: slow queries, writes and database waits.
///
/// Each job uses a service for one list, which is created on demand. The service used last is
/// reused first. All loops share the threads.
package final class ServiceWorkers: Sendable {
    /// The kinds of work; each kind has its own threads, so that none delays another.
    package enum Work {
        case reading, writing
        /// Continuing exports, which are long and must not delay queries.
        case exporting
        /// Watching pages that clients follow.
        case following
    }

    /// Creates a handler for one list; for all lists if the name is nil.
    package typealias MakeHandler = @Sendable (_ list: String?) throws -> APIHandler

    /// The number of threads that read for loops.
    package static let readerThreads = 8
    /// The number of threads that write for loops.
    package static let writerThreads = 4
    /// The maximum number of idle services.
    private static let maximumIdle = 8
    /// The maximum idle time, after which a service and its connections are closed.
    private static let longestIdle = Duration.seconds(60)

    private let readers: WorkerPool
    private let writers: WorkerPool
    private let exporters = WorkerPool(threads: 2, maximumWaiting: 256)
    private let followers = WorkerPool(threads: 2, maximumWaiting: 1_024)
    private let makeHandler: MakeHandler
    private let idle = Locked<[WorkerService]>([])

    /// Creates the workers.
    ///
    /// - Parameters:
    ///   - readers: The threads for queries; a request beyond their queue gets 503.
    ///   - writers: The threads for writes, which wait for one another and must not delay queries.
    ///     Queued writes must finish before the handler timeout, even if each waits 2 s for a
    ///     locked row.
    ///   - makeHandler: Creates a service, which one thread uses at a time.
    package init(
        _ readers: WorkerPool = WorkerPool(
            threads: ServiceWorkers.readerThreads,
            maximumWaiting: 64
        ),
        writers: WorkerPool = WorkerPool(threads: ServiceWorkers.writerThreads, maximumWaiting: 32),
        makeHandler: @escaping MakeHandler
    ) {
        self.readers = readers
        self.writers = writers
        self.makeHandler = makeHandler
    }

    /// Offers a job to a thread; returns false when the queue is full.
    package func offer(_ work: Work, _ job: @escaping @Sendable () -> Void) -> Bool {
        switch work {
        case .reading: readers.offer(job)
        case .writing: writers.offer(job)
        case .exporting: exporters.offer(job)
        case .following: followers.offer(job)
        }
    }

    /// Makes a thread read data of a list.
    ///
    /// - Parameters:
    ///   - work: The kind of work.
    ///   - endpoint: The loop's endpoint of the list.
    ///   - waker: The waker that is called when the result is available.
    ///   - body: Reads the data, with the worker's service and endpoint.
    /// - Returns: The mailbox of the result; nil when the queue is full.
    func ask<Value: Sendable>(
        _ work: Work,
        of endpoint: ServedList,
        waking waker: HTTPStreamWaker?,
        _ body: @escaping @Sendable (ServiceState, ServedList) throws -> Value
    ) -> Mailbox<Result<Value, any Error>>? {
        let mailbox = Mailbox<Result<Value, any Error>>()
        let isTaken = offer(work) {
            [self, list = endpoint.definition.name, segment = endpoint.segment] in
            guard mailbox.isWanted else { return }
            let result = Result {
                let worker = try takeIdle(list) ?? WorkerService(list, makeHandler)
                defer { giveBack(worker) }
                return try worker.find(segment, body)
            }
            mailbox.put(result)
            waker?.wake()
        }
        return isTaken ? mailbox : nil
    }

    /// Handles a request on the calling thread.
    func respond(to offloaded: OffloadedRequest) -> OffloadedResponse {
        do {
            let worker = try takeIdle(offloaded.list) ?? WorkerService(offloaded.list, makeHandler)
            defer { giveBack(worker) }
            return worker.respond(to: offloaded)
        } catch {
            var result = OffloadedResponse()
            result.error = error
            return result
        }
    }

    private func takeIdle(_ list: String?) -> WorkerService? {
        idle.withLock { idle in
            idle.lastIndex { $0.list == list }.map { idle.remove(at: $0) }
        }
    }

    private func giveBack(_ worker: WorkerService) {
        // Removed services close their connections outside the lock.
        let now = ContinuousClock.now
        worker.lastUse = now
        _ = idle.withLock { idle in
            let gone = idle.prefix { now - $0.lastUse > Self.longestIdle }
            idle.removeFirst(gone.count)
            idle.append(worker)
            return idle.count > Self.maximumIdle ? gone + [idle.removeFirst()] : gone
        }
    }
}

/// A service that threads use one after another.
///
/// It may be sent although it is not safe to share, because only one thread uses it at a time.
private final class WorkerService: @unchecked Sendable {
    let list: String?
    var lastUse = ContinuousClock.now
    private let handler: APIHandler

    init(_ list: String?, _ makeHandler: ServiceWorkers.MakeHandler) throws {
        self.list = list
        handler = try makeHandler(list)
    }

    func find<Value>(
        _ segment: String?,
        _ body: (ServiceState, ServedList) throws -> Value
    ) throws -> Value {
        let state = handler.state
        state.adoptLists()
        let endpoint = list.flatMap { state.endpoints[$0] }
        guard let found = segment.map({ endpoint?.endpoint(ofSegment: $0) }) ?? endpoint else {
            // The list was removed meanwhile.
            throw SourceError.redefined
        }
        return try body(state, found)
    }

    func respond(to offloaded: OffloadedRequest) -> OffloadedResponse {
        let state = handler.state
        var context = offloaded.resume(state, RequestTrace())
        context.canWait = offloaded.canWait
        if let list { state.endpoints[list]?.findings = offloaded.findings }
        var result = OffloadedResponse()
        let endpoint = list.flatMap { state.endpoints[$0] }
        if let cached = offloaded.cached, let endpoint,
            let shown = cached.segment.map(endpoint.endpoint) ?? endpoint,
            // If the version cannot be read, the request is handled normally.
            (try? shown.reader.version()) == cached.version, !shown.reader.isStale
        {
            result.isUnchanged = true
            return result
        }
        do throws(SourceError) {
            try handler.respond(to: offloaded.request, in: &context, with: &result.response)
        } catch {
            result.error = error
        }
        result.waitsForChange = context.clientIsCurrent
        result.trace = context.trace
        result.reloadGeneration = state.reloadGeneration
        result.problems = context.problems
        result.cacheable = context.cacheable
        result.callerScope = context.callerScope
        result.findings = list.flatMap { state.endpoints[$0]?.findings } ?? [:]
        return result
    }
}
