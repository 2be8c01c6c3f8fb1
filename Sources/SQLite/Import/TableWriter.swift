import Database
import Listings
import TableFiles

struct TableWriter: ~Copyable {
    private let path: String
    private let plan: ImportPlan
    private let values: [Int]
    private let insert: Statement
    private let connection: DatabaseConnection
    private let table: String
    private var texts: [(placeholder: Int, range: Range<Int>)] = []
    private(set) var count = 0

    /// Replaces a table with the same name.
    init(
        table: String,
        plan: ImportPlan,
        path: String,
        duplicates: ListImporter.Duplicates,
        connection: DatabaseConnection
    ) throws(SQLiteError) {
        let name = Self.quoted(table)
        let values = plan.valueColumns
        try TableIndexes.removeAll(of: table, on: connection)
        try connection.execute("DROP TABLE IF EXISTS \(name)")
        try connection.execute(Self.declaration(name, plan))
        var names = ["\"id\""] + values.map { Self.quoted(plan.columns[$0].id) }
        var placeholders = names.indices.map { "?\($0 + 1)" }
        for (column, name) in Self.orderColumns(plan) {
            names.append(name)
            let placeholder = values.firstIndex(of: column).map { $0 + 2 } ?? 1
            let isKeyed = plan.keyed.contains(column)
            placeholders.append(SQLiteDialect.orderKey(of: "?\(placeholder)", isKeyed: isKeyed))
        }
        let verb = duplicates == .replace ? "INSERT OR REPLACE" : "INSERT"
        let insert = try connection.prepare(
            "\(verb) INTO \(name) (\(names.joined(separator: ", "))) VALUES (\(placeholders.joined(separator: ", ")))"
        )
        self.insert = insert
        (self.table, self.connection) = (name, connection)
        self.plan = plan
        self.values = values
        self.path = path
    }

    /// Smaller than the number of written records if rows were replaced.
    func countRows() throws(SQLiteError) -> Int {
        let counting = try connection.prepare("SELECT count(*) FROM \(table)")
        return try counting.step() ? Int(counting.integer(0)) : 0
    }

    private static func declaration(_ name: String, _ plan: ImportPlan) -> String {
        let id = plan.idType == .integer ? "INTEGER PRIMARY KEY" : "TEXT NOT NULL PRIMARY KEY"
        // A random start keeps entity tags of different imports apart. It has 47 bits, so that JSON
        // readers keep every digit.
        let first = Int64.random(in: 1..<1 << 47)
        var parts = ["\"id\" \(id)", "\"roster_revision\" INTEGER NOT NULL DEFAULT \(first)"]
        parts += plan.valueColumns.map { position in
            let column = plan.columns[position]
            let type = plan.keyed.contains(position) ? "" : " " + storage(of: column.type)
            return quoted(column.id) + type
        }
        parts += orderColumns(plan).map(\.name)
        return "CREATE TABLE \(name) (\(parts.joined(separator: ", ")))"
    }

    private static func orderColumns(_ plan: ImportPlan) -> [(position: Int, name: String)] {
        plan.listPositions.compactMap { position in
            TableDescription.orderName(
                of: plan.columns[position],
                isKeyed: plan.keyed.contains(position)
            ).map { (position, quoted($0)) }
        }
    }

    private static func storage(of type: ColumnType) -> String {
        switch type.form {
        case .integer, .boolean: "INTEGER"
        case .real: "REAL"
        case .text, .date, .timestamp, .json: "TEXT"
        case .bytes: "BLOB"
        }
    }

    private static func quoted(_ name: String) -> String {
        guard let quoted = SQLName.quoted(name) else {
            preconditionFailure("a name with NUL was let through: \(name)")
        }
        return quoted
    }

