import CSQLite

/// Why the engine did not do what it was asked to.
package enum SQLiteError: Error, Hashable, Sendable {
    /// What was being done.
    package enum Operation: String, Hashable, Sendable {
        case open, configure, prepare, bind, step, begin, commit
    }

    /// The engine refused: its extended result code, and its message for the log.
    case engine(Operation, code: Int32, message: String)
    /// The time given to the statement was over.
    case outOfTime
    /// Somebody raised the connection's interruption.
    case interrupted
    /// The path or name of the database cannot be given to the engine.
    case unusableLocation

    /// The extended result code; nil where the engine was not the one to give up.
    package var code: Int32? {
        guard case .engine(_, let code, _) = self else { return nil }
        return code
    }

    /// The result code without its extension, for example `SQLITE_BUSY`.
    package var primaryCode: Int32? { code.map { $0 & 0xFF } }

    /// Whether a unique key, primary key or row id was used twice.
    package var isDuplicate: Bool {
        switch code {
        case SQLITE_CONSTRAINT | (6 << 8), SQLITE_CONSTRAINT | (8 << 8),
            SQLITE_CONSTRAINT | (10 << 8):
            true
        default: false
        }
    }
}
