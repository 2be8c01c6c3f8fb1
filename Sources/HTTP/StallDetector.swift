/// The progress of a transfer to or from a client, and the time when it counts as stalled.
struct StallDetector: Sendable {
    /// Counted as in `HTTPTime`.
    let began: Duration

    /// `began` if no byte was transferred.
    private(set) var last: Duration

    private(set) var count = 0

    /// The bytes that the receiver had taken when it was last checked, without those that were
    /// transferred before; nil before the first check.
    private var taken: Int?

    init(at now: HTTPTime) {
        began = now.elapsed
        last = now.elapsed
    }

    mutating func add(_ bytes: Int, at now: HTTPTime) {
        guard bytes > 0 else { return }
        count += bytes
        last = now.elapsed
    }

    /// Notes that some of the transferred bytes still wait in this system.
    mutating func note(waiting: Int, at now: HTTPTime) {
        defer { taken = count - waiting }
        if let taken, count - waiting <= taken { return }
        last = now.elapsed
    }

    /// Returns the time when the transfer is given up.
    ///
    /// That is after a time without a byte, or when the average rate falls below the minimum.
    ///
    /// The stall is the longest time without a byte. The rate is in bytes per second and counts
    /// after the grace; 0 sets no minimum.
    func deadline(
        stall: Duration,
        grace: Duration,
        minimumRate: Int
    ) -> Duration {
        let stalled = last + stall
        guard minimumRate > 0 else { return stalled }
        // `count` bytes are enough for an average of `minimumRate` up to this time.
        let paid = Duration.milliseconds(Int64(count) * 1000 / Int64(minimumRate))
        return min(stalled, began + max(grace, paid))
    }
}
