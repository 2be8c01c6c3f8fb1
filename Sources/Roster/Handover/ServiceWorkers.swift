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
    enum Work {
        case reading, writing
        /// Continuing exports, which are long and must not delay queries.
        case exporting
        /// Watching pages that clients follow.
        case following
    }

    /// Creates a service for one list; for all lists if the name is nil.
    package typealias MakeService = @Sendable (_ list: String?) throws -> Service

    /// The maximum number of idle services.
    private static let maximumIdle = 8
    /// The maximum idle time, after which a service and its connections are closed.
    private static let longestIdle = Duration.seconds(60)

    private let readers: WorkerPool
    private let writers: WorkerPool
    private let exporters = WorkerPool(threads: 2, maximumWaiting: 256)
    private let followers = WorkerPool(threads: 2, maximumWaiting: 1_024)
    private let makeService: MakeService
    private let idle = Locked<[WorkerService]>([])

    /// Creates the workers.
    ///
    /// - Parameters:
    ///   - readers: The threads for queries; a request beyond their queue gets 503.
    ///   - writers: The threads for writes, which wait for one another and must not delay queries.
    ///     Queued writes must finish before the handler timeout, even if each waits 2 s for a
    ///     locked row.
    ///   - makeService: Creates a service, which one thread uses at a time.
    package init(
        _ readers: WorkerPool = WorkerPool(threads: ServingLimits.readers, maximumWaiting: 64),
        writers: WorkerPool = WorkerPool(threads: ServingLimits.writers, maximumWaiting: 32),
        makeService: @escaping MakeService
    ) {
        self.readers = readers
        self.writers = writers
        self.makeService = makeService
    }

    /// Creates workers with the queue lengths of the settings.
    convenience init(_ limits: ServingLimits, makeService: @escaping MakeService) {
        self.init(
            WorkerPool(threads: ServingLimits.readers, maximumWaiting: limits.readQueue),
            writers: WorkerPool(
                threads: ServingLimits.writers,
                maximumWaiting: limits.writeQueue
            ),
            makeService: makeService
        )
    }

    /// Offers a job to a thread; returns false when the queue is full.
    func offer(_ work: Work, _ job: @escaping @Sendable () -> Void) -> Bool {
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
        _ body: @escaping @Sendable (Service, ServedList) throws -> Value
    ) -> Mailbox<Result<Value, any Error>>? {
        let back = Mailbox<Result<Value, any Error>>()
        let isTaken = offer(work) {
            [self, list = endpoint.definition.name, segment = endpoint.segment] in
            guard back.isWanted else { return }
            let result = Result {
                let attendant = try takeIdle(list) ?? WorkerService(list, makeService)
                defer { giveBack(attendant) }
                return try attendant.find(segment, body)
            }
            back.put(result)
            waker?.wake()
        }
        return isTaken ? back : nil
    }

    /// Handles a request on the calling thread.
    func answer(_ handed: OffloadedRequest) -> OffloadedResponse {
        do {
            let attendant = try takeIdle(handed.list) ?? WorkerService(handed.list, makeService)
            defer { giveBack(attendant) }
            return attendant.answer(handed)
        } catch {
            var answer = OffloadedResponse()
            answer.error = error
            return answer
        }
    }

    private func takeIdle(_ list: String?) -> WorkerService? {
        idle.withLock { idle in
            idle.lastIndex { $0.list == list }.map { idle.remove(at: $0) }
        }
    }

    private func giveBack(_ attendant: WorkerService) {
        // Removed services close their connections outside the lock.
        let now = ContinuousClock.now
        attendant.lastUse = now
        _ = idle.withLock { idle in
            let gone = idle.prefix { now - $0.lastUse > Self.longestIdle }
            idle.removeFirst(gone.count)
            idle.append(attendant)
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
    private let service: Service

    init(_ list: String?, _ makeService: ServiceWorkers.MakeService) throws {
        self.list = list
        service = try makeService(list)
    }

    func find<Value>(
        _ segment: String?,
        _ body: (Service, ServedList) throws -> Value
    ) throws -> Value {
        service.adoptLists()
        let endpoint = list.flatMap { service.endpoints[$0] }
        guard let found = segment.map({ endpoint?.endpoint(ofSegment: $0) }) ?? endpoint else {
            // The list was removed meanwhile.
            throw SourceError.redefined
        }
        return try body(service, found)
    }

    func answer(_ handed: OffloadedRequest) -> OffloadedResponse {
        service.beginRequest(handed.request, named: handed.id)
        service.caller = service.renewed(handed.caller)
        service.mayWait = handed.mayWait
        var endpoint = list.flatMap { service.endpoints[$0] }
        endpoint?.findings = handed.findings
        var answer = OffloadedResponse()
        if let kept = handed.kept, let endpoint,
            let shown = kept.segment.map(endpoint.endpoint) ?? endpoint,
            // If the version cannot be read, the request is handled normally.
            (try? shown.reader.version()) == kept.version, !shown.reader.isStale
        {
            answer.isUnchanged = true
            return answer
        }
        do {
            try service.respond(to: handed.request, with: &answer.response)
        } catch {
            answer.error = error
        }
        answer.waitsForChange = service.holdsWhatThereIs
        service.holdsWhatThereIs = false
        answer.trace = service.trace
        answer.reloadGeneration = service.reloadGeneration
        answer.problems = service.toldProblems
        service.toldProblems = []
        answer.cacheable = service.cacheable
        answer.callerScope = service.callerScope
        endpoint = list.flatMap { service.endpoints[$0] }
        answer.findings = endpoint?.findings ?? [:]
        return answer
    }
}
