public import Bytes

/// A handler on the event loop: the cheapest kind, for responses that never wait.
///
/// The server makes one instance per event loop and calls it only from that loop's thread. It may
/// therefore own database connections, statements and buffers without locks. A call must not block
/// for long, because every connection of the loop waits meanwhile. Use a ``BlockingHTTPHandler``
/// for code that blocks, an ``AsyncHTTPHandler`` for code that awaits. The server wraps both in
/// this protocol, so that a handler can pass some requests to one of them.
public protocol HTTPHandler: AnyObject {
    /// Fills the response to a complete request.
    ///
    /// - Parameters:
    ///   - request: The request with its body, borrowed for the call.
    ///   - response: An empty response of status 200. Handle HEAD like GET: the server sends the
    ///     Content-Length and omits the body.
    /// - Throws: Any error. The client receives a problem of status 500 and the error is logged.
    func respond(to request: borrowing HTTPRequest, with response: inout HTTPResponse) throws

    /// Decides whether the body is read, before it is.
    ///
    /// Called only if the client waits for 100, or the body is over
    /// `HTTPLimits.maximumDroppedBodyBytes`. Also called for a chunked body if
    /// `HTTPLimits.maximumHandedBodyBytes` is not 0. By default, every body is read.
    ///
    /// - Parameters:
    ///   - request: The request without its body, borrowed for the call.
    ///   - response: The response for the decision `.respond`.
    /// - Returns: The decision.
    /// - Throws: As `respond(to:with:)`.
    func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision

    /// Fills a response that the server makes itself.
    ///
    /// The request was malformed, too large or too slow, its method is unknown, or its handler
    /// failed. By default, the response is a problem document of type `about:blank`.
    ///
    /// - Parameters:
    ///   - refusal: The status and the detail for the client.
    ///   - response: An empty response. The refusal's status replaces any that is set here.
    func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse)
}

/// A handler on threads that may wait, for files, databases and other services.
///
/// All threads share one instance. A response costs two thread switches and an allocation more than
/// on the event loop. A waiting one occupies a thread. `WorkerPool` limits the number of threads.
public protocol BlockingHTTPHandler: Sendable {
    /// Fills the response to a complete request, on any of the worker threads.
    ///
    /// - Parameters:
    ///   - request: The request with its body. It may be stored.
    ///   - response: As for ``HTTPHandler/respond(to:with:)``.
    /// - Throws: Any error. The client receives a problem of status 500 and the error is logged.
    func respond(to request: HTTPRequest, with response: inout HTTPResponse) throws
}

/// A handler in tasks, for code that awaits.
///
/// One instance handles all requests, each in its own task. There is one task per waiting
/// connection. A response costs a task and two thread switches more than on the event loop. A
/// waiting one occupies no thread.
public protocol AsyncHTTPHandler: Sendable {
    /// Fills the response to a complete request.
    ///
    /// The task is cancelled when the client ends its input or its time is over
    /// (`HTTPLimits.handlerTimeout`). A client may end its input and still read, so a response made
    /// after that is sent. An error thrown after that is not reported.
    ///
    /// - Parameters:
    ///   - request: The request with its body. It may be stored.
    ///   - response: As for ``HTTPHandler/respond(to:with:)``.
    /// - Throws: Any error. The client receives a problem of status 500 and the error is logged.
    func respond(to request: HTTPRequest, with response: inout HTTPResponse) async throws
}

extension HTTPHandler {
    /// Fills in a problem document of type `about:blank`.
    public func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
        refusal.write(into: &response)
    }

    /// Reads every body.
    public func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision {
        .read
    }
}

/// A sink for a body that is too large for memory, which takes it as it arrives.
///
/// It is released with the request. If the client disconnects before the body is complete, only its
/// `deinit` is called.
public protocol HTTPBodySink: AnyObject, Sendable {
    /// Takes the next bytes, on the event loop, without blocking for long.
    ///
    /// The sink stores an error, and the handler reports it in the response.
    ///
    /// - Parameter bytes: The bytes, borrowed for the call; never empty.
    func take(_ bytes: borrowing Span<UInt8>)
}

/// A handler's decision about an announced body.
public enum HTTPBodyDecision: Sendable {
    /// Read it, then call `respond(to:with:)`, with 413 if it is over
    /// `HTTPLimits.maximumBodyBytes`.
    case read
    /// Pass it on as it arrives, up to `HTTPLimits.maximumHandedBodyBytes`.
    ///
    /// Then call `respond(to:with:)` for the request, whose ``HTTPRequest/sink`` is this one.
    case hand(to: any HTTPBodySink)
    /// Send the response at once, leave the body unread and close the connection.
    case respond
}

/// A body that is produced piece by piece.
///
/// It is read only when the socket has taken the last piece, and released when the client
/// disconnects.
public protocol HTTPBodyStream: AnyObject {
    /// Receives the waker of the stream; called once, before the first piece.
    ///
    /// A stream that never waits needs none.
    ///
    /// - Parameter waker: May be stored and passed to other threads.
    func begin(waker: HTTPStreamWaker)

    /// Appends the next piece.
    ///
    /// A piece may be of any size; a few kilobytes are best. Pieces are gathered up to 16 KiB
    /// before they are sent, so one call may directly follow another.
    ///
    /// - Parameter buffer: The buffer to append to. Leave its present bytes unchanged.
    /// - Returns: The state of the stream after the piece.
    /// - Throws: Any error. The connection is reset, so that no client takes the part for the
    ///   whole.
    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState
}

extension HTTPBodyStream {
    /// Does nothing.
    public func begin(waker: HTTPStreamWaker) {}
}

/// A handle that makes the server read a waiting body stream again.
public struct HTTPStreamWaker: Sendable {
    package let client: UInt64?
    private let action: @Sendable () -> Void

    /// The client is a number of the address that waits.
    ///
    /// The action is called on the thread of the `wake()` call; it must not block.
    package init(of client: UInt64? = nil, _ action: @escaping @Sendable () -> Void) {
        self.client = client
        self.action = action
    }

    /// Wakes the stream, from any thread and at any time, without effect once the stream has ended.
    public func wake() { action() }
}

/// The state of a body stream after a piece.
public enum HTTPStreamState: Hashable, Sendable {
    /// Call again; a stream that stays here with empty pieces keeps the loop busy.
    case more
    /// Nothing can be sent until the stream is woken, or until this time has passed.
    ///
    /// When the server drains, the stream is called once more at once and should finish.
    case waiting(atMost: Duration)
    /// The body is complete.
    case finished
}

/// A handler that also works without a request: at times it chooses, and when it is woken.
package protocol HTTPTimerHandler: HTTPHandler {
    /// Called once, on the loop's thread, before the first request.
    ///
    /// The waker may be stored and passed to other threads.
    func begin(waker: HTTPStreamWaker)

    /// Does pending work; called on the loop's thread when woken or when its time has come.
    ///
    /// Returns the monotonic time of the next call. Nil waits until the handler is woken.
    func tick(at now: ContinuousClock.Instant) -> ContinuousClock.Instant?
}
