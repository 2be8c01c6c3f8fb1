/// Why a source could not answer.
public enum SourceError: Error, Hashable, Sendable {
    /// No section has the id that the query names.
    case unknownSection(String)
    /// No row has the id that the query names.
    case unknownRow(String)
    /// The query's cursor does not name a position of its order, which no cursor given out does.
    case invalidCursor
    /// The position was one of another life of the list, whose places are not known any more.
    case expiredCursor
    /// The data cannot be read now; reading again later may succeed. The text is for the log.
    case unavailable(reason: String)
    /// Somebody else keeps the data to himself for now; reading again soon will most likely succeed.
    case locked
    /// The list has other columns than when it was opened; who opens it anew can read it.
    case redefined
    /// The time given to one question was over; the same question will most likely take as long.
    case outOfTime
    /// The data is damaged or not what it was. The text is for the log.
    case corrupted(reason: String)
    /// A row cannot be shown, and its registration refuses pages with such rows.
    case failedRow(_ id: String, code: RowFailure.Code)
    /// Two rows of a page have one id, at these positions of the page.
    case duplicateRow(_ id: String, first: Int, second: Int)
}

extension SourceError {
    /// Whether the data may be readable later: it is locked, or its place cannot be reached.
    package var mayPass: Bool {
        switch self {
        case .locked, .unavailable: true
        default: false
        }
    }
}
