import Database
import ListAPI
import Listings
import Locks
import SQLite
import System
import TableFiles

struct ListStore {
    /// The place of the database, for imports of other threads.
    let importTarget: ImportTarget
    private let connection: DatabaseConnection
    /// The file; nil for a database in memory.
    private let path: String?

    /// Opens the database, and creates it where it is missing.
    ///
    /// Without a path, the database is in the temporary folder, or else in memory.
    /// With a maximum, edits are written back to files up to that size.
    init(
        path: String?,
        in folder: TemporaryFolder? = nil,
        writeWait: Duration = .seconds(5),
        isWritten: Bool = true,
        maximumSavedBytes: Int? = nil
    ) throws(Failure) {
        let isTemporary = path == nil || path == Configuration.memory
        self.path = isTemporary ? folder.map { $0.path + "/lists.db" } : path
        let gate = WriterQueue(longestWait: writeWait)
        do {
            let memory = self.path == nil ? try MemoryDatabase() : nil
            importTarget = ImportTarget(
                readers: DatabaseReaders(memory?.location ?? .file(self.path ?? "")),
                keeper: memory ?? folder,
                folder: folder?.parent,
                gate: gate,
                isOnlyImported: isTemporary && !isWritten,
                maximumSavedBytes: maximumSavedBytes
            )
            connection = try DatabaseConnection(importTarget.location, access: .readWrite)
        } catch {
            throw Failure(error, path: self.path, access: .readWrite)
        }
    }

    /// Imports a table as a list and replaces the former one, unless it is up to date.
    ///
    /// `mayWrite` decides after all checks. After an error, the database is unchanged.
    func importTable(
        _ table: SourceTable,
        as name: String,
        duplicates: ListImporter.Duplicates = .number,
        groupings: [GroupArgument] = [],
        defersIndexes: Bool = false,
        mayWrite: @escaping (ListMetadata) -> Bool
    ) throws(ImportError) -> ListImporter.Outcome {
        let meter = ProgressMeter(table.location.path)
        defer { meter.end() }
        var importer = ListImporter(
            connection,
            duplicates: duplicates,
            options: table.options,
            maximumErrors: ImportProgram.maximumErrors,
            makeIndexes: Self.makeIndexes(groupings, defersMany: defersIndexes),
            mayWrite: mayWrite,
            onProgress: meter.show,
            isCancelled: { [interruption] in interruption.isRaised }
        )
        importer.isOnlyWriter = importTarget.isOnlyImported
        return try importer.importTable(table, as: name)
    }

