import Database
import HTTP
import Listings
import Locks
import Rendering
import System

final class OffloadedCall: Sendable {
    private static let ownBytes = 4 << 10

    private let arrival = MonotonicTime.now
    let list: String?
    /// The writes that it waits for; nil for a call that writes to no list.
    let lane: WriteQueue.Lane?
    let work: ServiceWorkers.Work
    let bytes: Int
    /// The page in the loop's cache whose version the loop does not read.
    private let cached: CacheableResponse?
    private let waker: HTTPStreamWaker
    private let outgoing = Mailbox<Call>()
    private let incoming = Mailbox<Call>()

    init(_ call: consuming Call, _ cached: CacheableResponse?, _ waker: HTTPStreamWaker) {
        let list = call.listName
        self.list = list
        call.trace.list = list.flatMap { call.service.lists[$0]?.counters }
        let endpoint = list.flatMap { call.lists[$0] }
        let method = call.request.method
        let isLong =
            switch call.trace.route {
            case .program: true
            // Making a list takes as long as its import.
            case .directory, .draft: method == .post
            default: false
            }
        work = isLong || endpoint?.reader.isBlocking ?? false ? .waiting : .reading
        if method.isReading || method == .options || isLong {
            lane = nil
        } else {
            let database = endpoint?.writer?.abilities.grouping?.database
            lane = database.map(WriteQueue.Lane.database) ?? .list(list)
        }
        bytes = call.request.body.count + Self.ownBytes
        self.cached = cached
        self.waker = waker
        outgoing.put(call)
    }

    var isWanted: Bool { incoming.isWanted }

    var cancellation: RequestCancellation { incoming.cancellation }

    var age: Duration { .nanoseconds(arrival.age) }

    func take() -> Call {
        guard var call = outgoing.take() else { preconditionFailure("the call was taken before") }
        call.trace.waiting = arrival.age
        return call
    }

    func giveBack(_ call: consuming Call) {
        incoming.put(call)
        waker.wake()
    }

    func takeBack() -> Call? { incoming.take() }

    func cancel() { incoming.cancel() }

    func refuse(_ cause: Text) {
        var call = take()
        call.refuseUndone(cause)
        giveBack(call)
    }

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

struct UncountedPage: Hashable, Sendable {
    let list: String
    let segment: String?
    let query: ListQuery
}
