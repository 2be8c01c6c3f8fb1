import Bytes
import HTTP

/// Tells one client what changes on a page, event by event.
///
/// Each event leads from what the client was told last to what there is when its connection takes
/// more: a client that reads slowly gets fewer events that say more, and never waits in anybody's
/// memory.
final class ChangeStream: HTTPBodyStream {
    /// The time after which silence is broken, so that nobody between takes it for the end.
    private static let silence = Duration.seconds(15)

    private let page: FollowedPage
    private var held: String
    private var place: UInt64?
    private var hasBegun = false

    /// Prepares to tell.
    ///
    /// - Parameters:
    ///   - page: What is followed.
    ///   - held: Names what the client holds.
    init(_ page: FollowedPage, since held: String) {
        self.page = page
        // Equal texts share their memory.
        self.held = held == page.name ? page.name : held
    }

    deinit {
        if let place { page.leave(place) }
    }

    func begin(waker: HTTPStreamWaker) { place = page.add(waker) }

    func write(into buffer: inout ByteBuffer) -> HTTPStreamState {
        if !hasBegun { buffer.append("retry: 2000\n\n" as StaticString) }
        guard !page.isEnding else {
            buffer.append(": the server stops\n\n" as StaticString)
            return .finished
        }
        if let event = page.event(since: held) {
            buffer.append(event)
            held = page.name
        } else if hasBegun {
            buffer.append(": keep-alive\n\n" as StaticString)
        }
        hasBegun = true
        return .waiting(atMost: Self.silence)
    }
}
