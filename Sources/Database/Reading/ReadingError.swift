package import Listings

/// Why a table was not read.
package enum ReadingError: Error, Hashable, Sendable {
    /// The time given to reading was over.
    case outOfTime
    /// The engine refused, or what it keeps is not there.
    case engine(SourceError)
    /// A section without rows is asked for.
    case unknownSection(SectionID)
    /// A cursor's values are not those of the order it says it belongs to.
    case strangePosition
    /// The table of lists does not know the list any more.
    case listGone(String)

    /// The same for those who know nothing of databases.
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
