/// So many lines a second at most; what goes over is counted, and told with the next line.
struct LogBudget {
    private let maximum: Int
    private var second: Int64 = 0
    private var lines = 0
    private var dropped = 0

    /// A budget that nothing was taken from.
    ///
    /// - Parameter maximum: The most lines of a second.
    init(maximum: Int) { self.maximum = maximum }

    /// Takes a line out of the budget of a second.
    ///
    /// - Returns: How many lines were dropped since the last one; nil to drop this one, too.
    mutating func take(_ now: Int64) -> Int? {
        if second != now {
            second = now
            lines = 0
        }
        guard lines < maximum else {
            dropped += 1
            return nil
        }
        lines += 1
        defer { dropped = 0 }
        return dropped
    }
}
