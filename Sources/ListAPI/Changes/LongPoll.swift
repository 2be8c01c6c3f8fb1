import HTTP

/// After the wait, the request is handled as if it had just arrived.
final class LongPoll: DeferredResponse {
    /// The longest wait, in seconds; shorter than the handler timeout.
    static let longest = 25

    let page: Subscription
    let until: ContinuousClock.Instant
    weak var handler: (any HTTPHandler)?
    private let request: HTTPRequest
    private let held: String
    private weak var loop: LoopState?
    private var waker: HTTPStreamWaker?
    private var waiter: UInt64?
    private var isOver = false

    init(
        _ page: Subscription,
        since held: String,
        for seconds: Int,
        _ request: HTTPRequest,
        _ loop: LoopState
    ) {
        self.page = page
        self.held = held
        until = .now.advanced(by: .seconds(seconds))
        self.request = request
        self.loop = loop
    }

    func begin(waker: HTTPStreamWaker) -> Bool {
        self.waker = waker
        waiter = page.add(waker)
        loop?.subscriptions.insert(self)
        // The page may have changed since the request was checked.
        if page.name != held { waker.wake() }
        return true
    }

    func end() {
        isOver = true
        waker?.wake()
    }

    func take(into response: inout HTTPResponse) throws -> Bool {
        guard isOver || page.name != held, let handler else { return false }
        leave()
        try handler.respond(to: request, with: &response)
        return true
    }

    /// Ends the wait, because a client that still reads gets its response at once.
    func clientLeft() { end() }

    func cancel() { leave() }

    private func leave() {
        if let waiter { page.leave(waiter) }
        waiter = nil
        loop?.subscriptions.remove(self)
    }
}
