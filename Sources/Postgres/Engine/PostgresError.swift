import Database
import Listings

package enum PostgresError: Error, Hashable, Sendable {
    case noLibrary
    case noPassword(file: String)
    /// The connection could not be made. The reason is libpq's message without the password.
    case unreachable(reason: String)
    case lost(reason: String)
    case noAnswer
    /// The server refused a statement, with its SQLSTATE and message.
    case refused(state: String, message: String)

    var isFatal: Bool {
        switch self {
        case .noLibrary, .noPassword, .unreachable, .lost, .noAnswer: true
        // The server shuts down, or a plan no longer fits its table.
        case .refused(let state, _): state.hasPrefix("57P") || state == "0A000"
        }
    }

    package var reason: String {
        switch self {
        case .noLibrary: "libpq.so.5 is not installed"
        case .noPassword(let file): "the password file \(file) cannot be read"
        case .unreachable(let reason): "not reachable: \(reason)"
        case .lost(let reason): "the connection broke: \(reason)"
        case .noAnswer: "no response in time"
        case .refused(let state, let message): "\(message) (\(state))"
        }
    }
}

extension ReadingError {
    init(_ error: PostgresError) {
        guard case .refused(let state, let message) = error else {
            self = .engine(.unavailable(reason: "PostgreSQL: \(error.reason)"))
            return
        }
        switch state {
        // Cancelled by the time limit, or after such a statement in its transaction.
        case "57014", "25P02": self = .outOfTime
        // A value that the column's type cannot have.
        case _ where state.hasPrefix("22"): self = .strangePosition
        // A column or table that no longer exists, or a column that has another type now.
        case "42703", "42P01": self = .engine(.redefined)
        case "0A000" where message.contains("cached plan"): self = .engine(.redefined)
        // A table or column changed since the start, or its privileges did.
        case _ where state.hasPrefix("42"):
            self = .engine(.corrupted(reason: "PostgreSQL: \(error.reason)"))
        default: self = .engine(.unavailable(reason: "PostgreSQL: \(error.reason)"))
        }
    }
}
