/// The time an event happened at, by both clocks: one for deadlines, one for the Date field.
///
/// The pure code reads no clock; whoever tells it of an event says when it happened. One reading
/// serves every event of a loop's turn.
package struct HTTPTime: Sendable, Hashable {
    /// The time that never jumps.
    package var monotonic: ContinuousClock.Instant

    /// The wall clock, in whole seconds since 1970-01-01 00:00:00 UTC.
    package var secondsSince1970: Int64

    /// Creates a time from readings of both clocks.
    package init(monotonic: ContinuousClock.Instant, secondsSince1970: Int64) {
        self.monotonic = monotonic
        self.secondsSince1970 = secondsSince1970
    }
}
