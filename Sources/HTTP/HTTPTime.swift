/// The time of an event by two clocks: one for deadlines, one for the Date field.
///
/// Code without side effects reads no clock, so the caller passes the time of each event. One
/// reading serves all events of a loop's iteration.
package struct HTTPTime: Sendable, Hashable {
    /// The wall clock, in whole seconds since 1970-01-01 00:00:00 UTC.
    package var secondsSince1970: Int64

    /// The monotonic time since a reference that is the same for the whole process.
    ///
    /// It is a duration, because an instant's layout is unknown to the compiler, which makes it
    /// slow.
    var elapsed: Duration

    /// The reference of `elapsed`.
    private static let reference: ContinuousClock.Instant = .now

    /// Creates a time from readings of both clocks.
    package init(monotonic: ContinuousClock.Instant, secondsSince1970: Int64) {
        elapsed = Self.reference.duration(to: monotonic)
        self.secondsSince1970 = secondsSince1970
    }

    /// The monotonic time.
    package var monotonic: ContinuousClock.Instant {
        get { Self.instant(elapsed) }
        set { elapsed = Self.reference.duration(to: newValue) }
    }

    /// Returns the instant for a time since the reference.
    static func instant(_ elapsed: Duration) -> ContinuousClock.Instant {
        reference.advanced(by: elapsed)
    }
}
