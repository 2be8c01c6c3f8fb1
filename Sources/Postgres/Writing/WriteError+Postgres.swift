import Listings

extension WriteError {
    /// What an error of the engine means for a write that was not committed.
    init(_ error: PostgresError) {
        guard case .refused(let state, _) = error else {
            self = .unavailable(reason: "PostgreSQL: \(error.reason)")
            return
        }
        switch state {
        // A lock that was not given in time, a deadlock, a transaction that has to be run again.
        case "55P03", "40P01", "40001": self = .busy
        case "53100": self = .full
        // A standby, and a right that was taken away.
        case "25006", "42501": self = .readOnly
        default: self = .unavailable(reason: "PostgreSQL: \(error.reason)")
        }
    }

    /// Uses the database; what it throws becomes an error of the write.
    static func ofDatabase<R>(_ body: () throws(PostgresError) -> R) throws(WriteError) -> R {
        do {
            return try body()
        } catch {
            throw WriteError(error)
        }
    }
}
