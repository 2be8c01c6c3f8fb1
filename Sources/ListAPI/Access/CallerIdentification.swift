package import HTTP
import HTTPServer
import Listings
import Locks
import System

/// A function of the embedding program that identifies the caller of a request; it may block.
///
/// The caller is nil where the program knows none, the turn where no other client can wait.
package typealias CallerIdentification =
    @Sendable (HTTPRequest, IdentificationTurn?) throws -> AccessCredential?

/// The turn of a request whose caller the program identifies; it ends with the last reference.
package final class IdentificationTurn: Sendable {
    private let arrival = MonotonicTime.now
    private let client: UInt64?
    private let limit: PerAddressLimit

    /// Begins a turn; nil if too many requests of the client have one.
    init?(of client: UInt64?, _ limit: PerAddressLimit) {
        if let client, !limit.enter(client) { return nil }
        (self.client, self.limit) = (client, limit)
    }

    deinit { if let client { limit.leave(client) } }

    package var age: Duration { .nanoseconds(arrival.age) }
}

typealias IdentifiedCaller = Result<Caller?, any Error>

final class DeferredIdentification: DeferredResponse {
    private let request: HTTPRequest
    private let identify: @Sendable (HTTPRequest) throws -> Caller?
    private let workers: ServiceWorkers
    private let proceed:
        (borrowing HTTPRequest, IdentifiedCaller, inout HTTPResponse) throws -> Void
    private let mailbox = Mailbox<IdentifiedCaller>()

    /// `identify` runs on one of the workers, `proceed` on the thread of the loop.
    init(
        _ request: borrowing HTTPRequest,
        on workers: ServiceWorkers,
        _ identify: @escaping @Sendable (HTTPRequest) throws -> Caller?,
        proceed:
            @escaping (
                borrowing HTTPRequest, IdentifiedCaller, inout HTTPResponse
            ) throws -> Void
    ) {
        self.request = copy request
        self.workers = workers
        self.identify = identify
        self.proceed = proceed
    }

    func begin(waker: HTTPStreamWaker) -> Bool {
        let isTaken = workers.offer(.waiting) { [request, identify, mailbox] in
            guard mailbox.isWanted else { return }
            RequestCancellation.$current.withValue(mailbox.cancellation) {
                mailbox.put(Result { try identify(request) })
            }
            waker.wake()
        }
        if !isTaken {
            mailbox.put(.failure(SourceError.outOfTime))
            waker.wake()
        }
        return true
    }

    func take(into response: inout HTTPResponse) throws -> Bool {
        guard let caller = mailbox.take() else { return false }
        try proceed(request, caller, &response)
        return true
    }

    /// Does nothing, because a client that still reads wants the response.
    func clientLeft() {}

    func cancel() { mailbox.cancel() }
}
