import Glibc

/// The time of day, for dates; deadlines use `ContinuousClock`.
package enum WallClock {
    /// Returns whole seconds since 1970-01-01 00:00 UTC.
    package static func secondsSince1970() -> Int64 {
        var time = timespec()
        // SAFETY: the C library fills the structure during the call only, and every Linux has the
        // clock. It may lag by a few milliseconds, and reading it is no system call.
        _ = unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec)
    }
}

extension ContinuousClock.Instant {
    /// Returns the milliseconds from `now` until this instant, rounded up, 0 when it has passed.
    func milliseconds(after now: ContinuousClock.Instant) -> Int32 {
        let (seconds, attoseconds) = now.duration(to: self).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        // More than a day counts as forever, because the caller reads the clock again.
        guard seconds < 86_400 else { return 86_400_000 }
        let whole = attoseconds / 1_000_000_000_000_000
        let rest = attoseconds % 1_000_000_000_000_000
        return Int32(seconds * 1_000 + whole + (rest > 0 ? 1 : 0))
    }
}
