import Bytes
package import Database
import Listings
package import TableFiles

/// Imports files as lists into a database.
///
/// A file is read twice. The first pass checks every record, determines the types and writes
/// nothing. The second writes each value once, typed, in one transaction. A staging table of raw
/// texts would need twice the writing and space, and the additional pass is cheaper. After an
/// error, cancellation or crash, the database is as it was before.
package struct ListImporter {
    package struct Outcome: Sendable {
        package let list: ListMetadata
        /// Nil if nothing was imported, because the file was unchanged.
        package var plan: ImportPlan?
        package var isImported: Bool { plan != nil }
        /// The list was left unchanged because its rows have been written.
        package var isWritten = false
        package var findings = FileFindings()
        package var changesColumns = false
    }

    package enum Duplicates: String, Hashable, Sendable, CaseIterable {
        case number
        case error
        case keepFirst = "keep-first"
        case replace
    }

    private let connection: DatabaseConnection
    private let duplicates: Duplicates
    private let options: ImportOptions
    package var reading: FileReading
    /// Whether a list of the name is an error; otherwise it is replaced.
    package var createsOnly = false
    /// Whether only imports write rows, so that lists of few rows need neither triggers nor indexes.
    package var isOnlyWriter = false
    /// Whether a file of the same size and time is the same.
    package var trustsStamps = true
    /// Whether a writer extends the file, so that its unfinished last line is not read.
    package var isExtended = false
    private static let maximumAttempts = 3
    private let onProgress: (ImportProgress) -> Void
    /// Nil if no other thread uses the database.
    private let writers: WriterQueue?
    private let makeIndexes: (DatabaseConnection, ListMetadata) throws(SQLiteError) -> Void
    private let mayWrite: (ListMetadata) -> Bool

    /// The connection is outside a transaction.
    ///
    /// Interrupting it cancels. `makeIndexes` is called after the rows are written and before the
    /// commit. `mayWrite` is called after the check, with the list still without rows; if it
    /// returns false, the import throws ``ImportError/cancelled``. `onProgress` is called at the
    /// beginning and end of each phase and every 16 MiB, `isCancelled` before every 256 KiB.
    package init(
        _ connection: DatabaseConnection,
        duplicates: Duplicates = .number,
        options: ImportOptions = ImportOptions(),
        maximumErrors: Int = 1,
        writers: WriterQueue? = nil,
        makeIndexes: @escaping (DatabaseConnection, ListMetadata) throws(SQLiteError) -> Void = {
            _,
            _ in
        },
        mayWrite: @escaping (ListMetadata) -> Bool = { _ in true },
        onProgress: @escaping (ImportProgress) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.connection = connection
        self.duplicates = duplicates
        self.options = options
        self.writers = writers
        self.makeIndexes = makeIndexes
        self.mayWrite = mayWrite
        self.onProgress = onProgress
        reading = FileReading(
            maximumErrors: maximumErrors,
            options: options,
            onProgress: onProgress,
            isCancelled: isCancelled
        )
    }

    /// The path is that of a regular file that contains one table.
    package func importFile(at path: String, as name: String) throws(ImportError) -> Outcome {
        let contents = try SourceContents(.path(path), options: options)
        return try importTable(try contents.onlyTable(), as: name)
    }

    /// Imports a table, and begins again if the file changes meanwhile.
    ///
    /// A file that a writer extends all the time is imported without its new end.
    ///
    /// The path is stored to recognize the file at the next import, so an absolute path is best.
    ///
    /// The table was made with the options of this importer.
    package func importTable(
        _ table: SourceTable,
        as name: String
    ) throws(ImportError) -> Outcome {
        for _ in 1..<Self.maximumAttempts {
            do throws(ImportError) {
                return try importOnce(table, as: name, mayGrow: isExtended)
            } catch .changed {}
        }
        return try importOnce(table, as: name, mayGrow: true)
    }

    private func importOnce(
        _ table: SourceTable,
        as name: String,
        mayGrow: Bool
    ) throws(ImportError) -> Outcome {
        let format = table.format
        guard format != .database else { throw .unknownFormat(path: name) }
        guard ListName.isAllowed(name) else { throw .reservedName(name) }
        var file = try table.open()
        file.mayGrow = mayGrow
        if isExtended { try file.endAtLastLine() }
        try refuseTaken(name)
        let source = source(file)
        let known: Outcome?
        if let writers {
            // A database in memory is locked during a write.
            var found: Result<Outcome?, ImportError>?
            do throws(WriteError) {
                try writers.pass { _ throws(WriteError) in
                    found = Result { () throws(ImportError) in try unchanged(name, source) }
                }
            } catch {
                throw .busy
            }
            known = try found?.get() ?? nil
        } else {
            known = try unchanged(name, source)
        }
        if let known { return known }
        let checked = try check(&file, format)
        let plan = checked.plan(options)
        let list = try ImportError.ofDatabase { () throws(SQLiteError) in
            try planned(plan, as: name, rowCount: 0)
        }
        guard mayWrite(list) else { throw .cancelled }
        do throws(ImportError) {
            var outcome = try write(&file, format, plan, as: name)
            outcome.findings = checked.findings
            outcome.findings.respellings = file.respellings
            return outcome
        } catch {
            // Values that are missing or occur again are no ids.
            guard duplicates == .number, options.key.isEmpty, case .refused(_, let errors) = error,
                let first = errors.first, errors.allSatisfy(\.reason.isAboutID)
            else { throw error }
            let plan = checked.plan(options, isNumbered: true)
            var outcome = try write(&file, format, plan, as: name)
            outcome.findings = checked.findings
            outcome.findings.respellings = file.respellings
            outcome.findings.numbered = first
            return outcome
        }
    }

    /// Checks a table and writes nothing.
    ///
    /// - Returns: The list as it would be, and the texts of its first rows.
    /// - Throws: ``ImportError``.
    package func preview(
        _ table: SourceTable,
        rows maximum: Int
    ) throws(ImportError) -> (outcome: Outcome, rows: [[String?]]) {
        var file = try table.open()
        let checked = try check(&file, table.format)
        let plan = checked.plan(options)
        let list = try ImportError.ofDatabase { () throws(SQLiteError) in
            try planned(plan, as: table.name, rowCount: checked.count)
        }
        var rows: [[String?]] = []
        if maximum > 0 {
            _ = try reading.read(&file, table.format, .checking, as: plan.readings) {
                (record, _) throws(ImportError) in
                rows.append(plan.listPositions.map { record.text($0) })
                return rows.count < maximum ? .nextRecord : .end
            }
        }
        return (Outcome(list: list, plan: plan, findings: checked.findings), rows)
    }

    /// The database has no list of the name.
    package func importText(
        _ text: String,
        _ format: FileFormat,
        as name: String
    ) throws(ImportError) {
        var file = SourceFile(text: text, path: name)
        let plan = try check(&file, format).plan(options)
        _ = try write(&file, format, plan, as: name)
    }

    private func source(_ file: borrowing SourceFile) -> ListCatalog.Source {
        ListCatalog.Source(path: file.path + options.text, stamp: file.stamp)
    }

    private func refuseTaken(_ name: String) throws(ImportError) {
        guard createsOnly else { return }
        let taken = try ImportError.ofDatabase { () throws(SQLiteError) in
            try ListCatalog.list(named: name, in: connection)
        }
        if taken != nil { throw .nameTaken(name, by: name) }
    }

    private func unchanged(
        _ name: String,
        _ source: ListCatalog.Source
    ) throws(ImportError) -> Outcome? {
        let (obstacle, outcome) = try ImportError.ofDatabase {
            () throws(SQLiteError) -> (String?, Outcome?) in
            if let obstacle = try ListCatalog.obstacle(to: name, in: connection) {
                return (obstacle, nil)
            }
            let isWritten = try ListCatalog.isWritten(name, in: connection)
            let isKnown = try ListCatalog.isCurrent(name, source: source, in: connection)
            let isCurrent = trustsStamps && isKnown
            guard isWritten || isCurrent,
                let list = try ListCatalog.list(named: name, in: connection)
            else { return (nil, nil) }
            return (nil, Outcome(list: list, isWritten: isWritten))
        }
        if let obstacle { throw .nameTaken(name, by: obstacle) }
        return outcome
    }
}

