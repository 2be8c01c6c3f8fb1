import HTTP
import Locks
import Rendering
import System

/// A response that waits for a worker.
final class Offload: DeferredResponse {
    let offloaded: OffloadedRequest
    /// The time when the request arrived.
    let start: MonotonicTime
    /// The cached page, which is sent if the list is unchanged.
    let cached: ResponseCache.Response?
    private let middleware: Middleware
    private let workers: ServiceWorkers
    private let mailbox = Mailbox<OffloadedResponse>()

    init(
        _ offloaded: OffloadedRequest,
        since start: MonotonicTime,
        _ cached: ResponseCache.Response?,
        for middleware: Middleware,
        _ workers: ServiceWorkers
    ) {
        self.offloaded = offloaded
        self.start = start
        self.cached = cached
        self.middleware = middleware
        self.workers = workers
    }

    func begin(waker: HTTPStreamWaker) -> Bool {
        let method = offloaded.request.method
        guard method.isReading || method == .options || offloaded.isOfProgram else {
            workers.write(WaitingWrite(offloaded, to: mailbox) { waker.wake() })
            return true
        }
        let isTaken = workers.offer(offloaded.work) { [offloaded, workers, mailbox] in
            guard mailbox.isWanted else { return }
            RequestCancellation.$current.withValue(mailbox.cancellation) {
                mailbox.put(workers.respond(to: offloaded))
            }
            waker.wake()
        }
        if !isTaken {
            // The service reports it in the format that the client requested.
            var result = OffloadedResponse()
            result.refusal = .overload
            mailbox.put(result)
            waker.wake()
        }
        return true
    }

    func take(into response: inout HTTPResponse) throws -> Bool {
        switch mailbox.take() {
        case .some(let result):
            try middleware.finish(self, with: result, &response)
            return true
        case nil:
            return false
        }
    }

    /// Does nothing, because started work cannot stop and a client that still reads wants the
    /// response.
    func clientLeft() {}

    func cancel() { mailbox.cancel() }
}
