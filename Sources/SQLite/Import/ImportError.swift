package import Archives
package import TableFiles
package import Workbooks

/// An error that prevented an import.
///
/// The database is then unchanged.
package enum ImportError: Error, Hashable, Sendable {
    case unknownFormat(path: String)
    case missing(path: String)
    /// The file cannot be opened or read. The code is that of errno(3).
    case unreadable(path: String, code: Int32)
    case directory(path: String)
    /// The path names a pipe, a device or a socket. A file is read twice, which these do not
    /// support.
    case notRegular(path: String)
    /// The errors are in the order of the file, at least one.
    case refused(path: String, [FileError])
    case missingKey(String, columns: [String])
    case archive(path: String, ArchiveError)
    case workbook(path: String, WorkbookError)
    case foreign(path: String, ForeignFormat)
    case noTable(path: String, skipped: [SourceContents.Skipped])
    case severalTables(path: String, [String])
    case changed(path: String)
    /// The name is not allowed for lists: it is empty, contains NUL, or begins with `sqlite_` or
    /// `roster_`, which database tables use.
    case reservedName(String)
    /// The database has another table or list whose name differs at most by case.
    case nameTaken(String, by: String)
    /// Rows of the list have been written since its import. A new import would discard the changes.
    case written(String)
    case busy
    case cancelled
    case database(SQLiteError)
}

extension ImportError {
    init(_ error: SQLiteError) {
        switch error {
        case .interrupted: self = .cancelled
        case .engine, .outOfTime, .unusableLocation, .unreadableLog, .unknownFormat:
            self = .database(error)
        }
    }

    package static func ofDatabase<R: ~Copyable>(
        _ body: () throws(SQLiteError) -> R
    ) throws(ImportError) -> R {
        do {
            return try body()
        } catch {
            throw ImportError(error)
        }
    }
}
