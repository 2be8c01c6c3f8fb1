import Listings

/// A time limit of reading.
///
/// It reads the clock once per ``stride`` rows, because that costs more than a row.
struct Deadline {
    /// The number of rows between two readings of the clock.
    static let stride = 4_096

    private let end: ContinuousClock.Instant
    private var rows = 0

    /// Starts the time limit.
    init(_ duration: Duration) { end = .now + duration }

    /// Counts a row, or a comparison of two.
    ///
    /// - Throws: ``SourceError/outOfTime``, also for the first row.
    mutating func count() throws(SourceError) {
        if rows.isMultiple(of: Self.stride) { try check() }
        rows &+= 1
    }

    /// Checks the clock.
    ///
    /// - Throws: ``SourceError/outOfTime``.
    func check() throws(SourceError) {
        guard ContinuousClock.now < end else { throw .outOfTime }
    }
}
