import Database
import ListAPI
import SQLite
import System
import TableFiles

extension Failure {
    /// Creates the message about a failed import: the position of each error, and the allowed
    /// values.
    ///
    /// - Parameters:
    ///   - error: The reason of the failure.
    ///   - database: The file of the import's database; nil for a database in memory.
    init(_ error: ImportError, database: String? = nil) {
        switch error {
        case .unknownFormat(let path):
            self.init(
                .usage,
                "\(path): the ending names no format; allowed: .csv, .tsv, .json, .ndjson, "
                    + ".sqlite, .db"
            )
        case .missing(let path): self.init(.noInput, "\(path): no such file")
        case .unreadable(let path, let code):
            self.init(
                .noInput,
                "\(path): cannot be read: \(SystemError(call: "read", code: code).reason)"
            )
        case .directory(let path): self.init(.noInput, "\(path): is a folder, not a file")
        case .notRegular(let path):
            self.init(.noInput, "\(path): is not a file on a disk; it must be read twice")
        case .refused(let path, let errors):
            let lines = errors.map { "\(path):\($0.place): \($0.reason.text)" }
            self.init(.badData, lines.joined(separator: "\n"))
        case .changed(let path):
            self.init(.badData, "\(path): was written to while it was read; nothing was imported")
        case .reservedName(let name): self.init(.invalidListName(name))
        case .nameTaken(let name, let other):
            self.init(.usage, "a list cannot be named '\(name)': the database holds '\(other)'")
        case .written(let name):
            self.init(
                .cannotCreate,
                "the rows of '\(name)' have been written to, which an import would undo; name "
                    + "another list by --list, or export this one first and remove it"
            )
        case .cancelled: self.init(.inputOutput, "interrupted; nothing was imported")
        case .database(let error): self.init(error, path: database, access: .readWrite)
        }
    }
}
