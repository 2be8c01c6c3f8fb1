import HTTP

/// A limiter that allows an event once in each second of the clock.
struct LogThrottle {
    private var last: Int64?

    /// Whether the event is allowed now, and counts as done then.
    mutating func isDue(at time: HTTPTime) -> Bool {
        guard last != time.secondsSince1970 else { return false }
        last = time.secondsSince1970
        return true
    }
}
