import Database
import ListAPI
import Remote
import SQLite
import System
import TableFiles

/// The sources of a command line, with folders, documents and standard input taken apart.
struct ResolvedSources {
    /// A source of one list that is imported or requested.
    enum Entry {
        /// A list of another service.
        case remote(SourceArgument, RemoteAddress, name: String)
        case file(FileSource.List, FileSource)

        /// The name of the list.
        var name: String {
            switch self {
            case .remote(_, _, let name): name
            case .file(let list, _): list.name
            }
        }
    }

    /// The sources of one list, in the order of the command line.
    private(set) var entries: [Entry] = []
    /// The databases that are opened.
    private(set) var databases: [SourceArgument] = []
    /// The files, also those that cannot be read now.
    private(set) var files: [FileSource] = []
    /// The folders whose files are served.
    private(set) var folders: [String] = []
    /// The notices about parts of files that are not read.
    private(set) var notices: [String] = []
    /// The files that cannot be read.
    private(set) var failures: SourceFailures
    /// The document that was read last.
    let documents = DocumentCache()
    /// The contents of standard input; nil if no source names it.
    private var input: TemporaryFile?
    private let configuration: Configuration

    /// The names that settings may use for the lists of files: their own and those of the files.
    var names: Set<String> {
        Set(entries.map(\.name)).union(files.map(\.fileName))
    }

    /// Resolves the sources of a configuration.
    ///
    /// - Throws: ``Failure`` for a source that is missing, or if none can be read.
    init(_ configuration: Configuration) throws(Failure) {
        self.configuration = configuration
        failures = SourceFailures(configuration)
        for source in configuration.sources {
            do throws(Failure) { try add(source) } catch { try failures.add(error) }
        }
        try failures.check(isSourceLeft: !entries.isEmpty || !databases.isEmpty)
        var names: Set<String> = []
        for entry in entries where !names.insert(entry.name).inserted {
            throw Failure(.repeatedList(entry.name))
        }
    }

    private mutating func add(_ source: SourceArgument) throws(Failure) {
        if let address = source.address {
            do { try SourceArgument.check(source.listName) } catch { throw Failure(error) }
            entries.append(.remote(source, address, name: source.listName))
        } else if source.isDatabase {
            if source.postgres == nil { try Self.requireFile(source) }
            databases.append(source)
        } else if source.path == "-" {
            let file = try readInput()
            input = file
            try add(
                FileSource(location: .descriptor(file.number, name: "-"), name: source.name),
                source
            )
        } else if FileKind(atPath: source.path) == .directory {
            try addFolder(source)
        } else {
            try Self.requireFile(source)
            try add(FileSource(location: .path(source.path), name: source.name), source)
        }
    }

    /// Adds the files of a folder.
    private mutating func addFolder(_ source: SourceArgument) throws(Failure) {
        guard source.name == nil else {
            throw Failure(
                .usage,
                "\(source.name ?? "")=\(source.path): a folder is not named; its lists are named "
                    + "after its files"
            )
        }
        let paths = try FileSource.paths(inFolder: source.path)
        guard !paths.isEmpty else {
            throw Failure(.badData, "\(source.path): the folder has no file with a list")
        }
        folders.append(source.path)
        for path in paths {
            let argument = try Self.argument(path)
            if argument.isDatabase {
                databases.append(argument)
                continue
            }
            let file = FileSource(location: .path(path), name: nil)
            do throws(Failure) { try add(file, argument) } catch { try failures.add(error) }
        }
    }

    /// Adds the lists of a file, or the database that it is.
    private mutating func add(
        _ file: FileSource,
        _ argument: SourceArgument
    ) throws(Failure) {
        files.append(file)
        let taken = Set(entries.map(\.name))
        if let found = try file.lists(configuration, documents, besides: taken) {
            notices += found.notices
            entries += found.lists.map { .file($0, file) }
        } else {
            guard file.path != "-" else {
                throw Failure(ImportError.unknownFormat(path: "-"), database: nil)
            }
            files.removeLast()
            databases.append(argument)
        }
    }

    private static func argument(_ path: String) throws(Failure) -> SourceArgument {
        // A `=` in the name of a folder names no list.
        let isClear = path.hasPrefix("/") || path.hasPrefix(".")
        do {
            return try SourceArgument(isClear ? path : "./" + path)
        } catch {
            throw Failure(error)
        }
    }

    private static func requireFile(_ source: SourceArgument) throws(Failure) {
        let path = source.path
        switch FileKind(atPath: path) {
        case .missing where source.name == nil && !path.contains { $0 == "." || $0 == "/" }:
            let hint = Suggestion.hint(for: path, among: CommandDescription.all.map(\.name))
            let text = "no such file or command\(hint); to serve a file, write: roster FILE"
            throw Failure(.noInput, "\(path): \(text)")
        case .missing: throw Failure(ImportError.missing(path: path))
        case .directory: throw Failure(ImportError.directory(path: path))
        case .regular, .other: break
        }
    }

    /// Copies standard input to a temporary file, because a file is read twice.
    private func readInput() throws(Failure) -> TemporaryFile {
        guard input == nil else { throw Failure(.usage, "- is given twice") }
        let folder = configuration.temporaryFolder
        do {
            let file = try TemporaryFile(in: folder)
            let meter = ProgressMeter("-")
            defer { meter.end() }
            try file.appendInput { count in
                meter.show(
                    ImportProgress(phase: .receiving, bytes: count, totalBytes: 0, records: 0)
                )
            }
            return file
        } catch {
            throw Failure(
                .inputOutput,
                "standard input cannot be stored in \(folder): \(error.reason); TMPDIR names another"
            )
        }
    }
}
