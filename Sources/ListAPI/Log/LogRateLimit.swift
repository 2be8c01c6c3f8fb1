/// A maximum number of lines a second, with a count of the lines dropped since the last one.
package struct LogRateLimit {
    private let maximum: Int
    private var second: Int64 = 0
    private var lines = 0
    private var dropped = 0

    /// Creates an unused budget.
    ///
    /// - Parameter maximum: The maximum number of lines in a second.
    package init(maximum: Int) { self.maximum = maximum }

    /// Takes a line out of the budget of a second.
    ///
    /// - Returns: The number of lines dropped since the last one; nil to drop this one, too.
    package mutating func take(_ now: Int64) -> Int? {
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
