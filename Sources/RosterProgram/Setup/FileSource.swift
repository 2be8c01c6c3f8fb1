import Database
import ListAPI
import SQLite
import System
import TableFiles

struct FileSource: Hashable, Sendable {
    struct List: Sendable {
        let name: String
        let table: SourceTable
    }

    let location: SourceTable.Location
    let name: String?

    var path: String { location.path }

    var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    private var ownName: String {
        name ?? (path == "-" ? "stdin" : FileFormat.name(ofFileAt: path))
    }

    /// Finds the lists of the file.
    ///
    /// Several lists are named after their parts, with the name of the file before a name that is
    /// given or taken.
    ///
    /// - Parameters:
    ///   - configuration: The options for each list.
    ///   - documents: The cache of the document that is read last.
    ///   - taken: The names of other lists.
    /// - Returns: The lists, and the notices about other parts; nil if the file is a database.
    /// - Throws: ``Failure`` if the file cannot be read.
    func lists(
        _ configuration: Configuration,
        _ documents: DocumentCache,
        besides taken: Set<String>
    ) throws(Failure) -> (lists: [List], notices: [String])? {
        let contents: SourceContents
        do {
            contents = try SourceContents(
                location,
                options: configuration.imports.options(for: ownName),
                documents: documents
            )
        } catch {
            throw Failure(error, database: path)
        }
        guard !contents.isDatabase else { return nil }
        let areSeveral = contents.tables.count > 1
        let keys = configuration.tables.keys
        var lists: [List] = []
        for table in contents.tables {
            var list = areSeveral ? table.name : ownName
            if areSeveral, name != nil || taken.contains(list) { list = "\(ownName)-\(list)" }
            try SourceArgument.check(list)
            var options = configuration.imports.options(for: list)
            options.key = keys[list] ?? keys[fileName] ?? []
            lists.append(List(name: list, table: table.with(options)))
        }
        return (lists, contents.skipped.map { "\(path): \($0.text)" })
    }

    static func paths(inFolder folder: String) throws(Failure) -> [String] {
        let names: [String]
        do { names = try FolderFiles.names(in: folder) } catch {
            throw Failure(.noInput, "\(folder): the folder cannot be read")
        }
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        return names.sorted().filter { !$0.hasPrefix(".") }.map { start + $0 }
            .filter { FileFormat(path: $0) != nil && FileKind(atPath: $0) == .regular }
    }
}
