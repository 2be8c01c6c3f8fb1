import Bytes
import Database
import HTTP
import ListAPI
import Listings
import Locks
import Rendering
import SQLite
import System
import TableFiles

/// The lists that clients have made since the start, in the database of the program.
struct CreatedLists: ChangingLists {
    let made: Locked<[ListDefinition]>
    private(set) var definitions: [ListDefinition] = []
    let failures: [FailedSource] = []

    init(_ made: Locked<[ListDefinition]>) { self.made = made }

    mutating func refresh(
        besides taken: Set<String>,
        isForced: Bool
    ) throws(Failure) -> ListChanges {
        let known = taken.union(definitions.map(\.name))
        let others = made.withLock { $0 }.filter { !known.contains($0.name) }
        definitions += others
        let names = others.map(\.name)
        return ListChanges(others: Set(names), messages: names.map { "list '\($0)' is new" })
    }
}

/// Makes lists in the database of the program, or as files of its only folder.
struct ListCreator: ListCreation {
    private static let table = "table"
    private static let key = "key"
    private static let noRoom = "There is no room left"

    private let store: ListStore.ImportTarget
    private let configuration: Configuration
    /// The folder for files; nil for the database.
    private let folder: String?
    private let made: Locked<[ListDefinition]>
    private let changed: Locked<[String: FileChange]>
    private let servedLists: ServedLists

    init(
        in store: ListStore.ImportTarget,
        _ configuration: Configuration,
        folder: String?,
        made: Locked<[ListDefinition]>,
        changed: Locked<[String: FileChange]>,
        _ servedLists: ServedLists
    ) {
        self.store = store
        self.configuration = configuration
        self.folder = folder
        self.made = made
        self.changed = changed
        self.servedLists = servedLists
    }

    /// Whether a database or one folder keeps the lists.
    static func isPossible(_ configuration: Configuration, _ folders: [String]) -> Bool {
        configuration.writing.isAllowed && (configuration.database != nil || folders.count == 1)
    }

    let parameters: [(name: String, summary: String)] =
        [
            (key, "columns with the ids, with commas between"),
            (table, "sheet, entry or list, where the file has several"),
        ] + Setting.reading.map { (parameter(of: $0), $0.summary) }

    var keepsTypes: Bool { folder == nil }

    private static func parameter(of setting: Setting) -> String {
        setting.name.replacing("-", with: "_")
    }

    func preview(_ content: ListContent, rows: Int) throws(CreationFailure) -> ReadList {
        let name = FileFormat.name(ofFileAt: content.name)
        let table = try table(of: content, for: name)
        return try reading(content) { () throws(ImportError) in
            let importer = importer(try connect(), table)
            let (outcome, rows) = try importer.preview(table, rows: rows)
            return ReadList(outcome, of: content, rows)
        }
    }

    func create(_ name: String, from content: ListContent) throws(CreationFailure) -> ReadList {
        try check(name)
        let table = try table(of: content, for: name)
        guard let folder else { return try createStored(name, table, content) }
        return try createFile(name, table, content, in: folder)
    }

    private func check(_ name: String) throws(CreationFailure) {
        do throws(Failure) { try SourceArgument.check(name) } catch {
            throw CreationFailure(.unusableName, error.text)
        }
        let isFileName = name.utf8.count <= 200 && !name.hasPrefix(".")
        guard isFileName, FileFormat.name(ofFileAt: "\(name).csv") == name,
            configuration.basePath.firstSegment != name
        else {
            throw CreationFailure(
                .unusableName,
                "A list cannot be named '\(name)': names begin with no point, have at most 200 "
                    + "bytes, and are no part of --base-path"
            )
        }
        let lower = name.lowercased()
        if let other = servedLists.names.first(where: { $0.lowercased() == lower }) {
            throw CreationFailure(.takenName, "There is a list '\(other)' already")
        }
    }

    // MARK: - Reading

    private func table(
        of content: ListContent,
        for name: String
    ) throws(CreationFailure) -> SourceTable {
        let options = try options(of: content, for: name)
        let chosen = content.options.first { $0.name == Self.table }?.value
        return try reading(content) { () throws(ImportError) in
            let location = SourceTable.Location.descriptor(content.file.number, name: content.name)
            let contents = try SourceContents(location, options: options)
            guard let table = contents.tables.first(where: { $0.name == chosen }) else {
                return try contents.onlyTable().with(options)
            }
            return table.with(options)
        }
    }

