import HTTP

/// Lets something happen once in each second of the clock, however often it is wanted.
struct OncePerSecond {
    private var last: Int64?

    /// Whether it may happen now; it is taken to have happened then.
    mutating func isDue(at time: HTTPTime) -> Bool {
        guard last != time.secondsSince1970 else { return false }
        last = time.secondsSince1970
        return true
    }
}
