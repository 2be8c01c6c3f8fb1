package import Archives
package import TableFiles
package import Workbooks

/// An error that prevented an import.
///
/// The database is then unchanged.
package enum ImportError: Error, Hashable, Sendable {
    /// The file extension is not that of a format for import; see ``FileFormat``.
    case unknownFormat(path: String)
    /// The file does not exist.
    case missing(path: String)
    /// The file cannot be opened or read. The code is that of errno(3).
    case unreadable(path: String, code: Int32)
    /// The path names a folder.
    case directory(path: String)
    /// The path names a pipe, a device or a socket. A file is read twice, which these do not
    /// support.
    case notRegular(path: String)
    /// The file violates its format. The errors are in the order of the file.
    ///
    /// There is at least one error.
    case refused(path: String, [FileError])
    /// The file has no column of the name that the options give for ids.
    case missingKey(String, columns: [String])
    /// The compressed file or archive is damaged, encrypted, or too large.
    case archive(path: String, ArchiveError)
    /// The workbook cannot be read.
    case workbook(path: String, WorkbookError)
    /// The file is in a format that other programs convert.
    case foreign(path: String, ForeignFormat)
    /// The workbook or archive has no table that can be imported.
    case noTable(path: String, skipped: [SourceContents.Skipped])
    /// The workbook or archive has several tables of these names where one is expected.
    case severalTables(path: String, [String])
    /// The file changed while it was read.
    case changed(path: String)
    /// The name is not allowed for lists: it is empty, contains NUL, or begins with `sqlite_` or
    /// `roster_`, which database tables use.
    case reservedName(String)
    /// The database has another table or list whose name differs at most by case.
    case nameTaken(String, by: String)
    /// Rows of the list have been written since its import. A new import would discard the changes.
    case written(String)
    /// Another write to the served database did not end in time.
    case busy
    /// The caller cancelled the import.
    case cancelled
    /// The database failed.
    case database(SQLiteError)
}

extension ImportError {
    /// Converts an error of the database.
    init(_ error: SQLiteError) {
        switch error {
        case .interrupted: self = .cancelled
        case .engine, .outOfTime, .unusableLocation, .unreadableLog, .newerFormat:
            self = .database(error)
        }
    }

    /// Runs a closure that uses the database, and converts its errors.
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
