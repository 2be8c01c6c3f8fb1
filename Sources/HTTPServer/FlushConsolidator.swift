import HTTP
import System

/// Batches socket writes of one event-loop iteration.
///
/// Each system call also displaces data from the caches and wakes a client. The responses of
/// several connections are therefore rendered first, then sent one after the other. Responses,
/// bytes and waiting time of a batch are limited. After a slow response, batching pauses.
struct FlushConsolidator {
    static let maximumCount = 32

    /// The bytes at which a batch is sent, about the size of a core's nearer caches.
    static let maximumBytes = 256 * 1_024

    /// The sizes of bodies that may be batched.
    ///
    /// Rendering a smaller one costs less than batching it. Copying a larger one costs more than
    /// the system call.
    static let bodyBytes = 1_024...64 * 1_024

    /// The maximum nanoseconds the first response waits, and the limit for a slow response.
    static let longestWait = 1_000_000

    /// The nanoseconds without batching after a slow response, because another may follow.
    static let pause = 20_000_000

    private(set) var tokens: [UInt64] = []

    private var bytes = 0

    /// The age of the iteration when the first response began, in nanoseconds.
    private var firstAge = 0

    /// In nanoseconds, at the last check.
    private var lastAge = 0

    private var turnStart: MonotonicTime?

    /// Nil if nothing was slow.
    private var pauseEnd: MonotonicTime?

    private var isOpen = false

    init() { tokens.reserveCapacity(Self.maximumCount) }

    /// Begins an iteration, which batches nothing if it has a single event.
    mutating func beginTurn(events: Int, at now: MonotonicTime) {
        turnStart = now
        lastAge = 0
        if let pauseEnd, pauseEnd <= now { self.pauseEnd = nil }
        isOpen = events > 1 && pauseEnd == nil
    }

    /// By the number of bytes of the rendered body.
    func mayWait(body: Int) -> Bool { isOpen && Self.bodyBytes.contains(body) }

    mutating func append(_ token: UInt64, bytes: Int) {
        precondition(isOpen, "an answer waits where none may")
        if tokens.isEmpty { firstAge = lastAge }
        tokens.append(token)
        self.bytes += bytes
    }

    /// Records that a response, or other work for a client, is done.
    ///
    /// The age is the nanoseconds since the iteration began. True if the batch must be sent now.
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

    /// Called after the batch was sent or after work that was not a response.
    ///
    /// The age is the nanoseconds since the iteration began.
    mutating func goOn(at age: Int) {
        tokens.removeAll(keepingCapacity: true)
        bytes = 0
        lastAge = age
    }
}

/// A pool of unused outputs, of the size of a batch of responses.
struct OutputBufferPool: ~Copyable {
    private var outputs = InlineArray<32, HTTPOutput?> { _ in nil }
    private var count = 0

    init() { precondition(outputs.count == FlushConsolidator.maximumCount) }

    mutating func take() -> HTTPOutput {
        guard count > 0 else { return HTTPOutput() }
        count -= 1
        return outputs[count].take() ?? HTTPOutput()
    }

    /// The first may be large, because it serves all connections outside a batch.
    ///
    /// The others are for responses in a batch.
    mutating func give(_ output: consuming HTTPOutput) {
        guard count < outputs.count else { return }
        output.removeAll(
            keepingAtMost: count == 0 ? 256 * 1_024 : FlushConsolidator.bodyBytes.upperBound
        )
        outputs[count] = consume output
        count += 1
    }

    mutating func removeAll() {
        while count > 0 { _ = take() }
    }
}
