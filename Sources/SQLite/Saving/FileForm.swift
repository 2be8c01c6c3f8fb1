import Listings
import TableFiles

/// The form of a file, which edits keep.
struct FileForm: Sendable {
    /// In the order of the file.
    let names: [String]
    /// The positions of the columns, by their names in the database.
    let positions: [String: Int]
    /// The column that is the id of the list; nil if others are, or rows are numbered.
    let idColumn: Int?
    /// The columns of values that together are the id.
    let keyColumns: [Int]
    let encoding: TextEncoding
    /// The columns that the list does not have: a text with the number of the row.
    let omitted: Set<Int>
    /// As an import makes them; edits keep their types.
    let columns: [Column]
    let readings: [Int: ColumnReading]
    /// Columns without a value, whose first one decides their type.
    var empty: Set<Int>
    private let written: [String]
    private let dialect: DelimitedDialect
    private let json: JSONForm?
    private let options: ImportOptions

    init(_ rows: FileRows, _ plan: ImportPlan, of table: SourceTable) {
        names = rows.columns.all
        written = rows.columns.written
        let own = ImportPlan.idColumn(of: rows.columns)
        let isOwn = rows.idColumns.count == 1 && rows.idColumns.first == own
        idColumn = isOwn ? own : nil
        keyColumns = isOwn ? [] : rows.idColumns
        let ids = PublicColumnName.ids(for: names, key: idColumn)
        positions = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
        encoding = rows.findings.encoding
        let usual: DelimitedDialect = table.format == .tsv ? .tabSeparated : .commaSeparated
        dialect = rows.findings.dialect ?? usual
        json = rows.findings.json
        options = table.options
        (columns, readings) = (plan.columns, plan.readings)
        omitted = plan.omitted
        empty = Set(names.indices).subtracting(rows.filled)
    }

    var isNumbered: Bool { idColumn == nil && keyColumns.isEmpty }

    /// The spellings of the columns with the ids.
    var idReadings: [Int: ColumnReading] {
        readings.filter { $0.key == idColumn || keyColumns.contains($0.key) }
    }

    var isJSON: Bool { json != nil }

    func editor(like template: [UInt8] = []) -> any RecordEditor {
        guard let json else {
            return DelimitedEditor(
                dialect,
                missing: options.missing,
                columnCount: names.count,
                readings: readings
            )
        }
        return JSONEditor(json, names: written, template: template)
    }

    /// Empty for a delimited file.
    func row(at start: Int, in text: [UInt8]) -> [UInt8] {
        json.map { JSONEditor($0, names: written).row(at: start, in: text) } ?? []
    }

    /// Whether the values of a column decide its type.
    func isInferred(_ column: Int) -> Bool { options.type(of: columns[column].id) == nil }

    /// The reason why the file cannot hold a value under a position, or an id without one.
    func obstacle(
        to value: CellValue,
        at position: Int? = nil
    ) -> FieldValidationError.Reason? {
        if encoding != .utf8, encoding.encoded(Array(value.plainText.utf8)) == nil {
            return .refused(
                "The file of the list is in \(encoding.name), which lacks a character."
            )
        }
        let editor = editor()
        if let reason = editor.obstacle(to: value, in: position) { return .refused(reason) }
        guard let position, !value.isNull, !empty.contains(position),
            options.type(of: columns[position].id) != .text, readings[position] != .text
        else { return nil }
        let found = editor.found(for: value, in: position)
        guard found != value else { return nil }
        return .readAs(found.type)
    }
}

extension CellValue {
    /// The type of a column that has such values alone.
    fileprivate var type: ColumnType {
        switch self {
        case .null, .text: .text
        case .integer: .integer
        case .decimal, .real: .real
        case .boolean: .boolean
        case .date: .date
        case .timestamp: .timestamp
        case .json: .json
        case .bytes: .bytes
        }
    }
}
