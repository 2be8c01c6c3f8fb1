/// The time an event happened at, by both clocks: one for deadlines, one for the Date field.
///
/// The pure code reads no clock; whoever tells it of an event says when it happened. One reading
/// serves every event of a loop's turn.
package struct HTTPTime: Sendable, Hashable {
    /// The wall clock, in whole seconds since 1970-01-01 00:00:00 UTC.
    package var secondsSince1970: Int64

    /// The time that never jumps, since a moment that is the same for the whole process.
    ///
    /// A clock's instant has no layout the compiler knows, which made the connection machine three
    /// times as slow; a duration has one.
    var elapsed: Duration

    /// The moment `elapsed` is counted from.
    private static let reference: ContinuousClock.Instant = .now

    /// Creates a time from readings of both clocks.
    package init(monotonic: ContinuousClock.Instant, secondsSince1970: Int64) {
        elapsed = Self.reference.duration(to: monotonic)
        self.secondsSince1970 = secondsSince1970
    }

    /// The time that never jumps.
    package var monotonic: ContinuousClock.Instant {
        get { Self.instant(elapsed) }
        set { elapsed = Self.reference.duration(to: newValue) }
    }

    /// The instant a time since the reference stands for.
    static func instant(_ elapsed: Duration) -> ContinuousClock.Instant {
        reference.advanced(by: elapsed)
    }
}