    private func options(
        of content: ListContent,
        for name: String
    ) throws(CreationFailure) -> ImportOptions {
        var settings = configuration.imports
        for option in content.options {
            let setting = Setting.reading.first { Self.parameter(of: $0) == option.name }
            guard let setting else { continue }
            do throws(Failure) {
                try settings.set(setting, to: option.value, origin: option.name)
            } catch {
                throw CreationFailure(.option(option.name), error.text)
            }
        }
        var options = settings.options(for: name)
        let given = content.options.first { $0.name == Self.key }?.value
        let key = given?.split(separator: ",").map(String.init) ?? content.key
        options.key = key.isEmpty ? configuration.tables.keys[name] ?? [] : key
        if let type = content.types[ListSchema.idName], type != .text {
            throw CreationFailure(.option("types"), "The ids have whole numbers or texts")
        }
        if !content.types.isEmpty {
            var types = content.types
            if case .named(let others) = options.types { types.merge(others) { own, _ in own } }
            options.types = .named(types)
        }
        guard
            keepsTypes
                || key.isEmpty && options.types == configuration.imports.options(for: name).types
        else {
            throw CreationFailure(
                .option(key.isEmpty ? "types" : Self.key),
                "A file of a folder stores no key and no types; --database FILE stores them"
            )
        }
        return options
    }

    private func connect() throws(ImportError) -> DatabaseConnection {
        try ImportError.ofDatabase { () throws(SQLiteError) in
            try DatabaseConnection(store.location, access: .readWrite)
        }
    }

    private func importer(
        _ connection: DatabaseConnection,
        _ table: SourceTable
    ) -> ListImporter {
        var importer = store.importer(
            connection,
            table.options,
            groupings: configuration.groupings,
            isCancelled: { RequestCancellation.current?.isCancelled ?? false }
        )
        importer.createsOnly = true
        // Clients may send large files, which must not fill the memory.
        importer.reading.maximumDocumentBytes = FileLimits.maximumRecordBytes
        return importer
    }

    private func reading<Value>(
        _ content: ListContent,
        _ body: () throws(ImportError) -> Value
    ) throws(CreationFailure) -> Value {
        do throws(ImportError) { return try body() } catch {
            let text = Failure(error, database: "the database").text
            switch error {
            case .refused(_, let errors):
                throw CreationFailure(.content, "The file cannot be read as rows", errors)
            case .nameTaken(let name, let other):
                let detail = "A list cannot be named '\(name)', because '\(other)' exists"
                throw CreationFailure(.takenName, detail)
            case .missingKey(let key, let columns):
                let names = columns.prefix(20).joined(separator: ", ")
                let detail = "The file has no column '\(key)'; it has \(names)"
                throw CreationFailure(.option(Self.key), detail)
            case .severalTables(_, let all):
                let names = all.prefix(20).joined(separator: ", ")
                let detail = "The file has \(all.count) tables; table= chooses one of \(names)"
                throw CreationFailure(.content, detail)
            case .busy, .changed, .cancelled: throw CreationFailure(.unavailable, text)
            case .database(let failure) where failure.cause != .full:
                throw CreationFailure(.unavailable, "The list cannot be made now", cause: text)
            case .database, .unreadable: throw CreationFailure(.full, Self.noRoom, cause: text)
            case .unknownFormat:
                let detail =
                    "The format is unknown; CSV, TSV, JSON, NDJSON, XLSX, ODS and ZIP are read"
                throw CreationFailure(.content, detail)
            default: throw CreationFailure(.content, text)
            }
        }
    }

    // MARK: - Places

    private func createStored(
        _ name: String,
        _ table: SourceTable,
        _ content: ListContent
    ) throws(CreationFailure) -> ReadList {
        let outcome = try reading(content) { () throws(ImportError) in
            try importer(try connect(), table).importTable(table, as: name)
        }
        do throws(Failure) {
            let list = try ListPresentation(outcome.list, groupings: configuration.groupings)
                .definition(
                    through: store.readers,
                    in: store,
                    described: configuration.description(of: name)
                )
            made.withLock { $0.append(list) }
        } catch {
            throw CreationFailure(.unavailable, "A restart shows the list", cause: error.text)
        }
        servedLists.refresh()
        return ReadList(outcome, of: content)
    }

