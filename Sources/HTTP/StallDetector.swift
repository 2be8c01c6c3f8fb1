/// The progress of a transfer to or from a client, and the time when it counts as stalled.
struct StallDetector: Sendable {
    /// The time when the wait for the first byte began, counted as in `HTTPTime`.
    let began: Duration

    /// The time when the last byte was transferred, or `began`.
    private(set) var last: Duration

    /// Bytes transferred.
    private(set) var count = 0

    /// Begins a transfer.
    init(at now: HTTPTime) {
        began = now.elapsed
        last = now.elapsed
    }

    /// Records bytes transferred.
    mutating func add(_ bytes: Int, at now: HTTPTime) {
        guard bytes > 0 else { return }
        count += bytes
        last = now.elapsed
    }

    /// Returns the time when the transfer is given up.
    ///
    /// That is after a time without a byte, or when the average rate falls below the minimum.
    ///
    /// - Parameters:
    ///   - stall: The longest time without a byte.
    ///   - grace: The time after which the rate counts.
    ///   - minimumRate: Bytes per second; 0 sets no minimum.
    /// - Returns: The earlier of the two times.
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
