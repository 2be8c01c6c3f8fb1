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
    package struct Outcome: Hashable, Sendable {
        package let list: ListMetadata
        /// None if nothing was imported.
        package let renames: [ImportPlan.Rename]
        package let exceptions: [ImportPlan.Exceptions]
        /// False if the file was unchanged.
        package let isImported: Bool
        /// The list was left unchanged because its rows have been written.
        package var isWritten = false
        package var findings = FileFindings()
        /// The list replaced one with other columns.
        package var changesColumns = false
        package var leadingZeros: [ImportPlan.LeadingZeros] = []
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
    private let reading: FileReading
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

    /// Replaces the list with the name.
    ///
    /// The path is that of a regular file that contains one table. After an error, the database is
    /// unchanged.
    package func importFile(at path: String, as name: String) throws(ImportError) -> Outcome {
        let contents = try SourceContents(.path(path), options: options)
        return try importTable(try contents.onlyTable(), as: name)
    }

    /// Replaces the list with the name.
    ///
    /// The path of the file is stored to recognize the file at the next import, so an absolute path
    /// is best.
    ///
    /// The table was made with the options of this importer. After an error, the database is
    /// unchanged.
    package func importTable(
        _ table: SourceTable,
        as name: String
    ) throws(ImportError) -> Outcome {
        let format = table.format
        guard format != .database else { throw .unknownFormat(path: name) }
        guard ListName.isAllowed(name) else { throw .reservedName(name) }
        var file = try table.open()
        let source = source(file)
        if let list = try current(name, source) {
            return Outcome(list: list, renames: [], exceptions: [], isImported: false)
        }
        if let list = try written(name) {
            return Outcome(
                list: list,
                renames: [],
                exceptions: [],
                isImported: false,
                isWritten: true
            )
        }
        let checked = try check(&file, format)
        for key in options.key where checked.columns.position(of: key) == nil {
            throw .missingKey(key, columns: checked.columns.all)
        }
        let list = try ImportError.ofDatabase { () throws(SQLiteError) in
            try planned(checked.plan(options), as: name, rowCount: 0)
        }
        guard mayWrite(list) else { throw .cancelled }
        do throws(ImportError) {
            var outcome = try write(&file, format, checked.plan(options), as: name)
            outcome.findings = checked.findings
            return outcome
        } catch {
            // Values that are missing or occur again are no ids.
            guard duplicates == .number, options.key.isEmpty, case .refused(_, let errors) = error,
                let first = errors.first, errors.allSatisfy(\.reason.isAboutID)
            else { throw error }
            let plan = checked.plan(options, isNumbered: true)
            var outcome = try write(&file, format, plan, as: name)
            outcome.findings = checked.findings
            outcome.findings.numbered = first
            return outcome
        }
    }

    private struct CheckedFile {
        let columns: ColumnNames
        let survey: SchemaInference
        let findings: FileFindings

        func plan(_ options: ImportOptions, isNumbered: Bool = false) -> ImportPlan {
            ImportPlan(columns, survey: survey, options: options, isNumbered: isNumbered)
        }
    }

    /// The database has no list of the name.
    ///
    /// After an error, it is unchanged.
    package func importText(
        _ text: String,
        _ format: FileFormat,
        as name: String
    ) throws(ImportError) {
        var file = SourceFile(text: text, path: name)
        let plan = try check(&file, format).plan(options)
        _ = try write(&file, format, plan, as: name)
    }

    /// The file with its state and the import options, because other options require another
    /// import.
    private func source(_ file: borrowing SourceFile) -> ListCatalog.Source {
        ListCatalog.Source(path: file.path + options.text, stamp: file.stamp)
    }

    /// Nil if no rows of the list have been written since its import.
    private func written(_ name: String) throws(ImportError) -> ListMetadata? {
        try ImportError.ofDatabase { () throws(SQLiteError) in
            guard try ListCatalog.isWritten(name, in: connection) else { return nil }
            return try ListCatalog.list(named: name, in: connection)
        }
    }

    /// Nil if the list is not up to date with the file.
    private func current(
        _ name: String,
        _ source: ListCatalog.Source
    ) throws(ImportError) -> ListMetadata? {
        let obstacle = try ImportError.ofDatabase { () throws(SQLiteError) in
            try ListCatalog.obstacle(to: name, in: connection)
        }
        if let obstacle { throw .nameTaken(name, by: obstacle) }
        return try ImportError.ofDatabase { () throws(SQLiteError) in
            guard try ListCatalog.isCurrent(name, source: source, in: connection) else {
                return nil
            }
            return try ListCatalog.list(named: name, in: connection)
        }
    }
}

