import SQLite

extension Failure {
    /// What is said about a database that cannot be used.
    ///
    /// - Parameters:
    ///   - error: What the engine said.
    ///   - path: The file; nil for the memory of the process.
    ///   - access: What the file was opened for.
    init(_ error: SQLiteError, path: String?, access: DatabaseAccess) {
        let place = path ?? "database in memory"
        let code: ExitCode
        let text: String
        switch error.cause {
        case .cannotOpen:
            code = access == .readOnly ? .noInput : .cannotCreate
            text = "cannot be opened: the file or its folder is missing, or may not be read"
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
