import HTTP
import Locks

final class Offload: DeferredResponse {
    private var call: Call?
    private var offloaded: OffloadedCall?
    /// The named caller, or the address that a proxy names; nil for that of the connection.
    private let client: UInt64?
    private let cached: ResponseCache.Response?
    private let middleware: Middleware
    private let workers: ServiceWorkers

    init(
        _ call: consuming Call,
        of client: UInt64?,
        _ cached: ResponseCache.Response?,
        for middleware: Middleware,
        _ workers: ServiceWorkers
    ) {
        self.call = consume call
        self.client = client
        self.cached = cached
        self.middleware = middleware
        self.workers = workers
    }

    func begin(waker: HTTPStreamWaker) -> Bool {
        guard let call = call.take() else { preconditionFailure("the call was moved before") }
        let offloaded = OffloadedCall(call, cached?.source, waker)
        self.offloaded = offloaded
        workers.handle(offloaded, of: client ?? waker.client)
        return true
    }

    func take(into response: inout HTTPResponse) throws -> Bool {
        guard let call = offloaded?.takeBack() else { return false }
        response = middleware.finish(call, cached)
        return true
    }

    /// Does nothing, because a client that still reads wants the response.
    func clientLeft() {}

    func cancel() { offloaded?.cancel() }
}
