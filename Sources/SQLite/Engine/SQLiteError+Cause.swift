import CSQLite

extension SQLiteError {
    /// The cause of an error, as far as the operator can act on it.
    package enum Cause: Hashable, Sendable {
        /// The file is missing or cannot be opened.
        case cannotOpen
        /// The file is not a database.
        case notADatabase
        /// The file is damaged.
        case corrupted
        /// Another process has locked the database.
        case busy
        /// The disk is full.
        case full
        /// The file or its folder is not writable.
        case readOnly
        /// The disk reported an error.
        case inputOutput
        /// Any other cause.
        case other
    }

    /// The cause, by the result code (https://sqlite.org/rescode.html).
    package var cause: Cause {
        switch primaryCode {
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
