import HTTP
import Sockets

/// A client's connection: its descriptor, the machine that decides, and what the loop has to
/// remember between two events.
final class HTTPConnection {
    let descriptor: Descriptor
    let slot: Int
    let token: UInt64
    var machine: HTTPConnectionMachine

    /// Whose connection it is, where connections are counted by address.
    let network: UInt64?

    /// The other end of the connection; nil where neither handler nor access log needs it.
    var peer: HTTPPeer?

    /// What the socket has not taken yet; nil while nothing waits, so that an idle connection holds
    /// no buffer.
    private var unsent: HTTPOutput?

    /// Whether something waits, which costs less to ask than what it is.
    private var hasUnsent = false

    /// The bytes that wait.
    var unsentBytes = 0

    /// What the event loop watches the descriptor for.
    var interest: EventLoop.Interest = .reading

    /// Whether room in the send queue is waited for, and nothing is read.
    var isWriting = false

    /// Whether its answer leaves with those of other connections, before the turn is over; nothing
    /// else is done with the connection until then.
    var isDeparting = false

    /// What would be lost if the connection were closed to make room for another.
    var phase = Phase.new

    /// When the connection was accepted, when the head of a later request began or, in the phase
    /// `lingering`, when it was last heard of.
    var quietSince: ContinuousClock.Instant

    /// Whether the client has sent the last it will send.
    var isInputOver = false

    /// The answer that is being made elsewhere.
    var deferred: DeferredAnswer?

    /// The place of the stream without an end that it was given.
    var lasting: LastingStreams.Place?

    /// The answer that is being streamed, for the access log.
    var streamed: StreamedAnswer?

    enum Phase {
        /// Nothing has come yet, or a part of a request's head.
        case new

        /// Nothing has come since the last answer was sent.
        case kept

        /// A request or an answer is under way.
        case busy

        /// The last answer was sent, and what still comes is dropped.
        case lingering
    }

    init(
        _ descriptor: consuming Descriptor,
        slot: Int,
        token: UInt64,
        network: UInt64?,
        machine: consuming HTTPConnectionMachine,
        at time: HTTPTime
    ) {
        self.descriptor = descriptor
        self.slot = slot
        self.token = token
        self.network = network
        self.machine = machine
        quietSince = time.monotonic
    }

    /// Takes what the socket has not taken yet; nil where nothing waits.
    func takeOutput() -> HTTPOutput? {
        guard hasUnsent else { return nil }
        hasUnsent = false
        return unsent.take()
    }

    /// Keeps what the socket has not taken yet.
    func keep(_ output: consuming HTTPOutput) {
        unsent = consume output
        hasUnsent = true
    }
}

/// What the access log will say of an answer whose body is still being made.
///
/// An object, as it would be a fifth of the memory of all connections that stream nothing.
final class StreamedAnswer {
    var record: AccessRecord
    let start: MonotonicTime

    init(record: AccessRecord, start: MonotonicTime) {
        self.record = record
        self.start = start
    }
}
