import Database
import ListAPI
import Listings
import Locks
import SQLite
import TableFiles

/// The database of imported files: a file, or the memory of the process.
struct ListStore {
    let location: DatabaseLocation
    let keeper: MemoryDatabase?
    let gate: WriterQueue
    private let connection: DatabaseConnection
    /// The file; nil for a database in memory.
    private let path: String?

    /// Opens the database, and creates it where it is missing.
    ///
    /// - Parameters:
    ///   - path: The file; nil for a database in memory.
    ///   - writeWait: The maximum time that a write waits for another writer.
    /// - Throws: ``Failure`` when it cannot be opened.
    init(path: String?, writeWait: Duration = .seconds(5)) throws(Failure) {
        self.path = path
        gate = WriterQueue(longestWait: writeWait)
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
            try DatabaseFormat.migrate(connection)
        } catch {
            throw Failure(error, path: path, access: .readWrite)
        }
    }

    /// Imports a table as a list and replaces the former one, unless it is up to date.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - name: The name of the list.
    ///   - path: The path of its file in messages.
    ///   - groupings: The groupings of the command line.
    ///   - defersIndexes: Whether the indexes of a large list are created while it is served.
    ///   - refusal: Returns why the list found in the file must not be written; nil permits it.
    /// - Returns: The notices for the operator.
    /// - Throws: ``Failure``; the database is then unchanged.
    func importTable(
        _ table: SourceTable,
        as name: String,
        path: String,
        groupings: [GroupArgument],
        defersIndexes: Bool,
        refusal: @escaping (ListMetadata) -> Failure?
    ) throws(Failure) -> [String] {
        let meter = ProgressMeter(path)
        var failure: Failure?
        let importer = ListImporter(
            connection,
            options: table.options,
            maximumErrors: ImportProgram.maximumErrors,
            makeIndexes: Self.makeIndexes(groupings, defersMany: defersIndexes),
            mayWrite: { list in
                failure = refusal(list)
                return failure == nil
            },
            onProgress: meter.show
        )
        defer { meter.end() }
        do {
            return try importer.importTable(table, as: name).notices(on: path)
        } catch {
            throw failure ?? Failure(error, database: path)
        }
    }

    /// The place of the database, for imports of other threads.
    var place: Place {
        Place(location: location, keeper: keeper, gate: gate)
    }

    /// The interruption of the running import.
    var interruption: Interruption { connection.interruption }

    /// Imports a table for a command.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - name: The name of the list.
    ///   - command: The command.
    ///   - mayWrite: Decides after all checks whether the list is written.
    /// - Returns: The list, imported or up to date.
    /// - Throws: ``ImportError``; the database is then unchanged.
    func importTable(
        _ table: SourceTable,
        as name: String,
        _ command: ImportCommand,
        mayWrite: @escaping (ListMetadata) -> Bool
    ) throws(ImportError) -> ListImporter.Outcome {
        let meter = ProgressMeter(command.source.path)
        let importer = ListImporter(
            connection,
            duplicates: command.duplicates,
            options: table.options,
            maximumErrors: ImportProgram.maximumErrors,
            makeIndexes: Self.makeIndexes([]),
            mayWrite: mayWrite,
            onProgress: meter.show,
            isCancelled: { [interruption] in interruption.isRaised }
        )
        defer { meter.end() }
        let outcome = try importer.importTable(table, as: name)
        guard !outcome.isWritten else { throw .written(name) }
        return outcome
    }

    /// Imports a built-in text.
    func importText(_ text: String, as name: String) throws(Failure) {
        do {
            try ListImporter(connection, makeIndexes: Self.makeIndexes([]))
                .importText(text, .csv, as: name)
        } catch {
            throw Failure(error)
        }
    }

    fileprivate static func makeIndexes(
        _ groupings: [GroupArgument],
        defersMany: Bool = false
    ) -> (DatabaseConnection, ListMetadata) throws(SQLiteError) -> Void {
        { (connection, list) throws(SQLiteError) in
            let shape = ListPresentation(list, groupings: groupings)
            guard let table = shape.table, let schema = shape.schema else { return }
            if defersMany, list.rowCount >= Self.manyRows {
                try TableIndexes.createFirst(for: table, schema: schema, on: connection)
            } else {
                try TableIndexes.create(for: table, schema: schema, on: connection)
            }
        }
    }

    /// The number of rows from which a list is served before its indexes are created.
    private static let manyRows = 50_000

    /// Recreates the indexes of other rules of texts, and creates those that an earlier run missed.
    ///
    /// - Parameters:
    ///   - groupings: The groupings of the command line.
    ///   - deferred: The lists whose missing indexes are created while they are served.
    /// - Throws: ``Failure``.
    func renewIndexes(
        _ groupings: [GroupArgument],
        besides deferred: Set<String>
    ) throws(Failure) {
        do {
            for list in try ListCatalog.lists(in: connection)
            where !list.hasOrderColumns || list.missingIndexes > 0 {
                let shape = ListPresentation(list, groupings: groupings, hasOrderColumns: true)
                guard let table = shape.table, let schema = shape.schema else { continue }
                if !list.hasOrderColumns {
                    Diagnostics.write("\(list.name): creating its indexes again")
                    try TableIndexes.renew(for: table, schema: schema, on: connection)
                } else if !deferred.contains(list.name) {
                    Diagnostics.write("\(list.name): creating its missing indexes")
                    try connection.transaction(.writing) { () throws(SQLiteError) in
                        try TableIndexes.create(for: table, schema: schema, on: connection)
                    }
                }
            }
        } catch {
            throw Failure(error, path: path, access: .readWrite)
        }
    }

    /// Creates the index of a grouping of the command line, where it is missing.
    func addIndex(for shape: ListPresentation) throws(Failure) {
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

    /// Returns the lists of the database, the named ones first.
    func lists(first named: [String]) throws(Failure) -> [ListMetadata] {
        do {
            let all = try ListCatalog.lists(in: connection)
            return named.compactMap { name in all.first { $0.name == name } }
                + all.filter { !named.contains($0.name) }
        } catch {
            throw Failure(error, path: path, access: .readWrite)
        }
    }
}

