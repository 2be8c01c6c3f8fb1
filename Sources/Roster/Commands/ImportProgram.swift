import Database
import ListAPI
import Listings
import SQLite
import System
import TableFiles

/// Imports a file into a database in one transaction, with progress.
enum ImportProgram {
    /// The maximum number of errors that are collected.
    static let maximumErrors = 100_000
    /// The maximum number of errors that are shown.
    static let shownErrors = 20

    /// Runs the command.
    ///
    /// - Throws: ``Failure``; the database is then unchanged.
    static func run(_ command: ImportCommand) throws(Failure) {
        let store = try ListStore(path: command.database)
        let interruption = store.interruption
        do {
            try Signals.onTermination { interruption.raise() }
        } catch {
            throw Failure(.software, "signals cannot be waited for: \(error.reason)")
        }
        var refusal: Failure?
        do {
            let outcome = try store.importFile(command) { list in
                refusal = command.options.refusal(of: [list])
                return refusal == nil
            }
            for note in outcome.notes(on: command.path) { Diagnostics.write(note) }
            let list = outcome.list
            if outcome.changesColumns {
                Diagnostics.write(
                    "\(list.name): it has other columns than before; a server that has it open shows "
                        + "it again after a restart"
                )
            }
            Diagnostics.write(
                outcome.isImported
                    ? "\(list.name): imported \(list.rowCount) rows from \(command.path)"
                    : "\(list.name): is what \(command.path) holds already"
            )
        } catch {
            guard case .refused(let path, let errors) = error else {
                throw refusal ?? Failure(error, database: command.database)
            }
            throw try failure(path, errors, command)
        }
    }

    /// Returns the first errors of a file, and writes all to a file if the command names one.
    private static func failure(
        _ path: String,
        _ errors: [FileError],
        _ command: ImportCommand
    ) throws(Failure) -> Failure {
        let lines = errors.map { "\(path):\($0.place): \($0.reason.text)" }
        var shown = Array(lines.prefix(shownErrors))
        if lines.count > shownErrors {
            let rest = "\(path): \(lines.count - shownErrors) more errors"
            shown.append(rest + (command.errors.map { ", in \($0)" } ?? "; --errors FILE has all"))
        }
        if let file = command.errors {
            do {
                try TextFile.write(lines.map { $0 + "\n" }.joined(), to: file)
            } catch {
                throw Failure(.cannotCreate, "\(file): cannot be written: \(error.reason)")
            }
        }
        return Failure(.badData, shown.joined(separator: "\n"))
    }
}
