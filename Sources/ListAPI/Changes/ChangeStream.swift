import Bytes
import HTTP
import Locks

/// A slow client gets fewer and larger events, so that nothing is queued for it.
final class ChangeStream: HTTPBodyStream {
    /// The interval of keep-alive comments, so that proxies do not close the stream.
    private static let silence = Duration.seconds(15)

    private static let reset = Array("event: reset".utf8)

    private let page: Subscription
    private var held: String
    private var waiter: UInt64?
    private var hasBegun = false
    private let metrics: ServiceMetrics

    init(_ page: Subscription, since held: String, _ metrics: ServiceMetrics) {
        self.page = page
        self.metrics = metrics
        // Equal strings share their storage.
        self.held = held == page.name ? page.name : held
    }

    deinit {
        guard let waiter else { return }
        page.leave(waiter)
        metrics.streamsEnded.add()
    }

    func begin(waker: HTTPStreamWaker) {
        waiter = page.add(waker)
        metrics.streamsBegun.add()
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
                metrics.resets.add()
            } else {
                metrics.batches.add()
            }
            held = page.name
        } else if hasBegun {
            buffer.append(": keep-alive\n\n" as StaticString)
        }
        hasBegun = true
        return .waiting(atMost: Self.silence)
    }
}
