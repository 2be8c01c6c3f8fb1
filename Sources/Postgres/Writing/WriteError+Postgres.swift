import Listings

extension WriteError {
    /// Converts an error of the engine for a write that was not committed.
    init(_ error: PostgresError) {
        guard case .refused(let state, _) = error else {
            self = .unavailable(reason: "PostgreSQL: \(error.reason)")
            return
        }
        switch state {
        // A lock timeout, a deadlock, or a serialization failure.
        case "55P03", "40P01", "40001": self = .busy
        case "53100": self = .full
        // A standby server, or a revoked privilege.
        case "25006", "42501": self = .readOnly
        default: self = .unavailable(reason: "PostgreSQL: \(error.reason)")
        }
    }

    /// Runs database operations and converts their errors to errors of the write.
    static func ofDatabase<R>(_ body: () throws(PostgresError) -> R) throws(WriteError) -> R {
        do {
            return try body()
        } catch {
            throw WriteError(error)
        }
    }
}