extension ListStore {
    /// The place of a served database, which any thread may import into.
    struct Place: Sendable {
        let location: DatabaseLocation
        let keeper: MemoryDatabase?
        let gate: WriterQueue

        /// Imports a changed file while its list is served, and replaces the rows.
        ///
        /// - Parameters:
        ///   - list: The list.
        ///   - path: The path of its file.
        ///   - groupings: The groupings of the command line.
        /// - Returns: The list, and the notices for the operator.
        /// - Throws: ``Failure``; the rows are then unchanged.
        func importFile(
            _ list: FileSource.List,
            _ path: String,
            groupings: [GroupArgument]
        ) throws(Failure) -> (list: ListMetadata, notices: [String]) {
            do throws(ImportError) {
                let connection = try ImportError.ofDatabase { () throws(SQLiteError) in
                    try DatabaseConnection(location, access: .readWrite)
                }
                let importer = ListImporter(
                    connection,
                    options: list.table.options,
                    maximumErrors: ImportProgram.maximumErrors,
                    writers: gate,
                    makeIndexes: ListStore.makeIndexes(groupings)
                )
                let outcome = try importer.importTable(list.table, as: list.name)
                return (outcome.list, outcome.notices(on: path))
            } catch {
                throw Failure(error, database: path)
            }
        }

        /// Opens a connection that writes.
        func connect() throws(Failure) -> DatabaseConnection {
            do throws(SQLiteError) {
                return try DatabaseConnection(location, access: .readWrite)
            } catch {
                throw Failure(error, path: nil, access: .readWrite)
            }
        }

        /// Creates the next missing index of a list, while other writers wait.
        ///
        /// - Parameters:
        ///   - list: The name of the list.
        ///   - groupings: The groupings of the command line.
        ///   - connection: A writable connection.
        /// - Returns: The number of indexes that are still missing.
        /// - Throws: ``Failure``.
        func createIndex(
            of list: String,
            groupings: [GroupArgument],
            on connection: DatabaseConnection
        ) throws(Failure) -> Int {
            let result: Result<Int, SQLiteError>
            do {
                result = try gate.holdLong(connection) { () throws(SQLiteError) in
                    try Self.createIndex(of: list, groupings: groupings, on: connection)
                }
            } catch {
                throw Failure(ImportError.busy, database: list)
            }
            do {
                return try result.get()
            } catch {
                throw Failure(error, path: nil, access: .readWrite)
            }
        }

        private static func createIndex(
            of list: String,
            groupings: [GroupArgument],
            on connection: DatabaseConnection
        ) throws(SQLiteError) -> Int {
            var left = 0
            try connection.transaction(.writing) { () throws(SQLiteError) in
                // Another import may have replaced the list and made all indexes.
                guard let list = try ListCatalog.list(named: list, in: connection),
                    list.missingIndexes > 0
                else { return }
                let shape = ListPresentation(list, groupings: groupings)
                guard let table = shape.table, let schema = shape.schema else { return }
                left = try TableIndexes.createNext(for: table, schema: schema, on: connection)
            }
            return left
        }

        /// Returns the definition of a list whose rows may be stale.
        func definition(
            of presentation: ListPresentation,
            staleness: SharedNumber?,
            secondsToIndexes: SharedNumber? = nil,
            described: DescribedList?
        ) throws(Failure) -> ListDefinition {
            try presentation.definition(
                at: location,
                keeper: keeper,
                gate: gate,
                staleness: staleness,
                secondsToIndexes: secondsToIndexes,
                described: described
            )
        }
    }
}
