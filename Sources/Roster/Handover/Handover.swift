import HTTP
import Locks

/// An answer that waits for a thread that may wait.
final class Handover: HTTPDeferral {
    /// What comes back.
    private final class Slot: Sendable {
        let answer: Locked<HandedAnswer?> = Locked(nil)
        let isWanted = Locked(true)
    }

    let handed: HandedRequest
    /// When the request came.
    let start: ContinuousClock.Instant
    /// The page that is sent where the list is still the same.
    let kept: PageCache.Answer?
    private let gateway: Gateway
    private let workers: ServiceWorkers
    private let slot = Slot()

    /// Prepares to hand a request over.
    ///
    /// - Parameters:
    ///   - handed: The request.
    ///   - start: When it came.
    ///   - kept: The page that is sent where the list is still the same.
    ///   - gateway: Finishes the answer.
    ///   - workers: Make it.
    init(
        _ handed: HandedRequest,
        since start: ContinuousClock.Instant,
        _ kept: PageCache.Answer?,
        for gateway: Gateway,
        _ workers: ServiceWorkers
    ) {
        self.handed = handed
        self.start = start
        self.kept = kept
        self.gateway = gateway
        self.workers = workers
    }

    func begin(waker: HTTPStreamWaker) -> Bool {
        workers.offer(handed.request.method) { [handed, workers, slot] in
            guard slot.isWanted.withLock({ $0 }) else { return }
            slot.answer.replace(with: workers.answer(handed))
            waker.wake()
        }
    }

    func take(into response: inout HTTPResponse) throws -> Bool {
        switch slot.answer.withLock({ $0.take() }) {
        case .some(let answer):
            gateway.finish(self, with: answer, &response)
            return true
        case nil:
            return false
        }
    }

    /// Nothing can be called off but what has not begun, and a client that reads wants that, too.
    func clientLeft() {}

    func cancel() { slot.isWanted.withLock { $0 = false } }
}