extension ListImporter {
    private func check(
        _ file: inout SourceFile,
        _ format: FileFormat
    ) throws(ImportError) -> CheckedFile {
        var survey = SchemaInference()
        do {
            let (columns, findings) = try reading.read(&file, format, .checking) {
                record,
                _ throws(ImportError) in
                survey.add(record)
                return .nextRecord
            }
            return CheckedFile(columns: columns, survey: survey, findings: findings)
        } catch {
            guard case .refused(let path, let errors) = error else { throw error }
            // Bytes that are not UTF-8 are most probably those of Windows-1252.
            let isDelimited = format == .csv || format == .tsv
            if isDelimited, file.encoding == .utf8,
                errors.contains(where: { $0.reason == .invalidUTF8 })
            {
                file.encoding = .windows1252
                return try check(&file, format)
            }
            let all = errors + (try repeatedIDs(&file, format, besides: errors.count))
            throw .refused(path: path, all.inOrder)
        }
    }

    /// The duplicate ids of a file that has other errors, so that all errors are reported at once.
    ///
    /// - Complexity: 16 bytes of memory per record.
    private func repeatedIDs(
        _ file: inout SourceFile,
        _ format: FileFormat,
        besides count: Int
    ) throws(ImportError) -> [FileError] {
        guard duplicates == .error, count < reading.maximumErrors else { return [] }
        var seen: Set<Int> = []
        var repeated: [(id: String, place: FileLocation)] = []
        let room = reading.maximumErrors - count
        try readGood(&file, format) { record, names in
            guard let column = ImportPlan.idColumn(of: names), let id = record.text(column),
                !id.isEmpty, !seen.insert(Array(id.utf8).hashValue).inserted
            else { return .nextRecord }
            repeated.append((id, record.place(of: column)))
            return repeated.count < room ? .nextRecord : .end
        }
        guard !repeated.isEmpty else { return [] }
        let ids = Set(repeated.map { Array($0.id.utf8) })
        var first: [[UInt8]: FileLocation] = [:]
        try readGood(&file, format) { record, names in
            guard let column = ImportPlan.idColumn(of: names), let id = record.text(column) else {
                return .nextRecord
            }
            let key = Array(id.utf8)
            if ids.contains(key), first[key] == nil { first[key] = record.place(of: column) }
            return first.count < ids.count ? .nextRecord : .end
        }
        return repeated.compactMap { id, place in
            // Different ids with the same hash are not duplicates.
            guard let earlier = first[Array(id.utf8)], earlier != place else { return nil }
            return FileError(.duplicateID(id, first: earlier), at: place)
        }
    }

    private func readGood(
        _ file: inout SourceFile,
        _ format: FileFormat,
        _ body: (borrowing FileRecord, ColumnNames) -> FileReading.Continuation
    ) throws(ImportError) {
        do throws(ImportError) {
            _ = try reading.read(&file, format, .checking) { (record, names) throws(ImportError) in
                body(record, names)
            }
        } catch {
            guard case .refused = error else { throw error }
        }
    }

