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

    /// What it answers.
    let question: PageQuestion
    /// What tells it from other pages.
    let address: String
    /// Names what it shows; empty while there is no such page.
    private(set) var name: String
    private weak var service: Service?
    /// How often the tokens had been read when it was begun.
    private let generation: Int?
    private var events: [String: [UInt8]] = [:]
    private var wakers: [UInt64: HTTPStreamWaker] = [:]
    private var lastID: UInt64 = 0

    /// Begins with a page that nobody follows yet.
    ///
    /// - Throws: ``SourceError`` when its list cannot be read.
    init(
        _ question: PageQuestion,
        at address: String,
        for service: Service
    ) throws(SourceError) {
        self.question = question
        self.address = address
        self.service = service
        generation = service.options.access?.generation
        name = ""
        name = try read()
    }

    var endpoint: ListEndpoint { question.endpoint }

    var isFollowed: Bool { !wakers.isEmpty }

    /// Whether the server is about to stop, or has.
    var isEnding: Bool { service?.isDraining() ?? true }

    /// Whether who may do what is as it was when the page was begun; whoever follows it asks again
    /// otherwise.
    var isAllowed: Bool { service?.options.access?.generation == generation }

    /// Wakes somebody whenever the page shows something else.
    ///
    /// - Returns: The place to leave by.
    func add(_ waker: HTTPStreamWaker) -> UInt64 {
        lastID += 1
        wakers[lastID] = waker
        if wakers.count == 1 { service?.followed.insert(self) }
        return lastID
    }

    /// Wakes somebody no longer.
    func leave(_ place: UInt64) {
        wakers[place] = nil
        if wakers.isEmpty { service?.followed.remove(self) }
    }

    /// Reads the page anew, and wakes all who follow it when it shows something else.
    func renew() {
        // What cannot be read now is asked for again in a moment.
        guard let now = try? read(), now != name else { return }
        show(now)
    }

    /// What somebody is told who holds the page as it was; nil when there is nothing to tell.
    func event(since held: String) -> [UInt8]? {
        guard held != name else { return nil }
        if let event = events[held] { return event }
        // The rows that were read belong to another question by now.
        guard let now = try? read() else { return nil }
        if now != name { show(now) }
        guard held != name else { return nil }
        return events[held] ?? keepEvent(since: held)
    }

    /// The name of what is there now; the rows are in the page of the endpoint then.
    private func read() throws(SourceError) -> String {
        do {
            try endpoint.readNamed(question)
            return endpoint.page.windowName.text()
        } catch {
            guard error.isOfPage else { throw error }
            return ""
        }
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
        let event = makeEvent(since: held)
        if events.count < Self.maximumEvents { events[held] = event }
        return event
    }

    private func makeEvent(since held: String) -> [UInt8] {
        var buffer = ByteBuffer(minimumCapacity: 4 * 1024)
        // What cannot be read is told as a reset.
        if !name.isEmpty,
            case .changed(let difference) = endpoint.fate(of: try? WindowToken(held), question)
        {
            write("changes", to: &buffer) { buffer in
                service?.write(difference, of: question, since: held, to: &buffer)
            }
            if buffer.count <= Self.maximumEventBytes { return buffer.array() }
            buffer.removeAll()
        }
        write("reset", to: &buffer) { buffer in
            service?.json.renderReset(in: question.answer.context, to: &buffer)
        }
        return buffer.array()
    }

    private func write(
        _ event: StaticString,
        to buffer: inout ByteBuffer,
        data: (inout ByteBuffer) -> Void
    ) {
        buffer.append("event: " as StaticString)
        buffer.append(event)
        buffer.append("\nid: " as StaticString)
        buffer.append(name)
        buffer.append("\ndata: " as StaticString)
        data(&buffer)
        buffer.append("\n\n" as StaticString)
    }
}
