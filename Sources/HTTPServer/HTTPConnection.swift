import HTTP
import System

/// A client's connection: its descriptor, its state machine, and state between two events.
final class HTTPConnection {
    let descriptor: FileDescriptor
    let slot: Int
    let token: UInt64
    var machine: HTTPConnectionStateMachine

    /// The client's network; nil for a Unix socket.
    let network: UInt64?

    /// The other end of the connection; nil if neither handler nor access log needs it.
    var peer: HTTPPeer?

    /// The output that the socket has not taken; nil without any, so that an idle connection has no
    /// buffer.
    private var unsent: HTTPOutput?

    /// Whether output is pending, which costs less to check than `unsent`.
    private var hasUnsent = false

    /// The number of pending bytes.
    var unsentBytes = 0

    /// The events that the event loop watches the descriptor for.
    var interest: Poller.Interest = .reading

    /// Whether the connection waits for room in the send queue, and reads nothing meanwhile.
    var isWriting = false

    /// Whether its response is in the batch of this iteration.
    ///
    /// Until it is sent, nothing else is done with the connection.
    var isDeparting = false

    /// The phase, which decides about closing the connection to make room for another.
    var phase = Phase.new

    /// The time of the last activity.
    ///
    /// It is set when the connection is accepted, when a later head begins and, in the phase
    /// `lingering`, at each event.
    var quietSince: ContinuousClock.Instant

    /// Whether the client has ended its input.
    var isInputOver = false

    /// The deferred response.
    var deferred: DeferredAnswer?

    /// The entry of its endless stream in the count.
    var lasting: StreamLimiter.Place?

    /// The response that is being streamed, for the access log.
    var streamed: StreamedResponse?

    enum Phase {
        /// No byte has come yet, or only a part of a request's head.
        case new

        /// No byte has come since the last response was sent.
        case kept

        /// A request or a response is in progress.
        case busy

        /// The last response was sent, and further input is dropped.
        case lingering
    }

    init(
        _ descriptor: consuming FileDescriptor,
        slot: Int,
        token: UInt64,
        network: UInt64?,
        machine: consuming HTTPConnectionStateMachine,
        at time: HTTPTime
    ) {
        self.descriptor = descriptor
        self.slot = slot
        self.token = token
        self.network = network
        self.machine = machine
        quietSince = time.monotonic
    }

    /// Takes the output that the socket has not taken; nil without any.
    func takeOutput() -> HTTPOutput? {
        guard hasUnsent else { return nil }
        hasUnsent = false
        return unsent.take()
    }

    /// Stores the output that the socket has not taken.
    func keep(_ output: consuming HTTPOutput) {
        unsent = consume output
        hasUnsent = true
    }
}

/// The access record of a response whose body is still being made.
///
/// It is a class so that connections without a stream need no memory for it.
final class StreamedResponse {
    var record: AccessRecord
    let start: MonotonicTime

    init(record: AccessRecord, start: MonotonicTime) {
        self.record = record
        self.start = start
    }
}
