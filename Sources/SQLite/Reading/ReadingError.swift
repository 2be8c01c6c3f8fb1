import CSQLite
import Listings

/// Why a table was not read.
enum ReadingError: Error {
    /// The engine refused.
    case engine(SQLiteError)
    /// A section without rows is asked for.
    case unknownSection(SectionID)
    /// A cursor's values are not those of the order it says it belongs to.
    case strangePosition
    /// The table of lists does not know the list any more.
    case listGone(String)
    /// The file of the database cannot be looked at.
    case fileGone(errno: Int32)

    /// The same for those who know nothing of SQLite.
    var sourceError: SourceError {
        switch self {
        case .engine(let error): error.sourceError
        case .unknownSection(let id): .unknownSection(id.rawValue)
        case .strangePosition: .invalidCursor
        case .listGone(let list): .unavailable(reason: "the database has no list \(list) any more")
        case .fileGone(let errno): .unavailable(reason: "the database file: errno \(errno)")
        }
    }
}

extension SQLiteError {
    /// The same for those who know nothing of SQLite.
    var sourceError: SourceError {
        switch self {
        case .outOfTime: return .unavailable(reason: "the time for reading is over")
        case .interrupted: return .unavailable(reason: "reading was interrupted")
        case .unusableLocation: return .unavailable(reason: "the path is no file's")
        case .engine(let operation, let code, let message):
            let reason = "SQLite \(operation.rawValue): \(message) (\(code))"
            switch code & 0xFF {
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_SCHEMA:
                return .corrupted(reason: reason)
            default:
                return .unavailable(reason: reason)
            }
        }
    }
}
