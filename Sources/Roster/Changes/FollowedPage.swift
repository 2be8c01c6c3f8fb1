import Bytes
import HTTP
import Listings
import Rendering

/// A page that clients of a loop follow: what it shows now, and what those are told who held it
/// before.
///
/// However many follow it, it is read once for a change, and told once to all who held the same.
final class FollowedPage {
    /// The longest event; whoever would have to read more reads the page.
    static let maximumEventBytes = 1024 * 1024
    /// The events that are kept for those who come later.
    private static let maximumEvents = 8

    /// What somebody else needs to read the page.
    struct Origin: Sendable {
        let request: HTTPRequest
        let caller: Caller?
    }

    /// What somebody else found the page to be.
    struct Renewal: Sendable {
        let name: String
        /// What those are told who held it as it was; nil where it still is.
        let event: [UInt8]?
    }

    /// What it answers.
    let question: PageQuestion
    private let origin: Origin
    /// What tells it from other pages.
    let address: String
    /// Names what it shows; empty while there is no such page.
    private(set) var name: String
    private weak var service: Service?
    /// How often the tokens had been read when it was begun.
    private let generation: Int?
    private var events: [String: [UInt8]] = [:]
    /// What is found out elsewhere, and what those held who will be told of it.
    private var asked: (back: Handback<Result<Renewal, any Error>>, held: String)?
    /// Whether it was to be found out again meanwhile: what changed after it was read is not in it.
    private var isAskedAgain = false
    private var wakers: [UInt64: HTTPStreamWaker] = [:]
    private var lastID: UInt64 = 0

    /// Begins with a page that nobody follows yet.
    ///
    /// Where it takes longer than a turn to read, it is taken for what somebody holds, and read
    /// elsewhere.
    ///
    /// - Parameters:
    ///   - call: Somebody's who is the first to follow it.
    ///   - address: What tells it from other pages.
    ///   - origin: The call as it came.
    ///   - service: Shows it.
    /// - Throws: ``SourceError`` when its list cannot be read.
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

    var endpoint: ListEndpoint { question.endpoint }

    var isFollowed: Bool { !wakers.isEmpty }

    /// Whether the server is about to stop, or has.
    var isEnding: Bool { service?.isDraining() ?? true }

    /// Whether the list and who may do what are as they were when the page was begun; whoever follows
    /// it asks again otherwise.
    var isAllowed: Bool {
        service?.options.access?.generation == generation && !endpoint.isRetired
    }

    /// Wakes somebody whenever the page shows something else.
    ///
    /// - Returns: The place to leave by.
    func add(_ waker: HTTPStreamWaker) -> UInt64 {
        lastID += 1
        wakers[lastID] = waker
        if wakers.count == 1 { service?.followed.insert(self) }
        return lastID
    }

    /// Wakes all who follow it.
    func wake() { for waker in wakers.values { waker.wake() } }

    /// Wakes somebody no longer.
    func leave(_ place: UInt64) {
        wakers[place] = nil
        if wakers.isEmpty { service?.followed.remove(self) }
    }

    /// Reads the page anew, and wakes all who follow it when it shows something else.
    ///
    /// - Returns: Whether it could be read; what cannot be now is asked for again in a moment.
    func renew() -> Bool {
        do throws(SourceError) {
            guard let now = try readInTurn() else { return ask(since: name) }
            if now != name { show(now) }
            return true
        } catch {
            return false
        }
    }

    /// Whether somebody else reads the page.
    var isAsked: Bool { asked != nil }

    /// Takes over what somebody else found the page to be.
    ///
    /// - Returns: Whether it could be read, and nothing may have changed since; nil while it is not
    ///   known.
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

    /// Has the page be read, and what changed on it be told, by somebody who may wait.
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

    /// What somebody is told who holds the page as it was; nil when there is nothing to tell.
    func event(since held: String) -> [UInt8]? {
        guard held != name else { return nil }
        if let event = events[held] { return event }
        // The rows that were read belong to another question by now.
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

    /// The name of what is there now; nil where it takes longer than a turn to find out.
    private func readInTurn() throws(SourceError) -> String? {
        try endpoint.inTurn { () throws(SourceError) in try endpoint.readName(of: question) }
    }

    private func show(_ now: String) {
        let before = name
        name = now
        events.removeAll(keepingCapacity: true)
        // Nearly all who follow it hold what it has just shown.
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
