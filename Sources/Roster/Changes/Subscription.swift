import Bytes
import HTTP
import Listings
import Locks
import Rendering

/// A page that clients of a loop follow, with its current version and recent events.
///
/// After a change, the page is read once for all clients. All clients with the same version share
/// one event.
final class Subscription {
    /// The maximum size of an event; a larger one makes the client reload the page.
    static let maximumEventBytes = 1024 * 1024
    /// The maximum number of cached events.
    private static let maximumEvents = 8

    /// The request data that a worker needs to read the page.
    struct Origin: Sendable {
        let request: HTTPRequest
        let caller: Caller?
    }

    /// The result of a worker that read the page.
    struct Renewal: Sendable {
        let name: String
        /// The event for clients with the previous version; nil if the page is unchanged.
        let event: [UInt8]?
    }

    /// The query of the page.
    let question: PageRequest
    private let origin: Origin
    /// A text that distinguishes the page from others.
    let address: String
    /// The version of the page; empty while the page does not exist.
    private(set) var name: String
    private weak var service: Service?
    /// The generation of the access rules when the page was created.
    private let generation: Int?
    private var events: [String: [UInt8]] = [:]
    /// The pending result of a worker, and the version that its event starts from.
    private var asked: (back: Mailbox<Result<Renewal, any Error>>, held: String)?
    /// Whether another read was requested meanwhile, because the pending one may miss changes.
    private var isAskedAgain = false
    private var wakers: [UInt64: HTTPStreamWaker] = [:]
    private var lastID: UInt64 = 0

    /// Creates a page that no client follows yet.
    ///
    /// If reading takes longer than a turn, the page starts with the client's version, and a worker
    /// reads it.
    ///
    /// - Parameters:
    ///   - call: The request of the first client.
    ///   - address: A text that distinguishes the page from others.
    ///   - origin: The request data for a worker.
    ///   - service: The service that renders the page.
    /// - Throws: ``SourceError`` when the list cannot be read.
    init(
        _ call: ChangesCall,
        at address: String,
        _ origin: Origin,
        for service: Service
    ) throws(SourceError) {
        question = call.page
        self.origin = origin
        self.address = address
        self.service = service
        generation = service.knownTable?.generation
        name = call.since
        if let now = try readInTurn() { name = now } else { ask(since: name) }
    }

    deinit { asked?.back.cancel() }

    var endpoint: ServedList { question.endpoint }

    var isFollowed: Bool { !wakers.isEmpty }

    /// Whether the server is stopping or has stopped.
    var isEnding: Bool { service?.isDraining() ?? true }

    /// Whether the list and the access rules are unchanged since the page was created.
    ///
    /// If not, clients have to reconnect.
    var isAllowed: Bool {
        service?.options.access?.generation == generation && !endpoint.isRetired
    }

    /// Registers a client that is woken whenever the page changes.
    ///
    /// - Returns: An identifier to pass to `leave(_:)`.
    func add(_ waker: HTTPStreamWaker) -> UInt64 {
        lastID += 1
        wakers[lastID] = waker
        if wakers.count == 1 { service?.followed.insert(self) }
        return lastID
    }

    /// Wakes all clients of the page.
    func wake() { for waker in wakers.values { waker.wake() } }

    /// Removes a client.
    func leave(_ place: UInt64) {
        wakers[place] = nil
        if wakers.isEmpty { service?.followed.remove(self) }
    }

    /// Reads the page again, and wakes all clients when its version has changed.
    ///
    /// - Returns: Whether the read succeeded or was offloaded; a failed read is retried later.
    func renew() -> Bool {
        do throws(SourceError) {
            guard let now = try readInTurn() else { return ask(since: name) }
            if now != name { show(now) }
            return true
        } catch {
            return false
        }
    }

    /// Whether a worker is reading the page.
    var isAsked: Bool { asked != nil }

    /// Takes the result of a worker that read the page.
    ///
    /// - Returns: Whether the read succeeded and no later read is needed; nil while the result is
    ///   pending.
    func takeRenewal() -> Bool? {
        guard let asked else { return true }
        guard let result = asked.back.take() else { return nil }
        self.asked = nil
        defer { isAskedAgain = false }
        guard case .success(let renewal) = result else { return false }
        let isOther = renewal.name != name
        if isOther {
            name = renewal.name
            events.removeAll(keepingCapacity: true)
        }
        if let event = renewal.event { keep(event, since: asked.held) }
        if isOther || renewal.event != nil { for waker in wakers.values { waker.wake() } }
        return !isAskedAgain
    }

    /// Makes a worker read the page and render the event of its changes.
    @discardableResult
    private func ask(since held: String) -> Bool {
        guard asked == nil else {
            isAskedAgain = true
            return true
        }
        guard let service, let workers = service.workers else { return false }
        let back = workers.ask(.following, of: endpoint, waking: service.followed.waker) {
            [origin] service, _ in try service.renewal(of: origin, since: held)
        }
        asked = back.map { ($0, held) }
        if asked != nil { service.followed.expect(self) }
        return asked != nil
    }

    /// Returns the event for clients with a version; nil when there is none to send.
    func event(since held: String) -> [UInt8]? {
        guard held != name else { return nil }
        if let event = events[held] { return event }
        // The endpoint's page may hold the rows of another query.
        do throws(SourceError) {
            guard let now = try readInTurn() else {
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

    /// Returns the current version; nil where reading takes longer than a turn.
    private func readInTurn() throws(SourceError) -> String? {
        try endpoint.inTurn { () throws(SourceError) in try endpoint.readName(of: question) }
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
        let event = service?.event(since: held, name: name, of: question) ?? []
        if events.count < Self.maximumEvents { events[held] = event }
        return event
    }

    private func keep(_ event: [UInt8], since held: String) {
        if events.count >= Self.maximumEvents { events.removeAll(keepingCapacity: true) }
        events[held] = event
    }
}
