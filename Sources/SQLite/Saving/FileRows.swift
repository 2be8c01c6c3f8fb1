import Listings
import TableFiles

/// The rows of a file, with their positions in its text.
struct FileRows {
    private(set) var findings = FileFindings()
    private(set) var columns = ColumnNames()
    /// The positions of the columns with the ids; empty if rows are numbered.
    private(set) var idColumns: [Int] = []
    private(set) var starts: [Int] = []
    /// The position of the bracket before the rows of a JSON document, if it is known.
    private(set) var listStart: Int?
    private(set) var fingerprints: [Int] = []
    /// Empty if rows are numbered.
    private(set) var ids: [String] = []
    /// The facts of the surveyed columns.
    private var survey = SchemaInference()
    private var exported = ExportColumns()
    /// The positions of the columns with a value.
    private(set) var filled: Set<Int> = []

    /// Reads the file as an import does.
    ///
    /// Ids that are missing or occur again make it a numbered one. `surveyed` names the columns
    /// whose types are found, all by default. `readings` has the spellings of ids, which are found
    /// then, too. `body` receives each row, with its number from 0.
    init(
        _ bytes: [UInt8],
        of table: SourceTable,
        isNumbered: Bool? = nil,
        surveyed: Set<String>? = nil,
        readings: [Int: ColumnReading] = [:],
        _ body: (Int, borrowing FileRecord, ColumnNames) -> Void = { _, _, _ in }
    ) throws(ImportError) {
        var file = SourceFile(bytes: bytes, path: table.location.path)
        do {
            try read(&file, table, isNumbered, surveyed, readings, body)
        } catch {
            guard case .refused(_, let errors) = error,
                try file.guessEncoding(after: errors, table.format)
            else { throw error }
            self = FileRows()
            try read(&file, table, isNumbered, surveyed, readings, body)
        }
        guard surveyed == nil else { return }
        let found = plan(table.options).readings.filter {
            idColumns.contains($0.key) && $0.value.readSpelling != nil
        }
        guard !found.isEmpty else { return }
        // The rows are named as in the list, and their values surveyed as in the file.
        var named = FileRows()
        try named.read(&file, table, isNumbered, nil, found, body)
        if named.idColumns.isEmpty {
            (ids, idColumns) = ([], [])
        } else {
            (named.survey, named.exported) = (survey, exported)
            self = named
        }
    }

    private init() {}

    /// The columns as an import makes them; those that are not surveyed are texts.
    func plan(_ options: ImportOptions) -> ImportPlan {
        ImportPlan(
            columns,
            survey: survey,
            options: options.completed(by: findings),
            exported: exported,
            isNumbered: idColumns.isEmpty
        )
    }

    private mutating func read(
        _ file: inout SourceFile,
        _ table: SourceTable,
        _ isNumbered: Bool?,
        _ surveyed: Set<String>?,
        _ readings: [Int: ColumnReading],
        _ body: (Int, borrowing FileRecord, ColumnNames) -> Void
    ) throws(ImportError) {
        let reading = FileReading(
            maximumErrors: 1,
            options: table.options,
            onProgress: { _ in },
            isCancelled: { false }
        )
        let key = table.options.key
        var fingerprints: [Int] = []
        var (starts, ids, known): ([Int], Set<String>, Int) = ([], [], -1)
        var (all, idColumns, isComplete): ([String], [Int], Bool) = ([], [], isNumbered != true)
        var (survey, chosen, empty) = (
            SchemaInference(), surveyed.map { _ in Set<Int>() }, Set<Int>()
        )
        var exported = ExportColumns(in: table.format)
        (columns, findings) = try reading.read(&file, table.format, .checking, as: readings) {
            record,
            names throws(ImportError) in
            if known != names.all.count {
                empty.formUnion(max(known, 0)..<names.all.count)
                known = names.all.count
                if let surveyed { chosen = Set(surveyed.compactMap(names.position(of:))) }
                let own = ImportPlan.idColumn(of: names).map { [$0] } ?? []
                idColumns = key.isEmpty ? own : key.compactMap(names.position(of:))
            }
            if isComplete {
                let id = ImportPlan.id(of: record, in: idColumns) ?? ""
                isComplete = !id.isEmpty && ids.insert(id).inserted
                all.append(id)
            }
            survey.add(record, of: chosen)
            exported.add(record, names)
            for column in empty where !(record.range(of: column)?.isEmpty ?? true) {
                empty.remove(column)
            }
            body(starts.count, record, names)
            starts.append(record.offset)
            fingerprints.append(record.fingerprint())
            return .nextRecord
        }
        self.starts = file.rowRanges?.map(\.lowerBound) ?? starts
        self.fingerprints = fingerprints
        listStart = file.listStart
        (self.survey, self.exported) = (survey, exported)
        filled = starts.isEmpty ? [] : Set(columns.all.indices).subtracting(empty)
        if starts.isEmpty { idColumns = ImportPlan.idColumn(of: columns).map { [$0] } ?? [] }
        if isComplete { (self.ids, self.idColumns) = (all, idColumns) }
    }
}
