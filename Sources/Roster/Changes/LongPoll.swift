import HTTP

/// An answer that waits until there is something to tell, for a while.
///
/// Then the request is answered as if it had just come.
final class LongPoll: HTTPDeferral {
    /// The longest wait, in seconds; below the time that a handler may take.
    static let longest = 25

    let page: FollowedPage
    /// When there is an answer, whether anything changed or not.
    let until: ContinuousClock.Instant
    /// Answers the request in the end; the service, or what stands before it.
    weak var handler: (any HTTPHandler)?
    private let request: HTTPRequest
    private let held: String
    private weak var service: Service?
    private var waker: HTTPStreamWaker?
    private var place: UInt64?
    private var isOver = false

    /// Prepares to wait.
    ///
    /// - Parameters:
    ///   - page: What is followed.
    ///   - held: Names what the client holds.
    ///   - seconds: How long to wait.
    ///   - request: What is answered in the end.
    ///   - service: Answers it.
    init(
        _ page: FollowedPage,
        since held: String,
        for seconds: Int,
        _ request: HTTPRequest,
        _ service: Service
    ) {
        self.page = page
        self.held = held
        until = .now.advanced(by: .seconds(seconds))
        self.request = request
        self.service = service
        handler = service
    }

    func begin(waker: HTTPStreamWaker) -> Bool {
        self.waker = waker
        place = page.add(waker)
        service?.followed.insert(self)
        // Something may have changed since the request was looked at.
        if page.name != held { waker.wake() }
        return true
    }

    /// Ends the waiting.
    func end() {
        isOver = true
        waker?.wake()
    }

    func take(into response: inout HTTPResponse) throws -> Bool {
        guard isOver || page.name != held, let service, let handler else { return false }
        leave()
        service.mayWait = false
        defer { service.mayWait = true }
        try handler.respond(to: request, with: &response)
        return true
    }

    /// Whoever still reads is answered at once.
    func clientLeft() { end() }

    func cancel() { leave() }

    private func leave() {
        if let place { page.leave(place) }
        place = nil
        service?.followed.remove(self)
    }
}