extension ListImporter {
    private func check(
        _ file: inout SourceFile,
        _ format: FileFormat
    ) throws(ImportError) -> CheckedFile {
        var (survey, exported) = (SchemaInference(), ExportColumns(in: format))
        var count = 0
        do throws(ImportError) {
            let (columns, findings) = try reading.read(&file, format, .checking) {
                record,
                names throws(ImportError) in
                survey.add(record)
                exported.add(record, names)
                count += 1
                return .nextRecord
            }
            for key in options.key where columns.position(of: key) == nil {
                throw .missingKey(key, columns: columns.all)
            }
            return CheckedFile(
                columns: columns,
                survey: survey,
                exported: exported,
                findings: findings,
                count: count
            )
        } catch {
            guard case .refused(let path, let errors) = error else { throw error }
            if try file.guessEncoding(after: errors, format) { return try check(&file, format) }
            let room = duplicates == .error ? reading.maximumErrors - errors.count : 0
            let all =
                errors + (try RepeatedIDs(reading: reading).find(in: &file, format, atMost: room))
            throw .refused(path: path, all.inOrder)
        }
    }

    /// Other writers of a served database wait.
    ///
    /// Readers of one in memory use a copy meanwhile.
    private func write(
        _ file: inout SourceFile,
        _ format: FileFormat,
        _ plan: ImportPlan,
        as name: String
    ) throws(ImportError) -> Outcome {
        guard let writers else { return try writeAlone(&file, format, plan, as: name) }
        return try writers.holdLong(connection, orThrow: .busy) { () throws(ImportError) in
            try writeAlone(&file, format, plan, as: name)
        }
    }

