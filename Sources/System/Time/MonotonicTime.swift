import Glibc

/// A moment of a monotonic clock, in one word.
///
/// For measurements of each request. The layout of a `ContinuousClock` instant is unknown to the
/// compiler, so every copy of one is a call.
package struct MonotonicTime: Comparable, Sendable {
    /// The nanoseconds since a moment that is the same for the whole machine.
    private let nanoseconds: Int

    package static var now: MonotonicTime {
        var time = timespec()
        // SAFETY: the C library fills the structure during the call only, and every Linux has the
        // clock. Reading it is no system call.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
    }

    /// The time of the kernel's last tick, up to 10 ms ago, cheaper than ``now``.
    package static var lastTick: MonotonicTime {
        var time = timespec()
        // SAFETY: as above.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return MonotonicTime(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
    }

    var microseconds: Int { nanoseconds / 1_000 }

    package var age: Int { Self.now.nanoseconds - nanoseconds }

    package func advanced(by nanoseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: self.nanoseconds + nanoseconds)
    }

    package static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
        first.nanoseconds < second.nanoseconds
    }
}

/// The time of day, for dates; deadlines use `ContinuousClock`.
package enum WallClock {
    package static func secondsSince1970() -> Int64 {
        var time = timespec()
        // SAFETY: the C library fills the structure during the call only, and every Linux has the
        // clock. It may lag by a few milliseconds, and reading it is no system call.
        _ = unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec)
    }
}

extension ContinuousClock.Instant {
    /// Rounded up; 0 when this instant has passed.
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
