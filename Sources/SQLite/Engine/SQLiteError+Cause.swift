import CSQLite

extension SQLiteError {
    /// What a person can do something about.
    package enum Cause: Hashable, Sendable {
        /// The file is missing, or may not be opened.
        case cannotOpen
        /// The file is something else than a database.
        case notADatabase
        /// The file is damaged.
        case corrupted
        /// Another process holds the database.
        case busy
        /// The disk is full.
        case full
        /// The file or its folder may not be written to.
        case readOnly
        /// The disk does not do what it should.
        case inputOutput
        /// Anything else.
        case other
    }

    /// What a person can do something about (https://sqlite.org/rescode.html).
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