    private func writeAlone(
        _ file: inout SourceFile,
        _ format: FileFormat,
        _ plan: ImportPlan,
        as name: String
    ) throws(ImportError) -> Outcome {
        try ImportError.ofDatabase { () throws(SQLiteError) in try connection.begin(.writing) }
        // After a commit, the rollback has no effect.
        defer { connection.rollback() }
        // Another import may have made the list since the check.
        try refuseTaken(name)
        let count = try writeRecords(&file, format, plan, as: name)
        guard try file.isUnchanged() else { throw .changed(path: file.path) }
        let source = source(file)
        let progress = ImportProgress(
            phase: .indexing,
            bytes: Int(source.stamp.bytes),
            totalBytes: Int(source.stamp.bytes),
            records: count
        )
        onProgress(progress)
        return try ImportError.ofDatabase { () throws(SQLiteError) in
            let old = try ListCatalog.list(named: name, in: connection)
            let list = try planned(plan, as: name, rowCount: count)
            try ListCatalog.create(in: connection)
            try ListCatalog.enter(list, source: source, in: connection)
            // A file that has the name later does not replace the list.
            if createsOnly { _ = try ListCatalog.advance(name, in: connection) }
            if !isOnlyWriter || count >= TableIndexes.minimumRows {
                try makeIndexes(connection, list)
                try RowTriggers.create(for: list, in: connection)
            }
            let indexed = try ListCatalog.list(named: name, in: connection) ?? list
            try connection.commit()
            var outcome = Outcome(list: indexed, plan: plan)
            outcome.changesColumns = old.map { $0.columns != list.columns } ?? false
            return outcome
        }
    }

    private func planned(
        _ plan: ImportPlan,
        as name: String,
        rowCount: Int
    ) throws(SQLiteError) -> ListMetadata {
        ListMetadata(
            name: name,
            table: name,
            idType: plan.idType,
            columns: plan.listColumns,
            keyed: plan.keyedColumns,
            version: try nextVersion(of: name),
            rowCount: rowCount
        )
    }

    /// The version after that of the replaced list, or the first one of a new epoch.
    private func nextVersion(of name: String) throws(SQLiteError) -> ListVersion {
        guard let old = try ListCatalog.list(named: name, in: connection)?.version else {
            return ListVersion(epoch: UInt64(UInt32.random(in: 1...UInt32.max)), counter: 1)
        }
        return ListVersion(epoch: old.epoch, counter: old.counter &+ 1)
    }

    private func writeRecords(
        _ file: inout SourceFile,
        _ format: FileFormat,
        _ plan: ImportPlan,
        as name: String
    ) throws(ImportError) -> Int {
        let path = file.path
        let former = try ImportError.ofDatabase { () throws(SQLiteError) in
            try FormerRows(of: name, plan, on: connection)
        }
        var writer = try ImportError.ofDatabase { () throws(SQLiteError) in
            try TableWriter(
                table: name,
                plan: plan,
                path: path,
                duplicates: duplicates,
                connection: connection
            )
        }
        var errors: [FileError] = []
        var repeated: [PlacedID] = []
        func id(_ record: borrowing FileRecord, _: ColumnNames) -> PlacedID? {
            guard let column = plan.idColumns.first, let id = plan.id(of: record) else {
                return nil
            }
            return PlacedID(id: id, location: record.location(of: column))
        }
        _ = try reading.read(&file, format, .writing, as: plan.readings) {
            record,
            names throws(ImportError) in
            do throws(ImportError) {
                if try writer.write(record) || duplicates == .keepFirst { return .nextRecord }
                guard let id = id(record, names) else { throw .changed(path: path) }
                repeated.append(id)
            } catch {
                guard case .refused(_, let found) = error else { throw error }
                errors += found
            }
            return errors.count + repeated.count < reading.maximumErrors ? .nextRecord : .end
        }
        let first = try RepeatedIDs(reading: reading, columnReadings: plan.readings)
            .firstLocations(of: repeated, in: &file, format, id)
        for id in repeated {
            guard let earlier = first[id.utf8] else { throw .changed(path: path) }
            errors.append(FileError(.duplicateID(id.id, first: earlier), at: id.location))
        }
        guard errors.isEmpty else { throw .refused(path: path, errors.inOrder) }
        try ImportError.ofDatabase { () throws(SQLiteError) in try former?.keepRevisions() }
        guard duplicates == .replace else { return writer.count }
        return try ImportError.ofDatabase { () throws(SQLiteError) in try writer.countRows() }
    }
}
