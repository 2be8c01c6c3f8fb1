/// When reading has to end; asked every so many rows, because the clock costs more than a row.
struct TimeLimit {
    /// The rows between two looks at the clock.
    static let stride = 4_096

    private let end: ContinuousClock.Instant
    private var rows = 0

    /// Begins to measure.
    init(_ duration: Duration) { end = .now + duration }

    /// Counts a row, or a comparison of two.
    ///
    /// - Throws: ``SourceError/outOfTime``, for the first row, too.
    mutating func count() throws(SourceError) {
        if rows.isMultiple(of: Self.stride) { try check() }
        rows &+= 1
    }

    /// Looks at the clock.
    ///
    /// - Throws: ``SourceError/outOfTime``.
    func check() throws(SourceError) {
        guard ContinuousClock.now < end else { throw .outOfTime }
    }
}
