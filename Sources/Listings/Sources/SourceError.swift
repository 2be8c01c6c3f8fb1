/// An error of a source.
public enum SourceError: Error, Hashable, Sendable {
    /// No section has the id that the query names.
    case unknownSection(String)
    /// No row has the id that the query names.
    case unknownRow(String)
    /// The query's cursor names no position of its order. Cursors from responses always do.
    case invalidCursor
    /// The cursor is from another epoch of the list, whose positions are unknown.
    case expiredCursor
    /// The data cannot be read now. A later retry may succeed. The text is for the log.
    case unavailable(reason: String)
    /// Another connection has locked the data. A retry will most likely succeed soon.
    case locked
    /// The columns of the list have changed since it was opened. It must be reopened.
    case redefined
    /// The budget of the query was exceeded. The same query will most likely exceed it again.
    case outOfTime
    /// The query would exceed the time slice of the event loop. A worker has to restart it.
    case offloaded
    /// The data is damaged or was replaced. The text is for the log.
    case corrupted(reason: String)
    /// A row cannot be shown, and its registration refuses pages with such rows.
    case failedRow(_ id: String, code: RowFailure.Code)
    /// Two rows of a page have the same id, at these positions of the page.
    case duplicateRow(_ id: String, first: Int, second: Int)
}

extension SourceError {
    /// Whether the data may be readable later, because it is locked or cannot be reached.
    package var mayPass: Bool {
        switch self {
        case .locked, .unavailable: true
        default: false
        }
    }
}
