import CSQLite

/// A database as any other program opens it, without Roster's functions.
@safe
final class PlainDatabase {
    struct Failure: Error {
        let message: String
    }

    private var pointer: OpaquePointer?

    init(_ path: String) throws {
        // SAFETY: the pointer is written during the call.
        guard unsafe sqlite3_open(path, &pointer) == SQLITE_OK else { throw failure }
    }

    deinit {
        // SAFETY: all statements are finalized.
        unsafe sqlite3_close(pointer)
    }

    private var failure: Failure {
        // SAFETY: the message of the connection is valid until its next call.
        Failure(message: unsafe String(cString: sqlite3_errmsg(pointer)))
    }

    func run(_ sql: String) throws {
        // SAFETY: the connection is open.
        guard unsafe sqlite3_exec(pointer, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    func first(_ sql: String) throws -> String? {
        var statement: OpaquePointer?
        // SAFETY: the connection is open, and the text lives for the call.
        guard unsafe sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure
        }
        // SAFETY: the statement was prepared above and is used by this function alone.
        defer { unsafe sqlite3_finalize(statement) }
        guard unsafe sqlite3_step(statement) == SQLITE_ROW,
            let text = unsafe sqlite3_column_text(statement, 0)
        else { return nil }
        // SAFETY: the text is valid until the statement is finalized.
        return unsafe String(cString: text)
    }
}
