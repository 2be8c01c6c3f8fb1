/// Why a page has no row.
public enum EmptyReason: String, Hashable, Sendable {
    /// The list has none.
    case noData
    /// The list may have some, but none is where the question points.
    case noMatch
    /// They are being fetched for the first time.
    case loading
    /// They could not be fetched, and there are none from before.
    case failed
}

/// What is shown in place of rows.
public struct EmptyState: Hashable, Sendable {
    /// Why there are none.
    public var reason: EmptyReason
    /// What is said about it in a few words; nil leaves that to the renderer.
    public var title: String?
    /// What can be done about it; nil leaves that to the renderer.
    public var message: String?

    /// Creates an empty state.
    public init(_ reason: EmptyReason, title: String? = nil, message: String? = nil) {
        self.reason = reason
        self.title = title
        self.message = message
    }
}
