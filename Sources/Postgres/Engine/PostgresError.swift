import Database
import Listings

/// Why PostgreSQL did not do what it was asked to.
package enum PostgresError: Error, Hashable, Sendable {
    /// There is no libpq on this machine.
    case noLibrary
    /// The file of the password cannot be read; its path.
    case noPassword(file: String)
    /// No connection was made; libpq's words, without the password.
    case unreachable(reason: String)
    /// The connection broke.
    case lost(reason: String)
    /// The time was over before an answer came.
    case noAnswer
    /// The server refused: its SQLSTATE and its message.
    case refused(state: String, message: String)

    /// Whether the connection cannot be used any more.
    var isFatal: Bool {
        switch self {
        case .noLibrary, .noPassword, .unreachable, .lost, .noAnswer: true
        // Shutting down, and a plan that does not fit a table any more.
        case .refused(let state, _): state.hasPrefix("57P") || state == "0A000"
        }
    }

    /// Why, for the log and for operators.
    package var reason: String {
        switch self {
        case .noLibrary: "libpq.so.5 is not installed"
        case .noPassword(let file): "the password file \(file) cannot be read"
        case .unreachable(let reason): "not reachable: \(reason)"
        case .lost(let reason): "the connection broke: \(reason)"
        case .noAnswer: "no answer in time"
        case .refused(let state, let message): "\(message) (\(state))"
        }
    }
}

extension ReadingError {
    /// What an error of the engine means for reading.
    init(_ error: PostgresError) {
        guard case .refused(let state, _) = error else {
            self = .engine(.unavailable(reason: "PostgreSQL: \(error.reason)"))
            return
        }
        switch state {
        // Cancelled by the time limit, or behind such a statement in its transaction.
        case "57014", "25P02": self = .outOfTime
        // A value that the type of a column cannot have.
        case _ where state.hasPrefix("22"): self = .strangePosition
        // A column or table that is there no longer.
        case "42703", "42P01": self = .engine(.redefined)
        // A table or column that was there at the start, or what it may be used for.
        case _ where state.hasPrefix("42"):
            self = .engine(.corrupted(reason: "PostgreSQL: \(error.reason)"))
        default: self = .engine(.unavailable(reason: "PostgreSQL: \(error.reason)"))
        }
    }
}