    /// Checks the file by importing it, because the watcher of the folder does the same.
    private func createFile(
        _ name: String,
        _ table: SourceTable,
        _ content: ListContent,
        in folder: String
    ) throws(CreationFailure) -> ReadList {
        let outcome = try reading(content) { () throws(ImportError) in
            let (memory, connection) = try ImportError.ofDatabase { () throws(SQLiteError) in
                let memory = try MemoryDatabase()
                return (memory, try DatabaseConnection(memory.location, access: .readWrite))
            }
            return try withExtendedLifetime(memory) { () throws(ImportError) in
                try importer(connection, table).importTable(table, as: name)
            }
        }
        try checkFiles(named: name, in: folder)
        var kept = configuration.imports.options(for: name)
        kept.key = configuration.tables.keys[name] ?? []
        let isPacked = try reading(content) { () throws(ImportError) in try table.open().isPacked }
        var isKept = !isPacked && table.part == nil && kept.text == table.options.text
        if isKept { isKept = try isSavable(table, content) }
        let file = isKept ? content.file : try csv(of: table, outcome.list.columns, content)
        let ending = file === content.file ? table.format.rawValue : FileFormat.csv.rawValue
        if let maximum = configuration.maximumSavedBytes, file.size > maximum {
            throw CreationFailure(
                .content,
                "Edits of a file with more than \(maximum >> 20) MiB are not saved; the operator of "
                    + "the server sets --save-limit"
            )
        }
        let path = (folder.hasSuffix("/") ? folder : folder + "/") + "\(name).\(ending)"
        do throws(SystemError) { try file.copy(to: path) } catch {
            if error.isExisting {
                throw CreationFailure(.takenName, "The folder has a file '\(name).\(ending)'")
            }
            let cause = "\(path): \(error.reason)"
            guard !error.isFull else {
                throw CreationFailure(.full, Self.noRoom, cause: cause)
            }
            throw CreationFailure(.unavailable, "The folder cannot be written", cause: cause)
        }
        changed.withLock { $0[path] = .complete }
        servedLists.refresh()
        guard servedLists.names.contains(name) else {
            throw CreationFailure(
                .unavailable,
                "The file is in the folder, and cannot be served now",
                cause: "\(path) is not served"
            )
        }
        return ReadList(outcome, of: content)
    }

    /// The next start names lists after all files of the folder, also those that are not served now.
    private func checkFiles(named name: String, in folder: String) throws(CreationFailure) {
        let paths: [String]
        do throws(Failure) { paths = try FileSource.paths(inFolder: folder) } catch {
            throw CreationFailure(
                .unavailable,
                "The folder cannot be read now",
                cause: error.text
            )
        }
        let lower = name.lowercased()
        let taken = paths.first { FileFormat.name(ofFileAt: $0).lowercased() == lower }
        if let file = taken?.split(separator: "/").last {
            throw CreationFailure(.takenName, "The folder has a file '\(file)'")
        }
    }

    /// Whether edits of a JSON document can be written back.
    private func isSavable(
        _ table: SourceTable,
        _ content: ListContent
    ) throws(CreationFailure) -> Bool {
        guard table.format == .json else { return true }
        return try reading(content) { () throws(ImportError) in
            var source = try table.open()
            let reading = importer(try connect(), table).reading
            let found = try reading.read(&source, table.format, .checking) {
                (_, _) throws(ImportError) in .nextRecord
            }
            return found.findings.json?.layout != .other
        }
    }

    /// Returns the rows as UTF-8 with commas, which needs no options.
    private func csv(
        of table: SourceTable,
        _ columns: [Column],
        _ content: ListContent
    ) throws(CreationFailure) -> TemporaryFile {
        try reading(content) { () throws(ImportError) in
            func storing<Value>(
                _ body: () throws(SystemError) -> Value
            ) throws(ImportError) -> Value {
                do throws(SystemError) { return try body() } catch {
                    throw .unreadable(path: content.name, code: error.code)
                }
            }
            let file = try storing { () throws(SystemError) in
                try TemporaryFile(in: configuration.temporaryFolder)
            }
            func write(_ fields: [String?]) throws(ImportError) {
                var buffer = ByteBuffer()
                CSVWriter.write(to: &buffer, formulas: .kept) { writer in
                    for field in fields {
                        if let field { writer.field(field) } else { writer.emptyField() }
                    }
                    writer.endRecord()
                }
                try storing { () throws(SystemError) in try file.append(buffer.array().span) }
            }
            try write(columns.map(\.fileName))
            let reading = importer(try connect(), table).reading
            var source = try table.open()
            _ = try reading.read(&source, table.format, .writing) {
                (record, _) throws(ImportError) in
                try write(columns.indices.map { record.text($0) })
                return .nextRecord
            }
            return file
        }
    }
}

extension ReadList {
    fileprivate init(
        _ outcome: ListImporter.Outcome,
        of content: ListContent,
        _ rows: [[String?]] = []
    ) {
        self.init(
            outcome.list.columns,
            rowCount: outcome.list.rowCount,
            rows: rows,
            notes: outcome.notes(on: content.name)
        )
    }
}
