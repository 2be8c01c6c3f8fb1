import HTTP
import System

final class HTTPConnection {
    let descriptor: FileDescriptor
    let slot: Int
    let token: UInt64
    var machine: HTTPConnectionStateMachine

    /// Nil for a Unix socket.
    let network: UInt64?

    /// Nil if neither handler nor access log needs it.
    var peer: HTTPPeer?

    /// The output that the socket has not taken; nil without any, so that an idle connection has no
    /// buffer.
    private var unsent: HTTPOutput?

    /// Whether output is pending, which costs less to check than `unsent`.
    private var hasUnsent = false

    var unsentBytes = 0

    var interest: Poller.Interest = .reading

    /// Whether the connection waits for room in the send queue, and reads nothing meanwhile.
    var isWriting = false

    /// Whether its response is in the batch of this iteration.
    ///
    /// Until it is sent, nothing else is done with the connection.
    var isDeparting = false

    /// The phase, which decides about closing the connection to make room for another.
    var phase = Phase.new

    /// It is set when the connection is accepted, when a later head begins and, in the phase
    /// `lingering`, at each event.
    var quietSince: ContinuousClock.Instant

    var isInputOver = false

    var deferred: PendingResponse?

    var lasting: StreamLimiter.Permit?

    var streamed: StreamedResponse?

    enum Phase {
        /// No byte has come yet, or only a part of a request's head.
        case new

        /// No byte has come since the last response was sent.
        case kept

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

    func takeOutput() -> HTTPOutput? {
        guard hasUnsent else { return nil }
        hasUnsent = false
        return unsent.take()
    }

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
