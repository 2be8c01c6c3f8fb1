import ListAPI
import SQLite
import System

extension Failure {
    /// Creates the message about a database that cannot be used.
    ///
    /// - Parameters:
    ///   - error: The error of SQLite.
    ///   - path: The file; nil for a database in memory.
    ///   - access: The access that the file was opened for.
    init(_ error: SQLiteError, path: String?, access: DatabaseAccess) {
        let place = path ?? "database in memory"
        let code: ExitCode
        let text: String
        switch error.cause {
        case .cannotOpen:
            code = access == .readOnly ? .noInput : .cannotCreate
            let reason = path.flatMap {
                FileAccess.reason($0, isForWriting: access != .readOnly)
            }
            text = reason?.text ?? "cannot be opened: \(error)"
        case .notADatabase: (code, text) = (.badData, "is not an SQLite database")
        case .corrupted: (code, text) = (.badData, "is a damaged SQLite database")
        case .busy: (code, text) = (.unavailable, "is locked by another process")
        case .full: (code, text) = (.inputOutput, "the disk is full; nothing was imported")
        case .readOnly: (code, text) = (.cannotCreate, "may not be written to")
        case .inputOutput: (code, text) = (.inputOutput, "cannot be read or written: \(error)")
        case .other: (code, text) = (.software, "\(error)")
        }
        self.init(code, "\(place): \(text)")
    }
}

extension FileAccess {
    /// The reason, as the text after the path.
    fileprivate var text: String {
        switch self {
        case .isFolder: "is a folder, not a file"
        case .isMissing: "no such file"
        case .folderIsMissing(let folder): "the folder '\(folder)' is missing"
        case .folderMayNotBeEntered(let folder): "the folder '\(folder)' may not be entered"
        case .folderMayNotBeWrittenTo(let folder): "the folder '\(folder)' may not be written to"
        case .mayNotBeRead: "may not be read"
        case .mayNotBeWrittenTo: "may not be written to"
        }
    }
}
