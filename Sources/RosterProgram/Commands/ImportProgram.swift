import Database
import ListAPI
import Listings
import SQLite
import System
import TableFiles

enum ImportProgram {
    static let maximumErrors = 100_000

    static func run(_ command: ImportCommand) throws(Failure) {
        let store = try ListStore(path: command.database)
        let interruption = store.interruption
        do {
            try Signals.onTermination { interruption.raise() }
        } catch {
            throw Failure(.software, "signals cannot be waited for: \(error.reason)")
        }
        var configuration = Configuration()
        configuration.sources = [command.source]
        configuration.imports = command.imports
        if !command.key.isEmpty {
            configuration.tables.keys = [command.source.listName: command.key]
        }
        configuration.temporaryFolder = command.temporaryFolder
        let sources = try ResolvedSources(configuration)
        if let opened = sources.databases.first {
            throw .unknownImport(opened.shown)
        }
        for notice in sources.notices { Diagnostics.write(notice) }
        for entry in sources.entries {
            guard case .file(let list, let file) = entry else { continue }
            try importTable(list, file.path, command, store)
        }
    }

    private static func importTable(
        _ list: FileSource.List,
        _ path: String,
        _ command: ImportCommand,
        _ store: ListStore
    ) throws(Failure) {
        var refusal: Failure?
        do throws(ImportError) {
            let outcome = try store.importTable(
                list.table,
                as: list.name,
                duplicates: command.duplicates
            ) { list in
                refusal = command.imports.refusal(of: [list])
                return refusal == nil
            }
            guard !outcome.isWritten else { throw .written(list.name) }
            for note in outcome.notes(on: path) { Diagnostics.write(note) }
            let list = outcome.list
            if outcome.changesColumns {
                Diagnostics.write(
                    "\(list.name): it has other columns than before; a server that has it open shows "
                        + "it again after a restart"
                )
            }
            Diagnostics.write(
                outcome.isImported
                    ? "\(list.name): imported \(list.rowCount) rows from \(path)"
                    : "\(list.name): is what \(path) holds already"
            )
        } catch {
            guard case .refused(let path, let errors) = error else {
                throw refusal ?? Failure(error, database: command.database)
            }
            if let file = command.errors { try write(errors, of: path, to: file) }
            throw Failure(errors, in: path, allIn: command.errors ?? "--errors FILE")
        }
    }

    private static func write(
        _ errors: [FileError],
        of path: String,
        to file: String
    ) throws(Failure) {
        let lines = errors.map { $0.line(in: path) + "\n" }
        do {
            try TextFile.write(lines.joined(), to: file)
        } catch {
            throw Failure(.cannotCreate, "\(file): cannot be written: \(error.reason)")
        }
    }
}
