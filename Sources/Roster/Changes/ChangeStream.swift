import Bytes
import HTTP
import Locks

/// Tells one client what changes on a page, event by event.
///
/// Each event leads from what the client was told last to what there is when its connection takes
/// more: a client that reads slowly gets fewer events that say more, and never waits in anybody's
/// memory.
final class ChangeStream: HTTPBodyStream {
    /// The time after which silence is broken, so that nobody between takes it for the end.
    private static let silence = Duration.seconds(15)

    /// What an event begins with that tells to read the page again.
    private static let reset = Array("event: reset".utf8)

    private let page: FollowedPage
    private var held: String
    private var place: UInt64?
    private var hasBegun = false
    private let measures: ServiceMeasures

    /// Prepares to tell.
    ///
    /// - Parameters:
    ///   - page: What is followed.
    ///   - held: Names what the client holds.
    ///   - measures: What counts the stream and what it tells.
    init(_ page: FollowedPage, since held: String, _ measures: ServiceMeasures) {
        self.page = page
        self.measures = measures
        // Equal texts share their memory.
        self.held = held == page.name ? page.name : held
    }

    deinit {
        guard let place else { return }
        page.leave(place)
        measures.streamsEnded.add()
    }

    func begin(waker: HTTPStreamWaker) {
        place = page.add(waker)
        measures.streamsBegun.add()
    }

    func write(into buffer: inout ByteBuffer) -> HTTPStreamState {
        if !hasBegun { buffer.append("retry: 2000\n\n" as StaticString) }
        guard page.isAllowed else { return .finished }
        guard !page.isEnding else {
            buffer.append(": the server stops\n\n" as StaticString)
            return .finished
        }
        if let event = page.event(since: held) {
            buffer.append(event)
            if event.starts(with: Self.reset) {
                measures.resets.add()
            } else {
                measures.batches.add()
            }
            held = page.name
        } else if hasBegun {
            buffer.append(": keep-alive\n\n" as StaticString)
        }
        hasBegun = true
        return .waiting(atMost: Self.silence)
    }
}
