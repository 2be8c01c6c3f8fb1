/// What happens on one HTTP/1.1 or HTTP/1.0 connection, as a pure state machine: it is told events
/// and says what to do next.
///
/// It parses requests, one in progress at a time and answered in order, frames the answers,
/// keeps the connection or closes it (RFC 9112 §9), and knows how long the next event may take.
/// It does no input or output and reads no clock. After every event the caller obeys the returned
/// action and sees to it that `deadlinePassed` is called once `deadline` has passed.
///
/// The caller passes the loop's `HTTPOutput`, or the connection's own one while it is not drained.
package struct HTTPConnectionMachine: ~Copyable {
    /// The request the handler has to answer; complete while the action is `.respond`.
    package private(set) var request = HTTPRequest()

    /// The status of the last final answer, for the access log; nil before the first.
    package private(set) var lastStatus: HTTPStatus?

    /// When `deadlinePassed` has to be called; nil once the connection is to be closed.
    package var deadline: ContinuousClock.Instant? { nil }

    /// Creates the machine of a connection just accepted; the first action is `.receive`.
    package init(limits: HTTPLimits, at now: HTTPTime) { preconditionFailure() }

    /// Bytes have arrived. They are parsed in place; what is not needed yet is copied.
    package mutating func bytesReceived(
        _ bytes: borrowing Span<UInt8>,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction { preconditionFailure() }

    /// The client sends no more (FIN); it may still read.
    package mutating func peerClosed(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction { preconditionFailure() }

    /// The handler has answered. The response is emptied for the next answer.
    package mutating func responseReady(
        _ response: inout HTTPResponse,
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction { preconditionFailure() }

    /// The handler has thrown: the client gets a problem of status 500.
    package mutating func handlerFailed(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction { preconditionFailure() }

    /// The socket has taken some bytes of the output (also call `HTTPOutput.removeFirst`).
    package mutating func bytesWritten(_ count: Int, at now: HTTPTime) { preconditionFailure() }

    /// The socket has taken all of the output.
    package mutating func outputDrained(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction { preconditionFailure() }

    /// The clock has reached `deadline`. Calling too early is harmless: the answer is `.proceed`.
    package mutating func deadlinePassed(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction { preconditionFailure() }

    /// The server stops: an idle connection closes now, a busy one after the answer in progress.
    package mutating func drainRequested(
        at now: HTTPTime,
        into output: inout HTTPOutput
    ) -> HTTPConnectionAction { preconditionFailure() }
}
