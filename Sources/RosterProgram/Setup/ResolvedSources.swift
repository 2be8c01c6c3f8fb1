import Database
import ListAPI
import RemoteLists
import SQLite
import System
import TableFiles

struct ResolvedSources {
    enum Entry {
        case remote(SourceArgument, RemoteAddress, name: String)
        case file(FileSource.List, FileSource)

        var name: String {
            switch self {
            case .remote(_, _, let name): name
            case .file(let list, _): list.name
            }
        }
    }

    private(set) var entries: [Entry] = []
    private(set) var databases: [SourceArgument] = []
    /// The files, also those that cannot be read now.
    private(set) var files: [FileSource] = []
    private(set) var folders: [String] = []
    private(set) var notices: [String] = []
    private(set) var failures: SourceFailures
    let documents = DocumentCache()
    private var input: TemporaryFile?
    private let configuration: Configuration

    var names: Set<String> {
        Set(entries.map(\.name)).union(files.map(\.fileName))
    }

    init(_ configuration: Configuration) throws(Failure) {
        self.configuration = configuration
        failures = SourceFailures(configuration)
        for source in configuration.sources {
            do throws(Failure) { try add(source) } catch {
                try failures.add(error, of: source.path)
            }
        }
        try failures.check(isSourceLeft: !entries.isEmpty || !databases.isEmpty)
        var names: Set<String> = []
        for entry in entries where !names.insert(entry.name).inserted {
            throw .repeatedList(entry.name)
        }
    }

    private mutating func add(_ source: SourceArgument) throws(Failure) {
        if let address = source.address {
            try SourceArgument.check(source.listName)
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
            do throws(Failure) { try add(file, argument) } catch {
                try failures.add(error, of: path)
            }
        }
    }

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

    /// The paths of files and folders that may change.
    var watched: Set<String> {
        Set(files.map(\.path).filter { $0 != "-" })
            .union(folders.map { $0.hasSuffix("/") ? $0 : $0 + "/" })
    }

    /// The size of the files, uncompressed as far as it can be estimated.
    func bytes(_ states: FileStates) -> Int {
        files.reduce(input?.size ?? 0) { sum, file in
            let isPacked = [".gz", ".zip", ".xlsx", ".ods"].contains(where: file.path.hasSuffix)
            return sum + states.bytes(of: file.path) * (isPacked ? 8 : 1)
        }
    }

    /// Whether a file is one of a folder, and not named itself.
    func holds(_ file: FileSource) -> Bool {
        file.name == nil
            && folders.contains { file.path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }

    private static func argument(_ path: String) throws(Failure) -> SourceArgument {
        // A `=` in the name of a folder names no list.
        let isClear = path.hasPrefix("/") || path.hasPrefix(".")
        return try SourceArgument(isClear ? path : "./" + path)
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
