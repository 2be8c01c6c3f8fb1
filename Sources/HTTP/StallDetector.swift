struct StallDetector: Sendable {
    /// Counted as in `HTTPTime`.
    let began: Duration

    /// `began` if no byte was transferred.
    private(set) var last: Duration

    private(set) var count = 0

    /// The bytes that the receiver had taken at the first check and at the last one; nil before.
    ///
    /// Those that were transferred before it began are not counted, so that both may be negative.
    private var taken: (first: Int, last: Int)?

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
        let found = count - waiting
        if taken.map({ found > $0.last }) ?? true { last = now.elapsed }
        taken = (taken?.first ?? found, found)
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
        // These bytes are enough for an average of `minimumRate` up to this time.
        let bytes = max(count, taken.map { $0.last - $0.first } ?? 0)
        let paid = Duration.milliseconds(Int64(bytes) * 1000 / Int64(minimumRate))
        return min(stalled, began + max(grace, paid))
    }
}
