/// The connections whose answers leave together, behind the last of them.
///
/// A call of the kernel costs a loop more than its own time: what it takes of the caches, and the
/// client that it wakes. Where many have asked, their answers are made one behind the other, and then
/// sent one behind the other. Nobody waits long for that: a small number of answers, of bytes and of
/// microseconds, and for no slow answer but the first.
struct Departures {
    /// As many answers wait at most.
    static let maximumCount = 32

    /// As many bytes wait at most: about what the nearer caches of a core hold.
    static let maximumBytes = 256 * 1_024

    /// The bytes of a body that may wait.
    ///
    /// To make a smaller one costs less than to gather it; to copy a larger one costs more than the
    /// call.
    static let bodyBytes = 1_024...64 * 1_024

    /// So many nanoseconds the first waits for the others; an answer that takes longer is slow.
    static let longestWait = 1_000_000

    /// So long nobody waits behind a slow answer, as another may follow.
    static let pause = Duration.milliseconds(100)

    /// The tokens of the connections whose answers wait, in order.
    private(set) var tokens: [UInt64] = []

    private var bytes = 0

    /// How old the turn was when the first began to wait.
    private var firstAge = 0

    /// How old the turn was when it was last looked at.
    private var lastAge = 0

    /// Until when nobody waits; nil where nothing was slow.
    private var pauseEnd: ContinuousClock.Instant?

    /// Whether answers may wait.
    private(set) var isOpen = false

    init() { tokens.reserveCapacity(Self.maximumCount) }

    /// Begins a turn; where it has a single event, there is nothing to wait for.
    mutating func beginTurn(events: Int, at now: ContinuousClock.Instant) {
        lastAge = 0
        isOpen = events > 1
        guard isOpen, let pauseEnd else { return }
        isOpen = pauseEnd <= now
        if isOpen { self.pauseEnd = nil }
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

    /// Takes note of how old the turn is behind an event.
    ///
    /// - Parameters:
    ///   - age: The nanoseconds since the turn began.
    ///   - now: When it began.
    /// - Returns: Whether what waits has to leave.
    mutating func isDue(at age: Int, of now: ContinuousClock.Instant) -> Bool {
        let duration = age - lastAge
        lastAge = age
        if duration > Self.longestWait {
            pauseEnd = now.advanced(by: .nanoseconds(age) + Self.pause)
            isOpen = false
        }
        guard !tokens.isEmpty else { return false }
        return tokens.count == Self.maximumCount || bytes >= Self.maximumBytes
            || age - firstAge > Self.longestWait
    }

    /// Ends the waiting.
    mutating func removeAll() {
        tokens.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