    /// False if the id is not new: nothing is written.
    mutating func write(_ record: borrowing FileRecord) throws(ImportError) -> Bool {
        texts.removeAll(keepingCapacity: true)
        try bindID(record)
        for (index, column) in values.enumerated() {
            if plan.keyed.contains(column) {
                try bindKeyed(record, column, placeholder: index + 2)
            } else {
                try bind(record, column, plan.columns[column].type, placeholder: index + 2)
            }
        }
        do {
            try record.withBytes { (utf8) throws(SQLiteError) in
                try insert.run(lending: utf8, texts: texts)
            }
        } catch  where error.isDuplicate && !plan.idColumns.isEmpty {
            return false
        } catch {
            throw ImportError(error)
        }
        count += 1
        return true
    }

    private mutating func bindID(_ record: borrowing FileRecord) throws(ImportError) {
        for column in plan.idColumns where record.range(of: column)?.isEmpty ?? true {
            let name = plan.columns[column].fileName
            let location = record.location(of: column)
            throw .refused(path: path, [FileError(.missingID(column: name), at: location)])
        }
        switch plan.idColumns.count {
        case 0: try bind(Int64(count + 1), placeholder: 1)
        case 1: try bind(record, plan.idColumns[0], plan.idType, placeholder: 1)
        default:
            let id = plan.id(of: record) ?? ""
            try ImportError.ofDatabase { () throws(SQLiteError) in try insert.bind(1, id) }
        }
    }

    private mutating func bindKeyed(
        _ record: borrowing FileRecord,
        _ column: Int,
        placeholder: Int
    ) throws(ImportError) {
        guard let range = record.range(of: column) else {
            return try bind(nil, placeholder: placeholder)
        }
        let form = record.form(of: column)
        switch record.withField(column, { FieldValue.shape($0, form) }) {
        case .integer:
            try bind(record.withField(column, FieldValue.integer), placeholder: placeholder)
        case .boolean, .date, .timestamp: texts.append((placeholder, range))
        case .text, .json, .whole, .fraction:
            if form == .plain { return texts.append((placeholder, range)) }
            let value = record.withField(column) { FieldValue.value($0, form) }
            try ImportError.ofDatabase { () throws(SQLiteError) in
                try insert.bind(placeholder, KeyedValue.stored(value))
            }
        }
    }

    /// Texts are bound later, all at once.
    private mutating func bind(
        _ record: borrowing FileRecord,
        _ column: Int,
        _ type: ColumnType,
        placeholder: Int
    ) throws(ImportError) {
        guard let range = record.range(of: column) else {
            // Texts are unbound after every record.
            if !type.isHeldAsText { try bind(nil, placeholder: placeholder) }
            return
        }
        switch type.form {
        case .text, .date, .timestamp, .json, .bytes:
            texts.append((placeholder, range))
        case .integer:
            guard let value = record.withField(column, FieldValue.integer) else { throw changed }
            try bind(value, placeholder: placeholder)
        case .boolean:
            guard let value = record.withField(column, FieldValue.boolean) else { throw changed }
            try bind(value ? 1 : 0, placeholder: placeholder)
        case .real: throw changed
        }
    }

    private func bind(_ value: Int64?, placeholder: Int) throws(ImportError) {
        try ImportError.ofDatabase { () throws(SQLiteError) in
            guard let value else { return try insert.bindNull(placeholder) }
            try insert.bind(placeholder, value)
        }
    }

    private var changed: ImportError { .changed(path: path) }
}

extension ImportPlan {
    func id(of record: borrowing FileRecord) -> String? { Self.id(of: record, in: idColumns) }

    static func id(of record: borrowing FileRecord, in idColumns: [Int]) -> String? {
        guard idColumns.count > 1 else { return idColumns.first.flatMap { record.text($0) } }
        var parts: [CellValue] = []
        for column in idColumns {
            guard let text = record.text(column) else { return nil }
            parts.append(.text(text))
        }
        return CompositeID.text(of: parts)
    }
}

extension ColumnType {
    /// Dates are stored as ISO 8601.
    fileprivate var isHeldAsText: Bool { !isNumber && form != .boolean }
}