    var interruption: Interruption { connection.interruption }

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
            if list.rowCount < TableIndexes.minimumRows {
                try TableIndexes.postpone(for: table, on: connection)
            } else if defersMany, list.rowCount >= Self.manyRows {
                try TableIndexes.createFirst(for: table, schema: schema, on: connection)
            } else {
                try TableIndexes.create(for: table, schema: schema, on: connection)
            }
        }
    }

    /// The number of rows from which a list is served before its indexes are created.
    private static let manyRows = 50_000

    /// Creates the indexes that an earlier run missed, except those of lists that are served
    /// meanwhile.
    func createIndexes(
        _ groupings: [GroupArgument],
        besides deferred: Set<String>
    ) throws(Failure) {
        do {
            for list in try ListCatalog.lists(in: connection)
            where list.missingIndexes > 0 && !deferred.contains(list.name) {
                let shape = ListPresentation(list, groupings: groupings)
                guard let table = shape.table, let schema = shape.schema,
                    try connection.hasRows(TableIndexes.minimumRows, in: table)
                else { continue }
                Diagnostics.write("\(list.name): creating its missing indexes")
                try connection.transaction(.writing) { () throws(SQLiteError) in
                    try TableIndexes.create(for: table, schema: schema, on: connection)
                }
            }
        } catch {
            throw Failure(error, path: path, access: .readWrite)
        }
    }

    func addIndex(for shape: ListPresentation, of list: ListMetadata) throws(Failure) {
        guard !shape.usedGroupings.isEmpty, let table = shape.table, let schema = shape.schema
        else { return }
        do {
            guard try connection.hasRows(TableIndexes.minimumRows, in: table) else { return }
            try TableIndexes.addMissing(for: table, schema: schema, on: connection) {
                Diagnostics.write("\(table.name): making an index for its sections")
            }
        } catch {
            throw Failure(error, path: path, access: .readWrite)
        }
    }

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
    struct ImportTarget: Sendable {
        let readers: DatabaseReaders
        /// The temporary database, which ends with its last user; nil for a file that stays.
        let keeper: (any Sendable)?
        /// The folder of a temporary file; nil for other databases.
        let folder: String?
        let gate: WriterQueue
        /// Whether no client and no other program writes.
        let isOnlyImported: Bool
        /// Nil if edits stay in the database.
        let maximumSavedBytes: Int?

        var location: DatabaseLocation { readers.location }

        /// Returns the saver of a list; nil if its edits stay in the database.
        func saver(
            of list: FileSource.List,
            _ path: String,
            groupings: [GroupArgument]
        ) -> FileSaver? {
            guard let maximumSavedBytes else { return nil }
            return FileSaver(list.table, as: list.name, maximumBytes: maximumSavedBytes) {
                () throws(ImportError) in
                let outcome = try importFile(list, groupings)
                for notice in outcome.notices(on: path) { Diagnostics.write(notice) }
                return outcome.changesColumns
            }
        }

        /// Imports a changed file while its list is served, and replaces the rows.
        func importFile(
            _ list: FileSource.List,
            _ groupings: [GroupArgument],
            after change: FileChange = .complete
        ) throws(ImportError) -> ListImporter.Outcome {
            let connection = try ImportError.ofDatabase { () throws(SQLiteError) in
                try DatabaseConnection(location, access: .readWrite)
            }
            var importer = importer(connection, list.table.options, groupings: groupings)
            importer.trustsStamps = change != .disguised
            importer.isExtended = change == .extended
            return try importer.importTable(list.table, as: list.name)
        }

        func importer(
            _ connection: DatabaseConnection,
            _ options: ImportOptions,
            groupings: [GroupArgument],
            isCancelled: @escaping () -> Bool = { false }
        ) -> ListImporter {
            var importer = ListImporter(
                connection,
                options: options,
                maximumErrors: ImportProgram.maximumErrors,
                writers: gate,
                makeIndexes: ListStore.makeIndexes(groupings),
                isCancelled: isCancelled
            )
            importer.isOnlyWriter = isOnlyImported
            return importer
        }

        /// Returns the failure of an import, with the advice where there is more room.
        func failure(_ error: ImportError, of path: String) -> Failure {
            guard case .database(let cause) = error, cause.cause == .full else {
                return Failure(error, database: path)
            }
            return Failure(.inputOutput, "\(path): no room \(room); nothing was imported")
        }

        private var room: String {
            if let folder {
                return "in \(folder); TMPDIR names another folder, "
                    + "--database FILE a file that stays"
            }
            return keeper == nil ? "on the disk" : "in memory; --database FILE names a file"
        }

        func connect() throws(Failure) -> DatabaseConnection {
            do throws(SQLiteError) {
                return try DatabaseConnection(location, access: .readWrite)
            } catch {
                throw Failure(error, path: nil, access: .readWrite)
            }
        }

        /// Creates the next missing index of a list, while other writers wait.
        ///
        /// - Returns: The number of indexes that are still missing.
        /// - Throws: ``Failure``.
        func createIndex(
            of list: String,
            groupings: [GroupArgument],
            on connection: DatabaseConnection
        ) throws(Failure) -> Int {
            let busy = Failure(ImportError.busy, database: list)
            return try gate.holdLong(connection, orThrow: busy) { () throws(Failure) in
                do throws(SQLiteError) {
                    return try Self.createIndex(of: list, groupings: groupings, on: connection)
                } catch {
                    guard error.cause == .full else {
                        throw Failure(error, path: nil, access: .readWrite)
                    }
                    throw Failure(.inputOutput, "\(list): no room for its indexes \(room)")
                }
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
    }
}
