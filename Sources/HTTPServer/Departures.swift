import Sockets

/// The connections whose answers leave together, behind the last of them.
///
/// A call of the kernel costs a loop more than its own time: what it takes of the caches, and the
/// client that it wakes. Where many have asked, their answers are made one behind the other, and then
/// sent one behind the other. Nobody waits long for that: a small number of answers, of bytes and of
/// microseconds, and for a slow answer only once in a while.
struct Departures {
    /// As many answers wait at most.
    static let maximumCount = 32

    /// Where as many bytes wait, all leave: about what the nearer caches of a core hold.
    static let maximumBytes = 256 * 1_024

    /// The bytes of a body that may wait.
    ///
    /// To make a smaller one costs less than to gather it; to copy a larger one costs more than the
    /// call.
    static let bodyBytes = 1_024...64 * 1_024

    /// So many nanoseconds the first waits for the others; an answer that takes longer is slow.
    static let longestWait = 1_000_000

    /// So many nanoseconds nobody waits behind a slow answer, as another may follow.
    static let pause = 20_000_000

    /// The tokens of the connections whose answers wait, in order.
    private(set) var tokens: [UInt64] = []

    private var bytes = 0

    /// How old the turn was when the first began to be made.
    private var firstAge = 0

    /// How old the turn was when it was last looked at.
    private var lastAge = 0

    /// When the turn began; nil before the first.
    private var turnStart: MonotonicTime?

    /// Until when nobody waits; nil where nothing was slow.
    private var pauseEnd: MonotonicTime?

    /// Whether answers may wait.
    private var isOpen = false

    init() { tokens.reserveCapacity(Self.maximumCount) }

    /// Begins a turn; where it has a single event, there is nothing to wait for.
    mutating func beginTurn(events: Int, at now: MonotonicTime) {
        turnStart = now
        lastAge = 0
        if let pauseEnd, pauseEnd <= now { self.pauseEnd = nil }
        isOpen = events > 1 && pauseEnd == nil
    }

    /// Whether an answer may wait whose body was made of so many bytes: none of a kept one.
    func mayWait(body: Int) -> Bool { isOpen && Self.bodyBytes.contains(body) }

    /// Lets the answer of a connection wait.
    mutating func append(_ token: UInt64, bytes: Int) {
        precondition(isOpen, "an answer waits where none may")
        if tokens.isEmpty { firstAge = lastAge }
        tokens.append(token)
        self.bytes += bytes
    }

    /// Takes note of an answer, or of whatever else was done for a client.
    ///
    /// - Parameter age: The nanoseconds since the turn began.
    /// - Returns: Whether what waits has to leave.
    mutating func isDue(at age: Int) -> Bool {
        let duration = age - lastAge
        lastAge = age
        if duration > Self.longestWait {
            pauseEnd = turnStart?.advanced(by: age + Self.pause)
            isOpen = false
        }
        guard !tokens.isEmpty else { return false }
        return tokens.count == Self.maximumCount || bytes >= Self.maximumBytes
            || age - firstAge > Self.longestWait
    }

    /// Goes on when all have left, or when something was done that is no answer.
    ///
    /// - Parameter age: The nanoseconds since the turn began.
    mutating func goOn(at age: Int) {
        tokens.removeAll(keepingCapacity: true)
        bytes = 0
        lastAge = age
    }
}
