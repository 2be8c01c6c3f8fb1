import Database
import HTTPServer
package import ListAPI
import Remote
import SQLite
import System
import TableFiles
import Workbooks

extension Failure {
    /// Creates the message about an invalid command line or environment.
    package init(_ error: ConfigurationError) {
        switch error {
        case .unknownFlag(let flag, let suggestion):
            self.init(.usage, "no option \(flag)\(Suggestion.hint(suggestion)); see roster --help")
        case .unknownVariable(let name, let suggestion):
            self.init(
                .configuration,
                "no setting \(name)\(Suggestion.hint(suggestion)); see roster --help"
            )
        case .unreadableFile(let failure): self = failure
        case .invalidLine(let place):
            self.init(
                .configuration,
                "\(place): no setting; allowed: NAME = VALUE, as in port = 80"
            )
        case .unknownSetting(let name, let place, let suggestion):
            self.init(
                .configuration,
                "\(place): no setting '\(name)'\(Suggestion.hint(suggestion)); see roster --help"
            )
        case .repeatedSetting(let name, let place, let first):
            self.init(.configuration, "\(place): '\(name)' stands at \(first) already")
        case .missingValue(let origin):
            self.init(Self.code(of: origin), "\(origin) needs a value")
        case .repeatedFlag(let flag):
            self.init(.usage, "\(flag) is given twice")
        case .invalidValue(let origin, let value, let allowed):
            self.init(Self.code(of: origin), "\(origin): '\(value)' is not \(allowed)")
        case .invalidField(let place):
            self.init(
                .configuration,
                "\(place): no field that can be sent; allowed: NAME: VALUE, as in Authorization: "
                    + "Bearer …, and LIST=NAME: VALUE"
            )
        case .missingArgument(let name): self.init(.usage, "\(name) is missing; see roster --help")
        case .surplusArgument(let text):
            self.init(.usage, "'\(text)' is one too many; see roster --help")
        case .missingFlag(let flag): self.init(.usage, "\(flag) is needed; see roster --help")
        case .unknownImport(let text):
            if let foreign = ForeignFormat(path: text) {
                self.init(ImportError.foreign(path: text, foreign))
                return
            }
            self.init(
                .usage,
                "'\(text)' is opened and not imported; name it as a source: roster \(text)"
            )
        case .nobodyMayWrite:
            self.init(
                .configuration,
                "--allow-writes lets clients with a token of --tokens write; "
                    + "--allow-anonymous-writes lets every client write"
            )
        case .nobodyMayRead:
            self.init(
                .configuration,
                "--anonymous none needs --tokens, because no client could read anything"
            )
        case .repeatedList(let name):
            self.init(
                .usage,
                "two lists are named '\(name)'; name one by NAME=FILE or NAME=DATABASE#TABLE"
            )
        case .invalidListName(let name):
            self.init(
                .usage,
                "a list cannot be named '\(name)': names have no /, no control characters, are not "
                    + "'-' and do not begin with sqlite_ or roster_"
            )
        case .unknownSource(let text):
            self.init(
                .usage,
                "'\(text)' is no source this program reads; allowed: .csv, .tsv, .json, .ndjson, "
                    + ".gz, .zip, .xlsx, .sqlite, .db, postgres://…, http://…, https://…, also as NAME=SOURCE"
            )
        case .sourceWithParameters(let text):
            self.init(
                .usage,
                "'\(text)': a source has no parameters; from '?' on they belong to the address of "
                    + "the list, and a file of this name is written './\(text)'"
            )
        case .invalidAddress(let text):
            self.init(
                .usage,
                "'\(text)' is not an address of a source; allowed: postgres://…, "
                    + "http://HOST[:PORT]/PATH and https://…, the last two without user name and "
                    + "spaces"
            )
        case .ambiguousAddress(let text):
            self.init(
                .usage,
                "'\(text)': write '/' as %2F, '?' as %3F and '#' as %23 in a user name or password"
            )
        }
    }

    private static func code(of origin: String) -> ExitCode {
        origin.hasPrefix("-") ? .usage : .configuration
    }
}

extension Failure {
    /// Creates the message about a database that cannot be used.
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
        case .newerFormat(let number):
            code = .badData
            text =
                "a newer version of Roster made it, in format \(number); this version reads formats "
                + "up to \(DatabaseFormat.current)"
        case .unreadableLog:
            code = .noInput
            text =
                "its folder cannot be written, but its log \(place)-wal has changes that SQLite "
                + "reads only with a file beside it; copy both files to a writable folder"
        case .inputOutput: (code, text) = (.inputOutput, "cannot be read or written: \(error)")
        case .other: (code, text) = (.software, "\(error)")
        }
        self.init(code, "\(place): \(text)")
    }
}

