import CSQLite

package enum SQLiteError: Error, Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable {
        case open, configure, prepare, bind, step, begin, commit
    }

    /// SQLite reported an error: its extended result code, and its message for the log.
    case engine(Operation, code: Int32, message: String)
    case outOfTime
    case interrupted
    case unusableLocation
    /// The write-ahead log has changes that cannot be read, because its index cannot be created.
    case unreadableLog
    /// Another version of Roster made the file, in the format with this number, which is 0 if the
    /// file does not say it.
    case unknownFormat(Int64)

    package var code: Int32? {
        guard case .engine(_, let code, _) = self else { return nil }
        return code
    }

    package var primaryCode: Int32? { code.map { $0 & 0xFF } }

    /// Whether a file in write-ahead mode may have failed to open because the index of its log
    /// cannot be created.
    var isAboutLogIndex: Bool {
        switch primaryCode {
        case SQLITE_CANTOPEN: true
        // A rollback journal that has to be rolled back is another matter.
        case SQLITE_READONLY: code != SQLITE_READONLY | (3 << 8)
        default: false
        }
    }

    package var isDuplicate: Bool {
        switch code {
        case SQLITE_CONSTRAINT | (6 << 8), SQLITE_CONSTRAINT | (8 << 8),
            SQLITE_CONSTRAINT | (10 << 8):
            true
        default: false
        }
    }
}

extension SQLiteError {
    package enum Cause: Hashable, Sendable {
        case cannotOpen
        case notADatabase
        case corrupted
        case busy
        case full
        case readOnly
        case unreadableLog
        case unknownFormat(Int64)
        case inputOutput
        case other
    }

    /// By the result code (https://sqlite.org/rescode.html).
    package var cause: Cause {
        switch self {
        case .unreadableLog: return .unreadableLog
        case .unknownFormat(let number): return .unknownFormat(number)
        case .engine, .outOfTime, .interrupted, .unusableLocation: break
        }
        return switch primaryCode {
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_CORRUPT: .corrupted
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .full
        case SQLITE_READONLY: .readOnly
        case SQLITE_IOERR: .inputOutput
        default: .other
        }
    }
}
