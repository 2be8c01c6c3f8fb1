import Database
import HTTP
package import HTTPServer
import Listings
import Locks
import System

/// Threads for work that would block an event loop: slow queries, writes and database waits.
///
/// Each job uses a service for one list, which is created on demand. The service used last is
/// reused first. All loops share the threads.
package final class ServiceWorkers: Sendable {
    /// The kinds of work besides writing; each has its own threads, so that none delays another.
    package enum Work {
        case reading
        /// Reading lists whose source waits for other programs.
        case waiting
        /// Continuing exports, which are long and must not delay queries.
        case exporting
        /// Watching pages that clients follow.
        case following
    }

    /// Creates a handler for one list; for all lists if the name is nil.
    package typealias MakeHandler = @Sendable (_ list: String?) throws -> APIHandler

    /// The number of threads that read for loops.
    package static let readerThreads = 8
    /// The number of threads that wait for other programs, which costs little but their stacks.
    package static let waitingThreads = 64
    /// The number of threads that write for loops.
    package static let writerThreads = 4
    /// The maximum number of databases and lists whose writes wait for a thread.
    package static let maximumLanes = 4_096
    /// The maximum number of idle services.
    private static let maximumIdle = 8
    /// The maximum idle time, after which a service and its connections are closed.
    private static let longestIdle = Duration.seconds(60)

    private let readers: WorkerPool
    private let writers: WorkerPool
    private let waitingWrites: WriteQueue
    private let longestWriteWait: Duration
    private let waiters = WorkerPool(
        threads: ServiceWorkers.waitingThreads,
        maximumWaiting: 1_024
    )
    private let exporters = WorkerPool(threads: 2, maximumWaiting: 256)
    private let followers = WorkerPool(threads: 2, maximumWaiting: 1_024)
    /// The thread that finishes the counts of pages.
    private let counters = WorkerPool(threads: 1, maximumWaiting: 64)
    private let uncounted = Monitor<Set<UncountedPage>>([])
    /// The end of the interest in counts, which comes with that of the program.
    private let counting = RequestCancellation()
    /// The requests whose callers the program identifies, of which an address has few.
    let identifications = PerAddressLimit(maximum: ServiceWorkers.waitingThreads / 4)
    private let makeHandler: MakeHandler
    private let idle = Locked<[WorkerService]>([])

    /// Creates the workers.
    ///
    /// - Parameters:
    ///   - readers: The threads for queries; a request beyond their queue gets 503.
    ///   - writers: The threads for writes, which wait for one another and must not delay queries.
    ///   - maximumWritingBytes: The maximum size of the writes that wait; a write beyond it gets
    ///     503.
    ///   - longestWriteWait: The maximum time that a write waits for a thread.
    ///   - makeHandler: Creates a service, which one thread uses at a time.
    package init(
        _ readers: WorkerPool = WorkerPool(
            threads: ServiceWorkers.readerThreads,
            maximumWaiting: 64
        ),
        writers: WorkerPool = WorkerPool(
            threads: ServiceWorkers.writerThreads,
            maximumWaiting: ServiceWorkers.maximumLanes
        ),
        maximumWritingBytes: Int = 64 << 20,
        longestWriteWait: Duration = .seconds(5),
        makeHandler: @escaping MakeHandler
    ) {
        self.readers = readers
        self.writers = writers
        self.longestWriteWait = longestWriteWait
        waitingWrites = WriteQueue(maximumBytes: maximumWritingBytes)
        self.makeHandler = makeHandler
    }

    /// Offers a job to a thread; returns false when the queue is full.
    package func offer(_ work: Work, _ job: @escaping @Sendable () -> Void) -> Bool {
        switch work {
        case .reading: readers.offer(job)
        case .waiting: waiters.offer(job)
        case .exporting: exporters.offer(job)
        case .following: followers.offer(job)
        }
    }

    /// Stops counting, and waits a moment until it has stopped.
    package func stop() {
        counting.cancel()
        _ = uncounted.wait(for: .seconds(2)) { $0.isEmpty }
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
        let isTaken = offer(endpoint.reader.isBlocking ? .waiting : work) {
            [self, list = endpoint.definition.name, segment = endpoint.segment] in
            guard mailbox.isWanted else { return }
            RequestCancellation.$current.withValue(mailbox.cancellation) {
                let result = Result {
                    let worker = try service(for: list)
                    defer { giveBack(worker) }
                    return try worker.find(segment, body)
                }
                mailbox.put(result)
            }
            waker?.wake()
        }
        return isTaken ? mailbox : nil
    }

    /// Handles a request on the calling thread.
    func respond(to offloaded: OffloadedRequest, isInGroup: Bool = false) -> OffloadedResponse {
        do {
            let worker = try service(for: offloaded.list)
            defer { giveBack(worker) }
            let response = worker.respond(to: offloaded, isInGroup: isInGroup)
            if var page = response.uncounted {
                page.list = offloaded.list
                finishCounting(page)
            }
            return response
        } catch {
            var result = OffloadedResponse()
            result.error = error
            return result
        }
    }

    /// Finishes the counts of a page on a thread, unless that is in progress.
    private func finishCounting(_ page: UncountedPage) {
        guard uncounted.withLock({ $0.insert(page).inserted }) else { return }
        let isTaken = counters.offer { [self] in
            defer { uncounted.withLock { _ = $0.remove(page) } }
            guard let worker = try? service(for: page.list) else { return }
            defer { giveBack(worker) }
            RequestCancellation.$current.withValue(counting) {
                try? worker.find(page.segment) { _, endpoint in
                    endpoint.reader.finishCounting(of: page.query)
                }
            }
        }
        if !isTaken { uncounted.withLock { _ = $0.remove(page) } }
    }

    private func service(for list: String?) throws -> WorkerService {
        try takeIdle(list) ?? WorkerService(list, makeHandler)
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

/// Writes, of which those to one database share transactions.
extension ServiceWorkers {
    /// The maximum number of writes in one transaction.
    private static let maximumGroup = 256
    /// The maximum time, in nanoseconds, that a transaction stays open for further writes.
    private static let longestGroup = 20_000_000

    /// A response that waits for the commit.
    private final class HeldResponse {
        let write: WaitingWrite
        var response: OffloadedResponse?

        init(_ write: WaitingWrite) { self.write = write }

        func send() {
            guard let response = response.take() else { return }
            write.answer(response)
        }
    }

    /// Performs a write when its turn comes.
    func write(_ write: WaitingWrite) {
        switch waitingWrites.add(write) {
        case .refused: write.refuse(.overload)
        case .waits: break
        case .needsWorker: startTurn(write.lane)
        }
    }

    private func startTurn(_ lane: WriteQueue.Lane) {
        let isTaken = writers.offer { [self] in
            performNext(lane)
            // Other lanes take their turns first.
            if waitingWrites.endTurn(lane) { startTurn(lane) }
        }
        guard !isTaken else { return }
        for write in waitingWrites.withdrawWorker(lane) { write.refuse(.overload) }
    }

    /// Takes the next write that is to be performed; answers those that have waited too long.
    private func takeWrite(_ lane: WriteQueue.Lane) -> WaitingWrite? {
        while let write = waitingWrites.take(lane) {
            guard write.isWanted else { continue }
            guard write.age > longestWriteWait else { return write }
            write.refuse(.expired)
        }
        return nil
    }

    private func performNext(_ lane: WriteQueue.Lane) {
        guard let write = takeWrite(lane) else { return }
        guard case .database = lane else {
            return write.answer(respond(to: write.offloaded))
        }
        do {
            let worker = try service(for: write.offloaded.list)
            defer { giveBack(worker) }
            guard let writer = worker.writer as? any GroupingWriter else {
                return write.answer(worker.respond(to: write.offloaded))
            }
            performTogether(write, lane, worker, writer)
        } catch {
            var response = OffloadedResponse()
            response.error = error
            write.answer(response)
        }
    }

    /// Performs a write together with those that wait behind it.
    private func performTogether(
        _ write: WaitingWrite,
        _ lane: WriteQueue.Lane,
        _ worker: WorkerService,
        _ writer: any GroupingWriter
    ) {
        let start = MonotonicTime.now
        var members: [HeldResponse] = []
        let repeated = writer.writeTogether { number in
            let isOpen = number < Self.maximumGroup && start.age < Self.longestGroup
            guard let next = number == 0 ? write : isOpen ? takeWrite(lane) : nil else {
                return false
            }
            let member = HeldResponse(next)
            members.append(member)
            member.response =
                next.offloaded.list == worker.list
                ? worker.respond(to: next.offloaded, isInGroup: true)
                : respond(to: next.offloaded, isInGroup: true)
            return true
        }
        for number in repeated { members[number].response = nil }
        for member in members { member.send() }
        worker.notify()
        for number in repeated {
            let write = members[number].write
            if .nanoseconds(start.age) > longestWriteWait * 3 {
                write.refuse(.expired)
            } else {
                write.answer(
                    worker.list == write.offloaded.list
                        ? worker.respond(to: write.offloaded) : respond(to: write.offloaded)
                )
            }
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
        found.begin()
        return try body(state, found)
    }

    /// The writer of the list; nil if it is read-only or was removed.
    var writer: (any ListWriter)? {
        handler.state.adoptLists()
        return list.flatMap { handler.state.endpoints[$0]?.writer }
    }

    /// Informs the loops that lists may have changed.
    func notify() { handler.state.options.changeSignal.notify() }

    /// Handles a request.
    ///
    /// - Parameters:
    ///   - offloaded: The request.
    ///   - isInGroup: Whether the caller notifies the loops of changes.
    /// - Returns: The response.
    func respond(to offloaded: OffloadedRequest, isInGroup: Bool = false) -> OffloadedResponse {
        let state = handler.state
        state.isInGroup = isInGroup
        var context = offloaded.resume(state, RequestTrace(waiting: offloaded.arrival.age))
        context.canWait = offloaded.canWait
        context.isOffloaded = true
        var result = OffloadedResponse()
        let endpoint = list.flatMap { state.endpoints[$0] }
        endpoint?.begin()
        if let cached = offloaded.cached, let endpoint,
            let shown = cached.segment.map(endpoint.endpoint) ?? endpoint,
            // If the version cannot be read, the request is handled normally.
            (try? shown.reader.version()) == cached.version, !shown.reader.isStale
        {
            result.isUnchanged = true
            result.trace = context.trace
            return result
        }
        handler.respond(to: offloaded.request, in: &context, with: &result.response)
        result.waitsForChange = context.clientIsCurrent
        result.trace = context.trace
        result.reloadGeneration = state.reloadGeneration
        result.problems = context.problems
        result.uncounted = context.uncounted
        result.cacheable = context.cacheable
        result.callerScope = context.callerScope
        return result
    }
}
