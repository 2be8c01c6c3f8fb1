import Glibc

/// A moment by a clock that never jumps, in a word.
///
/// For what is measured of each request: an instant of `ContinuousClock` has no layout that the
/// compiler knows, so that every copy of one is a call.
package struct MonotonicTime: Comparable, Sendable {
    /// Since a moment that is the same for the whole machine.
    private let nanoseconds: Int

    /// The present.
    package static var now: MonotonicTime {
        var time = timespec()
        // SAFETY: the C library fills the structure during the call only, and every Linux has the
        // clock; asking it is no system call.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
    }

    /// The present as the kernel's last tick saw it, 1 to 10 ms ago: a fifth of the time of ``now``.
    package static var lastTick: MonotonicTime {
        var time = timespec()
        // SAFETY: as above.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return MonotonicTime(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
    }

    /// The microseconds of the clock.
    var microseconds: Int { nanoseconds / 1_000 }

    /// The nanoseconds that have passed since then.
    package var age: Int { Self.now.nanoseconds - nanoseconds }

    /// The moment so many nanoseconds later.
    package func advanced(by nanoseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: self.nanoseconds + nanoseconds)
    }

    /// Whether a moment is earlier than another one.
    package static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
        first.nanoseconds < second.nanoseconds
    }
}
