import Database
import HTTPServer
import ListAPI
import Listings
import RemoteLists
import SQLite
import System
import TableFiles
import Workbooks

extension Failure {
    /// A file that edits cannot be written back to.
    static func unsaved(_ path: String, _ error: WriteError) -> Failure {
        let name = path == "-" ? "standard input" : path.split(separator: "/").last ?? path[...]
        let reason =
            switch error {
            case .unsaved(_, let reason), .unavailable(let reason), .failed(let reason):
                ": " + reason
            case .busy: ": another process replaces the file"
            case .full: ": there is no room for a copy"
            case .refused, .reusedKey, .keepsNoAnswers, .readOnly, .uncertain, .redefined: ""
            }
        return Failure(.configuration, "edits of \(name) need --database FILE\(reason)")
    }

    init(_ error: SQLiteError, path: String?, access: DatabaseAccess) {
        let location = path ?? "database in memory"
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
        case .unknownFormat(let number):
            code = .badData
            text =
                "another version of Roster made it, in format \(number); this version reads format "
                + "\(DatabaseFormat.current) alone: export its lists with that version and import them"
        case .unreadableLog:
            code = .noInput
            text =
                "its folder cannot be written, but its log \(location)-wal has changes that SQLite "
                + "reads only with a file beside it; copy both files to a writable folder"
        case .inputOutput: (code, text) = (.inputOutput, "cannot be read or written: \(error)")
        case .other: (code, text) = (.software, "\(error)")
        }
        self.init(code, "\(location): \(text)")
    }
}

extension FileAccess {
    var text: String {
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

extension Failure {
    init(_ error: ImportError, database: String? = nil) {
        switch error {
        case .unknownFormat(let path):
            self.init(
                .badData,
                "\(path): the format is unknown; allowed: CSV, TSV, JSON, NDJSON, XLSX, ZIP "
                    + "and SQLite; --delimiter reads other texts"
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
        case .refused(let path, let errors): self.init(errors, in: path)
        case .missingKey(let key, let columns):
            let hint =
                Suggestion.nearest(to: key, among: columns).map { "did you mean '\($0)'?" }
                ?? "columns: " + columns.prefix(20).joined(separator: ", ")
            self.init(.usage, "--key: the file has no column '\(key)'; \(hint)")
        case .archive(let path, let error): self.init(.badData, "\(path): \(error.text)")
        case .workbook(let path, let error):
            let code: ExitCode = error == .missingLibrary ? .unavailable : .badData
            self.init(code, "\(path): \(error.text)")
        case .foreign(let path, let format):
            self.init(.badData, "\(path): \(format.text(of: path))")
        case .noTable(let path, let skipped):
            let reasons = skipped.prefix(5).map(\.text).joined(separator: "; ")
            self.init(
                .badData,
                "\(path): holds no table" + (reasons.isEmpty ? "" : "; \(reasons)")
            )
        case .severalTables(let path, let names):
            self.init(
                .badData,
                "\(path): holds \(names.count) tables where one is expected: "
                    + names.prefix(20).joined(separator: ", ")
            )
        case .changed(let path):
            self.init(.badData, "\(path): was written to while it was read; nothing was imported")
        case .reservedName(let name): self = .invalidListName(name)
        case .nameTaken(let name, let other):
            self.init(.usage, "a list cannot be named '\(name)': the database holds '\(other)'")
        case .written(let name):
            self.init(
                .cannotCreate,
                "the rows of '\(name)' have been written to, which an import would undo; name "
                    + "another list by --list, or export this one first and remove it"
            )
        case .busy:
            self.init(.unavailable, "another write to the database did not end in time")
        case .cancelled: self.init(.inputOutput, "interrupted; nothing was imported")
        case .database(let error): self.init(error, path: database, access: .readWrite)
        }
    }
}

extension Failure {
    private static let shownErrors = 20

    init(_ errors: [FileError], in path: String, allIn location: String? = nil) {
        var lines = errors.prefix(Self.shownErrors).map { $0.line(in: path) }
        let rest = errors.count - lines.count
        if rest > 0 {
            lines.append(
                "\(path): \(rest) more errors" + (location.map { "; all are in \($0)" } ?? "")
            )
        }
        var remedies: [String] = []
        for case let remedy? in errors.map(\.reason.remedy) where !remedies.contains(remedy) {
            remedies.append(remedy)
        }
        lines += remedies.map { "\(path): \($0)" }
        self.init(.badData, lines.joined(separator: "\n"))
    }
}

extension FileError {
    func line(in path: String) -> String { "\(path):\(location): \(reason.text)" }
}

extension FileError.Reason {
    fileprivate var remedy: String? {
        switch self {
        case .fieldCount:
            "--extra-values column or drop reads longer rows; --delimiter and --skip-lines set the form"
        case .unclosedQuote: "--quote none reads quotes as text"
        case .invalidUTF8: "--encoding names the encoding"
        case .noRows, .severalLists: "--rows-at chooses the rows"
        case .missingID, .duplicateID: "--key names another column"
        default: nil
        }
    }
}

extension Failure {
    init(_ error: RemoteError, at address: RemoteAddress) {
        self.init(.unavailable, "\(address.masked): \(error)")
    }
}

extension Failure {
    init(_ error: ServerError) {
        switch error {
        case .unknownHost(let host):
            self.init(.unavailable, "--host: no address is known for '\(host)'")
        case .addressInUse(let host, let port):
            self.init(
                .unavailable,
                "port \(port) at \(host) is in use by another program; choose another by --port"
            )
        case .permissionDenied(let host, let port):
            self.init(
                .unavailable,
                "port \(port) at \(host) is not for this user; ports from 1024 on are"
            )
        case .addressUnavailable(let host, _):
            self.init(.unavailable, "--host: this machine does not have the address \(host)")
        case .socketInUse(let path):
            self.init(.unavailable, "--host: another program listens at unix:\(path)")
        case .socketOccupied(let path):
            self.init(.unavailable, "--host: \(path) is a file, and no socket")
        case .socketUnusable(let path, let code):
            let reason = FileAccess.reason(path, isForWriting: true)?.text
            let other = SystemError(call: "bind", code: code).reason
            self.init(.unavailable, "--host: unix:\(path): \(reason ?? other)")
        case .invalidSocketPath(let path, let longest):
            self.init(
                .configuration,
                "--host: 'unix:\(path)' needs a path of 1 to \(longest) bytes after unix:"
            )
        case .notAListener(let descriptor):
            self.init(
                .unavailable,
                "LISTEN_FDS: descriptor \(descriptor) is no socket that listens for connections"
            )
        case .invalidLimit(let error):
            self.init(.software, "\(error)")
        case .tooFewDescriptors(let connections, let limit):
            self.init(
                .unavailable,
                "\(connections) connections need more than the \(limit) descriptors this process "
                    + "may open; raise the limit by ulimit -n"
            )
        case .systemCallFailed(let name, let code):
            let reason = SystemError(call: name, code: code).reason
            self.init(.inputOutput, "\(name): \(reason)")
        }
    }
}
