import Bytes
import HTTP
import Listings
import Locks
import Rendering

/// After a change, the page is read once for all clients; those of one version share an event.
final class Subscription {
    /// The maximum size of an event; a larger one makes the client reload the page.
    static let maximumEventBytes = 1024 * 1024
    private static let maximumEvents = 8

    struct Origin: Sendable {
        let request: HTTPRequest
        let id: String
        let list: String
        let caller: Caller?
    }

    struct Renewal: Sendable {
        let name: String
        /// The event for clients with the previous version; nil if the page is unchanged.
        let event: [UInt8]?
    }

    let request: PageRequest
    private let origin: Origin
    let address: String
    /// The version of the page; empty while the page does not exist.
    private(set) var name: String
    private weak var loop: LoopState?
    private let generation: Int
    private var events: [String: [UInt8]] = [:]
    /// The pending result of a worker, and the version that its event starts from.
    private var pending: (mailbox: Mailbox<Result<Renewal, any Error>>, held: String)?
    /// Whether another read was requested meanwhile, because the pending one may miss changes.
    private var isRequestedAgain = false
    private var wakers: [UInt64: HTTPStreamWaker] = [:]
    private var lastID: UInt64 = 0

    /// If reading may wait, the page starts with the client's version, and a worker reads it.
    init(
        _ changes: ChangesCall,
        at address: String,
        _ origin: Origin,
        for loop: LoopState
    ) throws(SourceError) {
        request = changes.page
        self.origin = origin
        self.address = address
        self.loop = loop
        generation = loop.service.generation.access
        name = changes.since
        if let now = try readImmediately() { name = now } else { ask(since: name) }
    }

    deinit { pending?.mailbox.cancel() }

    var endpoint: ServedList { request.endpoint }

    var isFollowed: Bool { !wakers.isEmpty }

    var isEnding: Bool { loop?.service.isDraining() ?? true }

    /// Whether the list and the access rules are unchanged; if not, clients have to reconnect.
    var isAllowed: Bool {
        loop?.service.generation.access == generation && !endpoint.isRetired
    }

    func add(_ waker: HTTPStreamWaker) -> UInt64 {
        lastID += 1
        wakers[lastID] = waker
        if wakers.count == 1 { loop?.subscriptions.insert(self) }
        return lastID
    }

    func wake() { for waker in wakers.values { waker.wake() } }

    func leave(_ waiter: UInt64) {
        wakers[waiter] = nil
        if wakers.isEmpty { loop?.subscriptions.remove(self) }
    }

    /// Returns whether the read succeeded or was offloaded; a failed one is retried later.
    func renew() -> Bool {
        do throws(SourceError) {
            guard let now = try readImmediately() else { return ask(since: name) }
            if now != name { show(now) }
            return true
        } catch {
            return false
        }
    }

    /// Returns whether the read succeeded and no later one is needed; nil while it is pending.
    func takeRenewal() -> Bool? {
        guard let pending else { return true }
        guard let result = pending.mailbox.take() else { return nil }
        self.pending = nil
        defer { isRequestedAgain = false }
        guard case .success(let renewal) = result else { return false }
        let isOther = renewal.name != name
        if isOther {
            name = renewal.name
            events.removeAll(keepingCapacity: true)
        }
        if let event = renewal.event { keep(event, since: pending.held) }
        if isOther || renewal.event != nil { for waker in wakers.values { waker.wake() } }
        return !isRequestedAgain
    }

    @discardableResult
    private func ask(since held: String) -> Bool {
        guard pending == nil else {
            isRequestedAgain = true
            return true
        }
        guard let loop, let workers = loop.workers, let list = endpoint.origin else {
            return false
        }
        let mailbox = workers.ask(.following, of: list, waking: loop.subscriptions.waker) {
            [origin] lists, _ in
            try RequestCaller.$name.withValue(origin.caller?.name) {
                try ChangesHandler.renewal(of: origin, since: held, in: lists)
            }
        }
        pending = mailbox.map { ($0, held) }
        if pending != nil { loop.subscriptions.expect(self) }
        return pending != nil
    }

    /// Returns the event for clients with a version; nil when there is none to send.
    func event(since held: String) -> [UInt8]? {
        guard held != name else { return nil }
        if let event = events[held] { return event }
        // The endpoint's page may hold the rows of another query.
        do throws(SourceError) {
            guard let now = try readImmediately() else {
                ask(since: held)
                return nil
            }
            if now != name { show(now) }
        } catch {
            return nil
        }
        guard held != name else { return nil }
        return events[held] ?? keepEvent(since: held)
    }

    /// Returns the current version; nil where a worker has to read it.
    private func readImmediately() throws(SourceError) -> String? {
        guard loop?.workers == nil || endpoint.isImmediate else { return nil }
        let name: Result<String, SourceError> = asCaller {
            Result { () throws(SourceError) in try endpoint.readName(of: request) }
        }
        return try name.get()
    }

    /// Closures of programs run for the caller, as for the page itself.
    private func asCaller<Value>(_ body: () -> Value) -> Value {
        RequestCaller.$name.withValue(origin.caller?.name, operation: body)
    }

    private func show(_ now: String) {
        let before = name
        name = now
        events.removeAll(keepingCapacity: true)
        // Almost all clients have the previous version.
        _ = keepEvent(since: before)
        for waker in wakers.values { waker.wake() }
    }

    private func keepEvent(since held: String) -> [UInt8] {
        let event = loop.map { loop in
            asCaller { ChangesHandler.event(since: held, name: name, of: request, loop.service) }
        }
        if events.count < Self.maximumEvents { events[held] = event }
        return event ?? []
    }

    private func keep(_ event: [UInt8], since held: String) {
        if events.count >= Self.maximumEvents { events.removeAll(keepingCapacity: true) }
        events[held] = event
    }
}
