import Database
import Listings
import SQLite

/// The database that files are imported into: a file that is kept, or the memory of the process.
struct ListStore {
    let location: DatabaseLocation
    /// Keeps a database in memory alive.
    let keeper: MemoryDatabase?
    /// Where those who write to the rows queue.
    let gate = WriteGate()
    private let connection: DatabaseConnection
    /// The file; nil for the memory of the process.
    private let path: String?

    /// Opens the database, and creates it where it is missing.
    ///
    /// - Parameter path: The file; nil for the memory of the process.
    /// - Throws: ``Failure`` when it cannot be opened.
    init(path: String?) throws(Failure) {
        self.path = path
        do {
            if let path {
                location = .file(path)
                keeper = nil
            } else {
                let memory = try MemoryDatabase()
                location = memory.location
                keeper = memory
            }
            connection = try DatabaseConnection(location, access: .readWrite)
        } catch {
            throw Failure(error, path: path, access: .readWrite)
        }
    }

    /// Imports a file in place of the list that has the name, unless it is up to date.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - name: The name of the list.
    ///   - options: The choices by which it becomes a list.
    ///   - groupings: What the command line says of sections.
    ///   - refusal: Why the list, as it was found in the file, is not to be written; nil where it is.
    /// - Returns: What the operator should know.
    /// - Throws: ``Failure``; the database is then as it was.
    func importFile(
        at path: String,
        as name: String,
        options: ImportOptions,
        groupings: [GroupArgument],
        refusal: @escaping (StoredList) -> Failure?
    ) throws(Failure) -> [String] {
        let meter = ProgressMeter(path)
        var failure: Failure?
        let importer = ListImporter(
            connection,
            options: options,
            makeIndexes: Self.makeIndexes(groupings),
            mayWrite: { list in
                failure = refusal(list)
                return failure == nil
            },
            onProgress: meter.show
        )
        do {
            let outcome = try importer.importFile(at: path, as: name)
            meter.end()
            var notices = outcome.renames.map { rename in
                "\(name): column '\(rename.name)' is listed as '\(rename.id)'"
            }
            notices += outcome.exceptions.map {
                "\(name): \($0.text(of: FileFormat(path: path)))"
            }
            if outcome.isImported {
                notices.append("\(name): imported \(outcome.list.rowCount) rows from \(path)")
            }
            if outcome.isWritten {
                notices.append(
                    "\(name): its rows have been written to, so it is kept and \(path) is not read"
                )
            }
            return notices
        } catch {
            meter.end()
            throw failure ?? Failure(error, database: path)
        }
    }

    /// Ends what the store is doing.
    var interruption: Interruption { connection.interruption }

    /// Imports a file as a command says.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - mayWrite: Asked once all is checked whether the list is to be written.
    /// - Returns: The list, imported or found up to date.
    /// - Throws: ``ImportError``; the database is then as it was.
    func importFile(
        _ command: ImportCommand,
        mayWrite: @escaping (StoredList) -> Bool
    ) throws(ImportError) -> ListImporter.Outcome {
        let meter = ProgressMeter(command.path)
        let importer = ListImporter(
            connection,
            duplicates: command.duplicates,
            options: command.options,
            maximumErrors: ImportProgram.maximumErrors,
            makeIndexes: Self.makeIndexes([]),
            mayWrite: mayWrite,
            onProgress: meter.show,
            isCancelled: { [interruption] in interruption.isRaised }
        )
        defer { meter.end() }
        let outcome = try importer.importFile(at: command.path, as: command.list)
        guard !outcome.isWritten else { throw .written(command.list) }
        return outcome
    }

    /// Imports a text that the program carries.
    func importText(_ text: String, as name: String) throws(Failure) {
        do {
            try ListImporter(connection, makeIndexes: Self.makeIndexes([]))
                .importText(text, .csv, as: name)
        } catch {
            throw Failure(error)
        }
    }

    private static func makeIndexes(
        _ groupings: [GroupArgument]
    ) -> (DatabaseConnection, StoredList) throws(SQLiteError) -> Void {
        { (connection, list) throws(SQLiteError) in
            let shape = ListShape(list, groupings: groupings)
            guard let table = shape.table, let schema = shape.schema else { return }
            try TableIndexes.create(for: table, schema: schema, on: connection)
        }
    }

    /// Makes the indexes anew that an earlier version of the program made by other rules of texts.
    func renewIndexes(_ groupings: [GroupArgument]) throws(Failure) {
        do {
            for list in try ListCatalog.lists(in: connection) {
                let shape = ListShape(list, groupings: groupings)
                guard let table = shape.table, let schema = shape.schema else { continue }
                try TableIndexes.renew(for: table, schema: schema, on: connection) {
                    Diagnostics.write("\(list.name): making its indexes anew")
                }
            }
        } catch {
            throw Failure(error, path: path, access: .readWrite)
        }
    }

    /// Makes the index for sections that the command line asks for, where there is none.
    func addIndex(for shape: ListShape) throws(Failure) {
        guard !shape.usedGroupings.isEmpty, let table = shape.table, let schema = shape.schema
        else {
            return
        }
        do {
            try TableIndexes.addMissing(for: table, schema: schema, on: connection) {
                Diagnostics.write("\(table.name): making an index for its sections")
            }
        } catch {
            throw Failure(error, path: path, access: .readWrite)
        }
    }

    /// The lists of the database, those that were named first.
    func lists(first named: [String]) throws(Failure) -> [StoredList] {
        do {
            let all = try ListCatalog.lists(in: connection)
            return named.compactMap { name in all.first { $0.name == name } }
                + all.filter { !named.contains($0.name) }
        } catch {
            throw Failure(error, path: path, access: .readWrite)
        }
    }
}