    /// Reads the file again and writes it completely or not at all.
    ///
    /// Other writers of a served database wait. Readers of one in memory use a copy meanwhile.
    private func write(
        _ file: inout SourceFile,
        _ format: FileFormat,
        _ plan: ImportPlan,
        as name: String
    ) throws(ImportError) -> Outcome {
        guard let writers else { return try writeAlone(&file, format, plan, as: name) }
        let result: Result<Outcome, ImportError>
        do {
            result = try writers.holdLong(connection) { () throws(ImportError) in
                try writeAlone(&file, format, plan, as: name)
            }
        } catch {
            throw .busy
        }
        return try result.get()
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
        let old = try ImportError.ofDatabase { () throws(SQLiteError) in
            try ListCatalog.list(named: name, in: connection)
        }
        let list = try ImportError.ofDatabase { () throws(SQLiteError) in
            let list = try planned(plan, as: name, rowCount: count)
            try ListCatalog.create(in: connection)
            try ListCatalog.enter(list, source: source, in: connection)
            try makeIndexes(connection, list)
            let indexed = try ListCatalog.list(named: name, in: connection) ?? list
            try RowTriggers.create(for: list, in: connection)
            try connection.commit()
            return indexed
        }
        var outcome = Outcome(
            list: list,
            renames: plan.renames,
            exceptions: plan.exceptions,
            isImported: true
        )
        outcome.leadingZeros = plan.leadingZeros
        outcome.changesColumns = old.map { $0.columns != list.columns } ?? false
        return outcome
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
            columns: plan.columns,
            keyed: plan.keyed,
            version: try nextVersion(of: name),
            rowCount: rowCount,
            hasOrderColumns: true
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
        var repeated: [(id: String, place: FileLocation)] = []
        _ = try reading.read(&file, format, .writing) { record, _ throws(ImportError) in
            do throws(ImportError) {
                if try writer.write(record) || duplicates == .keepFirst { return .nextRecord }
                guard let column = plan.idColumns.first else { throw .changed(path: path) }
                repeated.append((plan.id(of: record) ?? "", record.place(of: column)))
            } catch {
                guard case .refused(_, let found) = error else { throw error }
                errors += found
            }
            return errors.count + repeated.count < reading.maximumErrors ? .nextRecord : .end
        }
        if !repeated.isEmpty {
            let first = try firstPlaces(
                of: Set(repeated.map { Array($0.id.utf8) }),
                &file,
                format,
                plan
            )
            for (id, place) in repeated {
                guard let earlier = first[Array(id.utf8)] else { throw .changed(path: path) }
                errors.append(FileError(.duplicateID(id, first: earlier), at: place))
            }
        }
        guard errors.isEmpty else { throw .refused(path: path, errors.inOrder) }
        guard duplicates == .replace else { return writer.count }
        return try ImportError.ofDatabase { () throws(SQLiteError) in try writer.countRows() }
    }

    /// Finds the first records with the given ids in UTF-8.
    ///
    /// The places of ids are not stored while writing. The file is read once more if there is an
    /// error to report.
    private func firstPlaces(
        of ids: Set<[UInt8]>,
        _ file: inout SourceFile,
        _ format: FileFormat,
        _ plan: ImportPlan
    ) throws(ImportError) -> [[UInt8]: FileLocation] {
        var places: [[UInt8]: FileLocation] = [:]
        _ = try reading.read(&file, format, .writing) { record, _ throws(ImportError) in
            guard let column = plan.idColumns.first, let text = plan.id(of: record) else {
                return .nextRecord
            }
            let id = Array(text.utf8)
            if ids.contains(id), places[id] == nil { places[id] = record.place(of: column) }
            return places.count < ids.count ? .nextRecord : .end
        }
        return places
    }
}

extension [FileError] {
    fileprivate var inOrder: [FileError] {
        sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
    }
}

package struct ImportProgress: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// The bytes arrive on standard input and are stored.
        case receiving
        case checking
        case writing
        /// All records are written and indexes are created, with no limit on the duration.
        case indexing
    }

    package let phase: Phase
    /// The number of bytes read in this phase.
    package let bytes: Int
    /// The size of the file in bytes.
    package let totalBytes: Int
    package let records: Int

    package init(phase: Phase, bytes: Int, totalBytes: Int, records: Int) {
        self.phase = phase
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.records = records
    }
}
