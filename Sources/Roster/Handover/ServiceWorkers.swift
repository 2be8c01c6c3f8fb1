import HTTP
package import HTTPServer
import Listings
import Locks

/// Threads that answer what would keep a loop from everybody else: questions that take long, and
/// whatever waits for somebody.
///
/// Each has services of its own, a list each, which are made when they are first needed; the one
/// used last is used next. The loops share the threads.
package final class ServiceWorkers: Sendable {
    /// What threads are for; one kind never keeps another waiting.
    enum Work {
        case reading, writing
        /// Reading on in exports, which are long and must not keep questions waiting.
        case exporting
        /// Looking after pages that clients follow.
        case following
    }

    /// Makes a service of a list; of all lists for nil.
    package typealias MakeService = @Sendable (_ list: String?) throws -> Service

    /// The services that are kept while nobody needs them.
    private static let maximumIdle = 8
    /// How long: what they have open is as old as their last use.
    private static let longestIdle = Duration.seconds(60)

    private let readers: HTTPWorkers
    private let writers: HTTPWorkers
    private let exporters = HTTPWorkers(threads: 2, maximumWaiting: 256)
    private let followers = HTTPWorkers(threads: 2, maximumWaiting: 1_024)
    private let makeService: MakeService
    private let idle = Locked<[Attendant]>([])

    /// Prepares threads.
    ///
    /// - Parameters:
    ///   - readers: The threads that answer questions; over what may wait for them the answer is
    ///     503.
    ///   - writers: Those that write, who wait for one another and must not keep questions waiting.
    ///     What may wait is done before a client is told that it took too long, even if each write
    ///     waits for a locked row (2 s).
    ///   - makeService: Makes what they answer with, for one thread at a time.
    package init(
        _ readers: HTTPWorkers = HTTPWorkers(threads: ServingLimits.readers, maximumWaiting: 64),
        writers: HTTPWorkers = HTTPWorkers(threads: ServingLimits.writers, maximumWaiting: 32),
        makeService: @escaping MakeService
    ) {
        self.readers = readers
        self.writers = writers
        self.makeService = makeService
    }

    /// Prepares threads with the queues that settings name.
    convenience init(_ limits: ServingLimits, makeService: @escaping MakeService) {
        self.init(
            HTTPWorkers(threads: ServingLimits.readers, maximumWaiting: limits.readQueue),
            writers: HTTPWorkers(
                threads: ServingLimits.writers,
                maximumWaiting: limits.writeQueue
            ),
            makeService: makeService
        )
    }

    /// Leaves a job to a thread; false when there is no room for it.
    func offer(_ work: Work, _ job: @escaping @Sendable () -> Void) -> Bool {
        switch work {
        case .reading: readers.offer(job)
        case .writing: writers.offer(job)
        case .exporting: exporters.offer(job)
        case .following: followers.offer(job)
        }
    }

    /// Has a thread find something out about a list.
    ///
    /// - Parameters:
    ///   - work: What it is for.
    ///   - endpoint: The list, as the loop knows it.
    ///   - waker: Woken when it is found out.
    ///   - body: Finds it out, by what a thread of this kind has instead.
    /// - Returns: What will be found out; nil where there is no room for it.
    func ask<Value: Sendable>(
        _ work: Work,
        of endpoint: ListEndpoint,
        waking waker: HTTPStreamWaker?,
        _ body: @escaping @Sendable (Service, ListEndpoint) throws -> Value
    ) -> Handback<Result<Value, any Error>>? {
        let back = Handback<Result<Value, any Error>>()
        let isTaken = offer(work) {
            [self, list = endpoint.definition.name, segment = endpoint.segment] in
            guard back.isWanted else { return }
            let result = Result {
                let attendant = try takeIdle(list) ?? Attendant(list, makeService)
                defer { giveBack(attendant) }
                return try attendant.find(segment, body)
            }
            back.put(result)
            waker?.wake()
        }
        return isTaken ? back : nil
    }

    /// Answers a request on the thread that calls.
    func answer(_ handed: HandedRequest) -> HandedAnswer {
        do {
            let attendant = try takeIdle(handed.list) ?? Attendant(handed.list, makeService)
            defer { giveBack(attendant) }
            return attendant.answer(handed)
        } catch {
            var answer = HandedAnswer()
            answer.error = error
            return answer
        }
    }

    private func takeIdle(_ list: String?) -> Attendant? {
        idle.withLock { idle in
            idle.lastIndex { $0.list == list }.map { idle.remove(at: $0) }
        }
    }

    private func giveBack(_ attendant: Attendant) {
        // Those that go close their connections, for which nobody else waits.
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

/// A service that one thread uses after the other, which is why it may be sent although it is not
/// safe to share.
private final class Attendant: @unchecked Sendable {
    let list: String?
    var lastUse = ContinuousClock.now
    private let service: Service

    init(_ list: String?, _ makeService: ServiceWorkers.MakeService) throws {
        self.list = list
        service = try makeService(list)
    }

    func find<Value>(
        _ segment: String?,
        _ body: (Service, ListEndpoint) throws -> Value
    ) throws -> Value {
        service.adoptLists()
        let endpoint = list.flatMap { service.endpoints[$0] }
        guard let found = segment.map({ endpoint?.endpoint(ofSegment: $0) }) ?? endpoint else {
            // It has gone meanwhile.
            throw SourceError.redefined
        }
        return try body(service, found)
    }

    func answer(_ handed: HandedRequest) -> HandedAnswer {
        service.beginRequest(handed.request, named: handed.id)
        service.caller = service.renewed(handed.caller)
        service.mayWait = handed.mayWait
        var endpoint = list.flatMap { service.endpoints[$0] }
        endpoint?.findings = handed.findings
        var answer = HandedAnswer()
        if let kept = handed.kept, let endpoint,
            let shown = kept.segment.map(endpoint.endpoint) ?? endpoint,
            // Where that cannot be asked, it is told what is asked for.
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
