import CSQLite
import Database
import Listings

extension ReadingError {
    init(_ error: SQLiteError) {
        switch error {
        case .outOfTime:
            self = .outOfTime
        case .interrupted:
            self = .engine(.unavailable(reason: "reading was interrupted"))
        case .unusableLocation:
            self = .engine(.unavailable(reason: "the path is no file's"))
        case .unreadableLog:
            let reason = "its log has changes, and its folder cannot be written"
            self = .engine(.unavailable(reason: reason))
        case .unknownFormat(let number):
            let reason = "format \(number) is not \(DatabaseFormat.current)"
            self = .engine(.unavailable(reason: reason))
        case .engine(let operation, let code, let message):
            let reason = "SQLite \(operation.rawValue): \(message) (\(code))"
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED:
                self = .engine(.locked)
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_SCHEMA:
                self = .engine(.corrupted(reason: reason))
            default:
                self = .engine(.unavailable(reason: reason))
            }
        }
    }
}
