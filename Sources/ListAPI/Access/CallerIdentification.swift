package import HTTP
import HTTPServer
import Listings
import Locks

/// A function of the embedding program that identifies the caller of a request; it may block.
package struct CallerIdentification: Sendable {
    /// The name and the scopes of a caller; nil for one that the program does not know.
    package typealias Identify =
        @Sendable (
            HTTPRequest
        ) throws -> (name: String, scopes: [String])?

    private let identify: Identify

    /// Creates an identification.
    package init(_ identify: @escaping Identify) { self.identify = identify }

    /// Returns the caller of a request.
    ///
    /// - Throws: The error of the program, or ``Failure`` for scopes that cannot be.
    func caller(of request: HTTPRequest, _ store: AccessPolicyStore) throws -> Caller? {
        guard let (name, scopes) = try identify(request) else { return nil }
        return try store.caller(named: name, scopes: scopes)
    }
}

/// The caller that the program has identified, or the error that it threw.
typealias IdentifiedCaller = Result<Caller?, any Error>

/// A response that waits until the program has identified the caller.
final class DeferredIdentification: DeferredResponse {
    private let request: HTTPRequest
    private let identify: @Sendable (HTTPRequest) throws -> Caller?
    private let workers: ServiceWorkers
    private let proceed:
        (borrowing HTTPRequest, IdentifiedCaller, inout HTTPResponse) throws -> Void
    private let mailbox = Mailbox<IdentifiedCaller>()

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - workers: The threads that may wait for the program.
    ///   - identify: Identifies the caller on one of them.
    ///   - proceed: Fills the response on the thread of the loop.
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
