public import Bytes

/// Answers requests on the event loop: the cheapest way, for what never waits.
///
/// The server makes one instance per event loop and calls it from that loop's thread only, so it
/// may keep database connections, statements and buffers of its own without locks. A call must not
/// block for long: every connection of the loop waits meanwhile. What blocks is answered by a
/// ``BlockingHTTPHandler``, what awaits by an ``AsyncHTTPHandler``; both are put behind this
/// protocol, so that a handler can answer some requests itself and leave others to one of them.
public protocol HTTPHandler: AnyObject {
    /// Fills the response to a complete request.
    ///
    /// - Parameters:
    ///   - request: The request, its body included; lent for the call.
    ///   - response: An empty answer of status 200. A HEAD request is answered as GET would be: the
    ///     server sends its Content-Length and leaves the body out.
    /// - Throws: Anything; the client gets a problem of status 500 and the error is logged.
    func respond(to request: borrowing HTTPRequest, with response: inout HTTPResponse) throws

    /// Decides, before the body is read, whether it will be.
    ///
    /// Asked only where the answer saves something: when the client waits for 100, when the body is
    /// over `HTTPLimits.maximumDroppedBodyBytes`, or when it comes in chunks and
    /// `HTTPLimits.maximumHandedBodyBytes` is not 0. Unless it is implemented, every body is read.
    ///
    /// - Parameters:
    ///   - request: The request without its body; lent for the call.
    ///   - response: What to fill for the decision `.respond`.
    /// - Returns: What to do.
    /// - Throws: As `respond(to:with:)`.
    func admitBody(
        of request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws -> HTTPBodyDecision

    /// Fills the answer to a request that the server answers by itself: one that is malformed, too
    /// large or too slow, whose method is unknown, or whose handler failed.
    ///
    /// Unless it is implemented, the answer is a problem document of no particular type.
    ///
    /// - Parameters:
    ///   - refusal: What the client is told.
    ///   - response: An empty answer; its status is the refusal's, whatever is set here.
    func refuse(_ refusal: HTTPRefusal, with response: inout HTTPResponse)
}

/// Answers requests on threads that may wait: for files, databases, other services.
///
/// One instance answers on all threads at once. An answer costs two changes of threads and an
/// allocation more than on the event loop, a waiting one a thread; `HTTPWorkers` bounds how many
/// there are.
public protocol BlockingHTTPHandler: Sendable {
    /// Fills the response to a complete request, on any of the worker threads.
    ///
    /// - Parameters:
    ///   - request: The request, its body included; it may be kept.
    ///   - response: As for ``HTTPHandler/respond(to:with:)``.
    /// - Throws: Anything; the client gets a problem of status 500 and the error is logged.
    func respond(to request: HTTPRequest, with response: inout HTTPResponse) throws
}

/// Answers requests by tasks: for what awaits.
///
/// One instance answers all requests, each in a task of its own, of which there are as many as
/// connections wait for an answer. An answer costs a task and two changes of threads more than on
/// the event loop; a waiting one costs no thread.
public protocol AsyncHTTPHandler: Sendable {
    /// Fills the response to a complete request.
    ///
    /// The task is cancelled when the client sends no more or its time is over
    /// (`HTTPLimits.handlerTimeout`). A client may do the first and still read: an answer that is
    /// made nevertheless is sent, an error thrown after that is not told.
    ///
    /// - Parameters:
    ///   - request: The request, its body included; it may be kept.
    ///   - response: As for ``HTTPHandler/respond(to:with:)``.
    /// - Throws: Anything; the client gets a problem of status 500 and the error is logged.
    func respond(to request: HTTPRequest, with response: inout HTTPResponse) async throws
}

extension HTTPHandler {
    /// Fills in a problem document of no particular type.
    public func refuse(_ refusal: HTTPRefusal, with response: inout HTTPResponse) {
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

/// Takes a body as it comes, for what is too large for memory.
///
/// It is released with the request: where the client goes before the body is whole, nobody is told
/// but its `deinit`.
public protocol HTTPBodySink: AnyObject, Sendable {
    /// Takes the next bytes, on the event loop; it must not block for long.
    ///
    /// What goes wrong is kept and told by the answer.
    ///
    /// - Parameter bytes: Lent for the call; never none.
    func take(_ bytes: borrowing Span<UInt8>)
}

/// What to do with a body that has been announced.
public enum HTTPBodyDecision: Sendable {
    /// Read it, and let `respond(to:with:)` answer; 413 where it is over
    /// `HTTPLimits.maximumBodyBytes`.
    case read
    /// Hand it on as it comes, up to `HTTPLimits.maximumHandedBodyBytes`, and let
    /// `respond(to:with:)` answer a request whose ``HTTPRequest/sink`` is this one.
    case hand(to: any HTTPBodySink)
    /// Send the response at once, leave the body unread and close the connection.
    case respond
}

/// Produces a body piece by piece.
///
/// Asked for the next piece only when the socket has taken the last, and released when the client
/// vanishes.
public protocol HTTPBodyStream: AnyObject {
    /// Takes what wakes the stream while it waits; called once, before the first piece.
    ///
    /// A stream that never waits needs none.
    ///
    /// - Parameter waker: May be kept and handed to other threads.
    func begin(waker: HTTPStreamWaker)

    /// Appends the next piece.
    ///
    /// A piece may be of any size; a few kilobytes suit best. Pieces are gathered up to 16 KiB
    /// before they are sent, so a call may follow another at once.
    ///
    /// - Parameter buffer: What to append to; what it holds already must be left alone.
    /// - Returns: Whether there is more to come.
    /// - Throws: Anything; the connection is reset, so that no client takes the part for the whole.
    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState
}

extension HTTPBodyStream {
    /// Does nothing.
    public func begin(waker: HTTPStreamWaker) {}
}

/// Makes the server ask a waiting body stream for its next piece.
public struct HTTPStreamWaker: Sendable {
    private let action: @Sendable () -> Void

    /// Creates a waker.
    ///
    /// - Parameter action: Called on the thread of whoever wakes; must not block.
    package init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// Wakes the stream; from any thread, at any time, and without effect once it has ended.
    public func wake() { action() }
}

/// Whether a body stream goes on.
public enum HTTPStreamState: Hashable, Sendable {
    /// Ask again. A piece that stays empty for ever keeps the loop busy for ever.
    case more
    /// There is nothing to send until the stream is woken; ask again after this time even so.
    ///
    /// When the server drains, the stream is asked once more at once and should finish.
    case waiting(atMost: Duration)
    /// The body is complete.
    case finished
}
