/// A row that could not be shown as it was meant, told to whoever runs the service.
public struct RowFailure: Error, Sendable {
    /// What went wrong; the raw value is what clients are told.
    public enum Code: String, Hashable, Sendable {
        /// The controller threw.
        case rowFailed = "row-failed"
        /// The controller wrote another number of cells than it has columns.
        case cellCount = "cell-count"
        /// ``RowEvents/prefetch`` threw for the rows of the page.
        case prefetchFailed = "prefetch-failed"
        /// ``RowEvents/willRender`` threw.
        case eventFailed = "event-failed"
        /// ``RowEvents/children`` threw.
        case childrenFailed = "children-failed"
        /// An event of a list's sections threw; it is the section that is named in place of a row.
        case sectionFailed = "section-failed"
        /// An action has a name that addresses use for something else: it is not offered.
        case reservedAction = "reserved-action"
        /// The row's link could run something: the row is shown without it.
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
    /// What went wrong.
    public let code: Code
    /// What was thrown, if something was.
    public let error: (any Error)?
}

/// What becomes of a page with a row that cannot be shown.
public enum RowFailurePolicy: Hashable, Sendable {
    /// An error stands in its place, and the other rows are shown.
    case showInPlace
    /// The page is refused: ``Page/end()`` throws ``SourceError/failedRow(_:code:)``.
    case refusePage
}
