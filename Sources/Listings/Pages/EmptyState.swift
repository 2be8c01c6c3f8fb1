/// The reason why a page has no row.
public enum EmptyReason: String, Hashable, Sendable {
    /// The list has no rows.
    case noData
    /// No row matches the query, but the list may have rows.
    case noMatch
    /// The rows are being fetched for the first time.
    case loading
    /// Fetching the rows failed, and there are no earlier ones.
    case failed
}

/// The message that a page shows instead of rows.
public struct EmptyState: Hashable, Sendable {
    /// The reason why there are no rows.
    public var reason: EmptyReason
    /// A short title; nil leaves it to the renderer.
    public var title: String?
    /// A hint for the user; nil leaves it to the renderer.
    public var message: String?

    /// Creates an empty state.
    public init(_ reason: EmptyReason, title: String? = nil, message: String? = nil) {
        self.reason = reason
        self.title = title
        self.message = message
    }
}

/// The layout of a page's rows in HTML.
///
/// The rows are the same.
public enum PageLayout: String, Hashable, Sendable, CaseIterable {
    /// A table with a line for each row.
    case table
    /// A card for each row.
    case grid
    /// The sections as columns, with the rows as cards.
    case board
}
