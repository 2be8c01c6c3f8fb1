import HTTP
import Sockets

/// An answer that waits for a thread that may wait.
final class Handover: HTTPDeferral {
    let handed: HandedRequest
    /// When the request came.
    let start: MonotonicTime
    /// The page that is sent where the list is still the same.
    let kept: ResponseCache.Response?
    private let gateway: Gateway
    private let workers: ServiceWorkers
    private let back = Handback<HandedAnswer>()

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
        since start: MonotonicTime,
        _ kept: ResponseCache.Response?,
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
        let method = handed.request.method
        let work: ServiceWorkers.Work =
            method.isReading || method == .options ? .reading : .writing
        let isTaken = workers.offer(work) { [handed, workers, back] in
            guard back.isWanted else { return }
            back.put(workers.answer(handed))
            waker.wake()
        }
        if !isTaken {
            // The service tells it, in the format that was asked for.
            var answer = HandedAnswer()
            answer.isOverload = true
            back.put(answer)
            waker.wake()
        }
        return true
    }

    func take(into response: inout HTTPResponse) throws -> Bool {
        switch back.take() {
        case .some(let answer):
            try gateway.finish(self, with: answer, &response)
            return true
        case nil:
            return false
        }
    }

    /// Nothing can be called off but what has not begun, and a client that reads wants that, too.
    func clientLeft() {}

    func cancel() { back.cancel() }
}
