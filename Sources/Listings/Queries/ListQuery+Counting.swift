extension ListQuery {
    /// How far rows are counted.
    public enum Counting: String, Hashable, Sendable, CaseIterable {
        /// Not at all.
        case off = "none"
        /// Up to ``cap``, further only where the number is known already.
        case capped
        /// All of them, as long as the time allows.
        case exact
    }

    /// How far rows are counted unless all are to be.
    public static let countCap = 10_000
}
