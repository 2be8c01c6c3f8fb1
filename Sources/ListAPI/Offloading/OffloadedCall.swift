import Database
import HTTP
import Listings
import Locks
import Rendering
import System

/// A call that an event loop has moved to a worker, which moves it back with its response.
final class OffloadedCall: Sendable {
    /// The identity of a page in the loop's cache whose version the loop does not read.
    private struct CachedPage: Sendable {
        let segment: String?
        let version: ListVersion
    }

    /// The memory of a waiting call besides its content, for the bound of the queue of writes.
    private static let ownBytes = 4 << 10

    private let arrival = MonotonicTime.now
    let list: String?
    /// The writes that it waits for; nil for a call that writes to no list.
    let lane: WriteQueue.Lane?
    /// The kind of work of a call that reads.
    let work: ServiceWorkers.Work
    /// The size of a write in the queue.
    let bytes: Int
    private let cached: CachedPage?
    private let waker: HTTPStreamWaker
    private let outgoing = Mailbox<Call>()
    private let incoming = Mailbox<Call>()

    init(_ call: consuming Call, _ cached: CacheableResponse?, _ waker: HTTPStreamWaker) {
        let list = call.listName
        self.list = list
        call.trace.list = list.flatMap { call.service.lists[$0]?.counters }
        let endpoint = list.flatMap { call.lists[$0] }
        let method = call.request.method
        let isOfProgram = if case .program = call.trace.route { true } else { false }
        work = isOfProgram || endpoint?.reader.isBlocking ?? false ? .waiting : .reading
        if method.isReading || method == .options || isOfProgram {
            lane = nil
        } else {
            let database = endpoint?.writer?.abilities.grouping?.database
            lane = database.map(WriteQueue.Lane.database) ?? .list(list)
        }
        bytes = call.request.body.count + Self.ownBytes
        self.cached = cached.map { .init(segment: $0.segment, version: $0.version) }
        self.waker = waker
        outgoing.put(call)
    }

    /// Whether the client still waits for the response.
    var isWanted: Bool { incoming.isWanted }

    var cancellation: RequestCancellation { incoming.cancellation }

    /// The time since the call was moved.
    var age: Duration { .nanoseconds(arrival.age) }

    /// Takes the call, which a worker does once.
    func take() -> Call {
        guard var call = outgoing.take() else { preconditionFailure("the call was taken before") }
        call.trace.waiting = arrival.age
        return call
    }

    func giveBack(_ call: consuming Call) {
        incoming.put(call)
        waker.wake()
    }

    /// Takes the call that a worker has handled; nil while there is none.
    func takeBack() -> Call? { incoming.take() }

    func cancel() { incoming.cancel() }

    /// Moves the call back with the response that nothing was done.
    func refuse(_ cause: Text) {
        var call = take()
        call.refuseUndone(cause)
        giveBack(call)
    }

    /// Whether the list still has the version of the cached page.
    ///
    /// If the version cannot be read, the call is handled normally.
    func isCachedCurrent(in lists: OpenLists) -> Bool {
        guard let cached, let list,
            let shown = lists[list]?.endpoint(ofSegmentOrNil: cached.segment)
        else { return false }
        return (try? shown.reader.version()) == cached.version && !shown.reader.isStale
    }
}

extension Call {
    mutating func refuseUndone(_ cause: Text) {
        refuse(Problem(.unavailable, "\(cause) Nothing was done; try again later."))
    }
}

/// A page whose counts took too long.
struct UncountedPage: Hashable, Sendable {
    let list: String
    let segment: String?
    let query: ListQuery
}