extension FileAccess {
    /// The reason, as the text after the path.
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
    /// Creates the message about a failed import: the position of each error, and the allowed
    /// values.
    init(_ error: ImportError, database: String? = nil) {
        switch error {
        case .unknownFormat(let path):
            self.init(
                .badData,
                "\(path): the format is unknown; allowed: CSV, TSV, JSON, NDJSON, XLSX, ZIP and SQLite"
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
        case .reservedName(let name): self.init(.invalidListName(name))
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
    /// The maximum number of errors of a file that are shown.
    private static let shownErrors = 20

    /// Creates the message about a file that violates its format: the first errors.
    init(_ errors: [FileError], in path: String, allIn place: String? = nil) {
        var lines = errors.prefix(Self.shownErrors).map { $0.line(in: path) }
        let rest = errors.count - lines.count
        if rest > 0 {
            lines.append(
                "\(path): \(rest) more errors" + (place.map { "; all are in \($0)" } ?? "")
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
    /// The line about the error.
    func line(in path: String) -> String { "\(path):\(place): \(reason.text)" }
}

extension FileError.Reason {
    /// The option that may help; nil without one.
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
    /// Creates the message about a list that could not be fetched.
    init(_ error: RemoteError, at address: RemoteAddress) {
        self.init(.unavailable, "\(address.masked): \(error.text)")
    }
}

extension RemoteError {
    /// The error, without the address of the request.
    fileprivate var text: String {
        switch self {
        case .invalidAddress(let text): "'\(text)' in the response is no http or https address"
        case .invalidField(let name): "the field \(name) does not follow its grammar"
        case .transport(let failure): failure.text
        case .status(let status, let body): "status \(status)" + Self.excerpt(body)
        case .tooLarge(let maximum): "the response is larger than \(maximum) bytes"
        case .tooManyRedirects(let maximum): "more than \(maximum) redirects"
        case .refusedAddress(let address):
            "the response leads to another server, \(address); use that address as the source"
        case .tooManyPages(let maximum): "more than \(maximum) pages"
        case .tooSlow(let maximum):
            "reading all pages takes longer than \(maximum.components.seconds) s"
        case .repeatedPage(let address): "the pages come round again at \(address)"
        case .unsupportedFormat(let type):
            "the response is \(type); allowed: JSON, NDJSON, CSV and TSV"
        case .decoding(let error): error.text
        case .repeatedID(let id, let first, let second):
            "id '\(id)' stands in row \(first.row) of page \(first.page) and again in "
                + "row \(second.row) of page \(second.page)"
        case .columnChanged(let name, let old, let new):
            "column '\(name)' was \(old) when this program started and is \(new) now; "
                + "start it again to take that"
        }
    }

    /// Returns the first line of a body, up to 200 characters; empty if it has control characters.
    private static func excerpt(_ body: String) -> String {
        let line = body.prefix { !$0.isNewline }.prefix(200)
        let isText = line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return line.isEmpty || !isText ? "" : ": \(line)"
    }
}

extension TransportFailure {
    fileprivate var text: String {
        switch self {
        case .timedOut: "no response in time"
        case .unknownHost: "the host has no known address"
        case .unreachable: "the host does not take connections"
        case .connectionLost: "the connection broke before the response was complete"
        case .malformedAnswer: "what came is not HTTP, or not coded as it says"
        case .insecure: "the certificate is not trusted, or TLS could not be agreed on"
        case .programMissing(let path): "fetching needs the program \(path), which is missing"
        case .programNotStarted(let path, let code):
            "fetching needs the program \(path), which cannot be started: "
                + SystemError(call: "posix_spawn", code: code).reason
        case .libraryMissing:
            "fetching needs libcurl (libcurl.so.4), which is not installed: apt-get install libcurl4"
        case .programFailed: "the process that fetches failed"
        case .other(let number): "error \(number) of the fetching library"
        }
    }
}

extension RemoteDecodingError {
    fileprivate var text: String {
        let row = row.map { ", row \($0)" } ?? ""
        let way = path.isEmpty ? "" : ", \(path)"
        switch reason {
        case .file(let reason, let place):
            let spot = place.map { ", line \($0.line), column \($0.column)" } ?? ""
            return "page \(page)\(row)\(spot): \(reason.text)"
        case .noRows(let members):
            let names = members.prefix(20).joined(separator: ", ")
            return "page \(page) is an object without a list of rows; it has \(names)"
        case .pagedFormat(let format):
            return "page \(page) is \(format.rawValue) and has a next page, which only JSON can"
        case .failedRow: return "page \(page)\(row): the service could not show this row"
        case .model(let text): return "page \(page)\(row)\(way): \(text)"
        }
    }
}

extension Failure {
    /// Creates the message about a server that does not start.
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
