import Glibc

/// A moment of a monotonic clock, in one word.
///
/// For measurements of each request. The layout of a `ContinuousClock` instant is unknown to the
/// compiler, so every copy of one is a call.
package struct MonotonicTime: Comparable, Sendable {
    /// The nanoseconds since a moment that is the same for the whole machine.
    private let nanoseconds: Int

    /// The current time.
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

    /// The microseconds of the clock.
    var microseconds: Int { nanoseconds / 1_000 }

    /// The nanoseconds that have passed since this moment.
    package var age: Int { Self.now.nanoseconds - nanoseconds }

    /// Returns the moment that is `nanoseconds` later.
    package func advanced(by nanoseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: self.nanoseconds + nanoseconds)
    }

    /// Whether a moment is earlier than another one.
    package static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
        first.nanoseconds < second.nanoseconds
    }
}
