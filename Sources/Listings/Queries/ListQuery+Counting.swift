extension ListQuery {
    /// The extent of counting.
    public enum Counting: String, Hashable, Sendable, CaseIterable {
        /// No counting.
        case off = "none"
        /// Up to ``countCap``, or further if the number is already known.
        case capped
        /// All rows, within the time budget.
        case exact
    }

    /// The maximum number of rows for capped counting.
    public static let countCap = 10_000
}
