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
        /// A table of a file.
        case table(SourceTable, name: String, path: String)

        /// The name of the list.
        var name: String {
            switch self {
            case .remote(_, _, let name), .table(_, let name, _): name
            }
        }
    }

    /// The sources of one list, in the order of the command line.
    private(set) var entries: [Entry] = []
    /// The databases that are opened.
    private(set) var databases: [SourceArgument] = []
    /// The notices about parts of files that are not read.
    private(set) var notices: [String] = []
    /// The files that cannot be read, which do not stop the others.
    private(set) var failures: [Failure] = []
    /// The contents of standard input; nil if no source names it.
    private var input: TemporaryFile?
    private let configuration: Configuration

    /// Resolves the sources of a configuration.
    ///
    /// - Throws: ``Failure`` for a source that is missing, or cannot be read and is the only one.
    init(_ configuration: Configuration) throws(Failure) {
        self.configuration = configuration
        for source in configuration.sources {
            do throws(Failure) {
                try add(source)
            } catch {
                let isAlone = configuration.sources.count == 1
                guard error.code == .badData, !configuration.isStrict, !isAlone else { throw error }
                failures.append(error)
            }
        }
        var names: Set<String> = []
        for entry in entries where !names.insert(entry.name).inserted {
            throw Failure(.repeatedList(entry.name))
        }
    }

    private mutating func add(_ source: SourceArgument) throws(Failure) {
        if let address = source.address {
            entries.append(.remote(source, address, name: try Self.checked(source.listName)))
        } else if source.isDatabase {
            if source.postgres == nil { try Self.requireFile(source.path) }
            databases.append(source)
        } else if source.path == "-" {
            let file = try readInput()
            input = file
            let location = SourceTable.Location.descriptor(file.number, name: "-")
            try add(location, named: source.name, base: "stdin", path: "-")
        } else if FileKind(atPath: source.path) == .directory {
            try addFolder(source)
        } else {
            try Self.requireFile(source.path)
            guard SourceTable.isDatabase(atPath: source.path) else {
                return try add(
                    .path(source.path),
                    named: source.name,
                    base: source.listName,
                    path: source.path
                )
            }
            databases.append(source)
        }
    }

    /// Adds the files of a folder whose endings are those of files with lists.
    private mutating func addFolder(_ source: SourceArgument) throws(Failure) {
        guard source.name == nil else {
            throw Failure(
                .usage,
                "\(source.name ?? "")=\(source.path): a folder is not named; its lists are named "
                    + "after its files"
            )
        }
        let names: [String]
        do {
            names = try FolderFiles.names(in: source.path)
        } catch {
            throw Failure(.noInput, "\(source.path): the folder cannot be read")
        }
        var isEmpty = true
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = source.path.hasSuffix("/") ? source.path + name : "\(source.path)/\(name)"
            guard FileFormat(path: path) != nil, FileKind(atPath: path) == .regular else {
                continue
            }
            isEmpty = false
            do throws(Failure) {
                try add(try Self.argument(path))
            } catch {
                guard error.code == .badData, !configuration.isStrict else { throw error }
                failures.append(error)
            }
        }
        guard !isEmpty else {
            throw Failure(.badData, "\(source.path): the folder has no file with a list")
        }
    }

    /// Adds the tables of a file.
    ///
    /// Several tables are named after their parts, with the name of the file before a name that is
    /// given or taken.
    private mutating func add(
        _ location: SourceTable.Location,
        named name: String?,
        base: String,
        path: String
    ) throws(Failure) {
        let own = name ?? base
        let contents: SourceContents
        do {
            contents = try SourceContents(
                location,
                options: configuration.imports.options(for: own)
            )
        } catch {
            throw Failure(error, database: path)
        }
        notices += contents.skipped.map { "\(path): \($0.text)" }
        for table in contents.tables {
            var list = contents.tables.count == 1 ? own : table.name
            if contents.tables.count > 1,
                name != nil || entries.contains(where: { $0.name == list })
            {
                list = "\(own)-\(list)"
            }
            var options = configuration.imports.options(for: list)
            let keys = configuration.tables.keys
            options.key = keys[list] ?? keys[Self.fileName(of: path)] ?? []
            entries.append(.table(table.with(options), name: try Self.checked(list), path: path))
        }
    }

    /// The names that settings may use for the lists of files: their own and those of the files.
    var names: Set<String> {
        Set(entries.map(\.name)).union(
            entries.compactMap { entry in
                guard case .table(_, _, let path) = entry else { return nil }
                return Self.fileName(of: path)
            }
        )
    }

    /// Returns a path without its folders.
    private static func fileName(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
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

    private static func checked(_ name: String) throws(Failure) -> String {
        do {
            try SourceArgument.check(name)
        } catch {
            throw Failure(error)
        }
        return name
    }

    private static func requireFile(_ path: String) throws(Failure) {
        switch FileKind(atPath: path) {
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
