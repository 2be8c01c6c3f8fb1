/// An error of a row that could not be shown as intended, reported to the operator.
public struct RowFailure: Error, Sendable {
    /// A kind of error.
    ///
    /// Clients receive the raw value.
    public enum Code: String, Hashable, Sendable {
        /// The controller threw.
        case rowFailed = "row-failed"
        /// The number of cells that the controller wrote is not its number of columns.
        case cellCount = "cell-count"
        /// ``RowEvents/prefetch`` threw for the rows of the page.
        case prefetchFailed = "prefetch-failed"
        /// ``RowEvents/willRender`` threw.
        case eventFailed = "event-failed"
        /// ``RowEvents/children`` threw.
        case childrenFailed = "children-failed"
        /// An event of the list's sections threw. The failure names the section instead of a row.
        case sectionFailed = "section-failed"
        /// The name of an action is reserved in URLs. The action is not offered.
        case reservedAction = "reserved-action"
        /// The row's link could run code. The row is shown without it.
        case unsafeLink = "unsafe-link"
    }

    /// The name of the list.
    public let list: String
    /// The id of the row.
    public let id: String
    /// The kind of the row.
    public let kind: String
    /// The type of the model.
    public let model: String
    /// The kind of error.
    public let code: Code
    /// The error that was thrown; nil if there was none.
    public let error: (any Error)?
}

/// The effect of a row that cannot be shown on its page.
public enum RowFailurePolicy: Hashable, Sendable {
    /// The row shows an error, and the other rows are shown.
    case showInPlace
    /// The page is refused: ``Page/end()`` throws ``SourceError/failedRow(_:code:)``.
    case refusePage
}
