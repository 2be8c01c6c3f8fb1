import HTTP
import Locks
import System

/// A response that waits for a worker.
final class Offload: DeferredResponse {
    let handed: OffloadedRequest
    /// The time when the request arrived.
    let start: MonotonicTime
    /// The cached page, which is sent if the list is unchanged.
    let kept: ResponseCache.Response?
    private let gateway: Gateway
    private let workers: ServiceWorkers
    private let back = Mailbox<OffloadedResponse>()

    /// Creates a handover.
    ///
    /// - Parameters:
    ///   - handed: The offloaded request.
    ///   - start: The time when the request arrived.
    ///   - kept: The cached page, which is sent if the list is unchanged.
    ///   - gateway: The gateway that completes the response.
    ///   - workers: The workers that create the response.
    init(
        _ handed: OffloadedRequest,
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
            // The service reports it in the format that the client requested.
            var answer = OffloadedResponse()
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

    /// Does nothing, because started work cannot stop and a client that still reads wants the
    /// response.
    func clientLeft() {}

    func cancel() { back.cancel() }
}
