package import Listings

/// An error that prevented reading a table.
package enum ReadingError: Error, Hashable, Sendable {
    /// The time limit was exceeded.
    case outOfTime
    /// The engine reported an error, or the table is missing.
    case engine(SourceError)
    /// The requested section has no rows.
    case unknownSection(SectionID)
    /// The values of a cursor do not fit the order it is used with.
    case strangePosition
    /// The table of lists no longer contains the list.
    case listGone(String)

    /// The corresponding error for callers outside the database layer.
    package var sourceError: SourceError {
        switch self {
        case .outOfTime: .outOfTime
        case .engine(let error): error
        case .unknownSection(let id): .unknownSection(id.rawValue)
        case .strangePosition: .invalidCursor
        case .listGone(let list): .unavailable(reason: "the database has no list \(list) any more")
        }
    }
}
