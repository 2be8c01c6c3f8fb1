package import Database

/// Why a file was not imported; nothing of it is in the database then.
package enum ImportError: Error, Hashable, Sendable {
    /// The ending of the path names no format that is imported; see ``FileFormat``.
    case unknownFormat(path: String)
    /// There is no such file.
    case missing(path: String)
    /// The file cannot be opened or read; the code is that of errno(3).
    case unreadable(path: String, code: Int32)
    /// The path names a folder.
    case directory(path: String)
    /// The path names a pipe, a device or a socket; a file is read twice, which those cannot be.
    case notRegular(path: String)
    /// The file is not what its format asks for: what is wrong, in the order of the file.
    ///
    /// Never empty. Today reading stops at the first error.
    case refused(path: String, [FileError])
    /// The file was written to while it was read.
    case changed(path: String)
    /// Lists cannot be called so: the name is empty, holds NUL, or begins with `sqlite_` or
    /// `roster_`, as the tables of the database itself do.
    case reservedName(String)
    /// The database has another table or list whose name differs at most by case.
    case nameTaken(String, by: String)
    /// The list has been written to since it was imported, which would be lost.
    case written(String)
    /// The person or program that asked for it wants it no longer.
    case cancelled
    /// The database failed.
    case database(SQLiteError)
}

extension ImportError {
    /// What an error of the database means for an import.
    init(_ error: SQLiteError) {
        switch error {
        case .interrupted: self = .cancelled
        case .engine, .outOfTime, .unusableLocation: self = .database(error)
        }
    }

    /// Uses the database; what it throws becomes an error of the import.
    static func ofDatabase<R: ~Copyable>(
        _ body: () throws(SQLiteError) -> R
    ) throws(ImportError) -> R {
        do {
            return try body()
        } catch {
            throw ImportError(error)
        }
    }
}
