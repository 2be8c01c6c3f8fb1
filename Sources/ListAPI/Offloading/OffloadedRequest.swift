import Database
import HTTP
import Listings
import Rendering
import System

/// A request that an event loop offloads to a worker, with its context.
struct OffloadedRequest: Sendable {
    /// The identity of a page in the loop's cache whose version the loop does not read.
    struct CachedPage: Sendable {
        let segment: String?
        let version: ListVersion
    }

    /// The time since which the request waits for a worker.
    let arrival = MonotonicTime.now
    let service: Service
    let store: ServiceStore
    let request: HTTPRequest
    /// The ID of the request in the response and the log.
    let id: String
    /// The caller, which the middleware has admitted.
    let caller: Caller?
    /// The requested list; nil for a request of no list.
    let list: String?
    /// The database that the request writes to, together with others; nil if it writes alone.
    let database: ObjectIdentifier?
    let cached: CachedPage?
    /// The kind of work of a request that reads.
    let work: ServiceWorkers.Work
    /// Whether a route of the program responds, which is no write to a list.
    let isOfProgram: Bool
    /// Whether the response may be delayed until the page changes.
    let canWait: Bool

    init(
        _ request: borrowing HTTPRequest,
        in context: borrowing RequestContext,
        _ cached: CacheableResponse?
    ) {
        (service, store) = (context.service, context.lists.store)
        let list = context.listName(at: request.path)
        self.request = copy request
        id = context.id
        caller = context.caller
        self.list = list
        let endpoint = list.flatMap { context.lists[$0] }
        let reads = request.method.isReading
        isOfProgram = if case .program = context.trace.route { true } else { false }
        work = isOfProgram || endpoint?.reader.isBlocking ?? false ? .waiting : .reading
        database = reads ? nil : (endpoint?.writer as? any GroupingWriter)?.database
        self.cached = cached.map { .init(segment: $0.segment, version: $0.version) }
        canWait = context.canWait && context.loop?.subscriptions.waker != nil
    }

    /// The lists for the request on a worker.
    func lists(of workers: ServiceWorkers) -> OpenLists {
        OpenLists(service, of: store, workers)
    }

    /// Returns the context of the request on a worker.
    func begin(_ lists: OpenLists) -> RequestContext {
        var context = RequestContext(lists, for: request, id: id)
        context.caller = lists.service.renewed(caller)
        context.canWait = canWait
        context.trace.waiting = arrival.age
        return context
    }

    /// Returns the context of the request on its loop again.
    func resume(_ loop: LoopState, _ trace: RequestTrace) -> RequestContext {
        var context = RequestContext(loop, for: request, id: id)
        context.caller = loop.service.renewed(caller)
        context.language = PageLanguage(for: request)
        context.trace = trace
        context.trace.list = list.flatMap { loop.service.lists[$0]?.counters }
        return context
    }
}

/// A page whose counts took too long.
struct UncountedPage: Hashable, Sendable {
    let list: String
    let segment: String?
    let query: ListQuery
}

/// The response of a worker to an offloaded request.
///
/// May be sent to another thread, because the worker gives it away and uses no part of it
/// afterwards.
struct OffloadedResponse: ~Copyable, @unchecked Sendable {
    /// The response without the additions of the middleware; empty where the cached page is still valid.
    var response = HTTPResponse()
    /// Whether the cached page is still valid.
    var isUnchanged = false
    /// Whether the client has the current page and waits for a change.
    var waitsForChange = false
    /// The log data of the request.
    var trace = RequestTrace()
    /// The kind of the problem in the response, for the loop to count.
    var problem: ProblemKind?
    /// The service that the response is of.
    var service: Service?
    /// The rendered page.
    var cacheable: CacheableResponse?
    /// The scope of the caller that the page is for.
    var callerScope: UInt64 = 0
    /// The reason why nothing was done.
    var refusal: Problem?
}

extension Problem {
    /// No worker was available.
    static let overload = nothingDone("Too many requests are in progress.")
    /// A write has waited too long for its turn.
    static let expiredWrite = nothingDone("The request has waited too long for other writes.")

    private static func nothingDone(_ cause: String) -> Problem {
        Problem(.unavailable, "\(cause) Nothing was done; try again later.")
    }
}
