import Database
import Listings
import Locks

/// Writes rows of a table that another program made.
///
/// `OR ABORT` takes the place of the conflict clauses of the table, because `ON CONFLICT REPLACE`
/// would delete other rows, also those that the caller must not see.
///
/// A row's revision is the digest of its values. It is compared in the transaction that writes.
struct ForeignTransaction: WriteTransaction {
    private let connection: DatabaseConnection
    private let foreign: ForeignTable
    private let rules: RowRules
    private let idempotency: IdempotencyStore
    /// Nil if the changes are committed here.
    private let group: WriteGroup?
    /// The number of the schema with which the table was described.
    private let mark: SharedNumber?
    let list: String
    let reading: TableQueries
    let history: TransactionChanges?

    private typealias Violation = ConstraintViolation

    init(
        _ connection: DatabaseConnection,
        _ foreign: ForeignTable,
        _ rules: RowRules,
        list: String,
        reading: TableQueries,
        _ history: TransactionChanges?,
        mark: SharedNumber?,
        in group: WriteGroup?
    ) {
        self.connection = connection
        self.mark = mark
        self.foreign = foreign
        self.rules = rules
        self.reading = reading
        self.list = list
        self.history = history
        self.group = group
        idempotency = IdempotencyStore(connection: connection, list: list)
    }

    var isInGroup: Bool { group != nil }

    private var table: TableDescription { foreign.table }

    /// The condition that finds a row by its key, bound from placeholder 1 on.
    private var identity: String {
        TableSQL(table, schema: reading.schema, dialect: connection.dialect).identity
    }

    func response(to receipt: WriteReceipt) throws(WriteError) -> [UInt8]? {
        try idempotency.response(to: receipt)
    }

    func row(_ id: String) throws(WriteError) -> StoredRow? {
        do throws(ReadingError) {
            guard let found = try reading.record(id, grouping: nil) else { return nil }
            let record = Record(found.batch, at: 0)
            return StoredRow(
                revision: record.revision ?? 0,
                values: rules.columns.indices.map(record.value)
            )
        } catch .engine(.locked) {
            throw .busy
        } catch {
            throw .unavailable(reason: "\(error.sourceError)")
        }
    }

    func insert(
        _ id: String?,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        var names: [String] = []
        var stored: [CellValue] = []
        var key: [CellValue] = []
        if let id {
            guard let parts = reading.keyValues(of: id), isSound(parts) else {
                return .failure(.invalid([FieldValidationError(column: nil, .againstRule)]))
            }
            (names, stored, key) = (table.quotedKey, parts, parts)
        }
        let given = values.sorted { $0.key < $1.key }.map { (column: $0.key, value: $0.value) }
        let faults = try faults(given, ofKey: key)
        guard faults.isEmpty else { return .failure(.invalid(faults)) }
        for (column, value) in given where id == nil || !foreign.keyColumns.contains(column) {
            names.append(table.quotedColumns[column])
            stored.append(try spelled(value, column, insteadOf: nil))
        }
        if id == nil {
            for (part, column) in foreign.keyColumns.enumerated() {
                let isGiven = column.map { !(values[$0] ?? .null).isNull } ?? false
                guard !isGiven, !foreign.info.key[part].hasDefault else { continue }
                guard foreign.keyColumns == [nil], table.key[0].type == .text else {
                    return .failure(.invalid([FieldValidationError(column: column, .missing)]))
                }
                names.append(table.quotedKey[0])
                stored.append(.text(RowID.random()))
            }
        }
        let placeholders = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let content =
            names.isEmpty
            ? "DEFAULT VALUES" : "(\(names.joined(separator: ", "))) VALUES (\(placeholders))"
        let sql = "INSERT OR ABORT INTO \(table.quotedName) \(content)"
        switch try perform(sql, stored) {
        case .success(let made):
            return .success(try changed(id ?? made.id, made.revision, .created))
        case .failure(let violation):
            return .failure(try refusal(violation, values, ofRow: id ?? rules.id(of: values)))
        }
    }

    func merge(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        try update(id, row, values, resetting: [])
    }

    func replace(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        try update(id, row, values, resetting: foreign.reset(by: values, of: row))
    }

    private func update(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue],
        resetting columns: [Int]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        let key = reading.keyValues(of: id) ?? []
        let differing = row.differing(values)
        let faults = try faults(differing, ofKey: key)
        guard faults.isEmpty else { return .failure(.invalid(faults)) }
        var steps: [String] = []
        var stored = key
        for (column, value) in differing where !foreign.keyColumns.contains(column) {
            stored.append(try spelled(value, column, insteadOf: row.values[column]))
            steps.append("\(table.quotedColumns[column]) = ?\(stored.count)")
        }
        steps += columns.map { column in
            let value = foreign.info.columns[column].defaultSQL.map { "(\($0))" } ?? "NULL"
            return "\(table.quotedColumns[column]) = \(value)"
        }
        guard !steps.isEmpty else {
            return .success(ChangedRow(id: id, revision: row.revision, effect: .unchanged))
        }
        let sql =
            "UPDATE OR ABORT \(table.quotedName) SET \(steps.joined(separator: ", ")) WHERE \(identity)"
        switch try perform(sql, stored) {
        case .success(let made):
            let changed = try changed(id, made.revision, .changed)
            let isSame = changed.revision == row.revision
            return .success(
                isSame ? ChangedRow(id: id, revision: row.revision, effect: .unchanged) : changed
            )
        case .failure(let violation):
            let set = Dictionary(uniqueKeysWithValues: differing.map { ($0.column, $0.value) })
            return .failure(try refusal(violation, set, ofRow: id))
        }
    }

    func delete(_ id: String) throws(WriteError) -> RowRefusal? {
        let key = reading.keyValues(of: id) ?? []
        guard
            case .failure(let violation) = try perform(
                "DELETE FROM \(table.quotedName) WHERE \(identity)",
                key
            )
        else { return nil }
        if case .foreignKey = violation {
            return .referredTo(
                id,
                constraint: try WriteError.ofDatabase { () throws(SQLiteError) in
                    try Violation.reference(to: table, key, on: connection)
                }
            )
        }
        return .invalid(foreign.faults(of: [:], violation.reason))
    }

    /// A random one, because that of the files is known only after the commit.
    func version(after effects: [ChangedRow.Effect]) throws(WriteError) -> ListVersion { .random() }

    func commit(_ response: [UInt8], for receipt: WriteReceipt?) throws(WriteError) {
        try WriteError.ofDatabase { () throws(SQLiteError) in
            if let receipt {
                try idempotency.keep(response, for: receipt)
                // The table of responses may be new. Nobody else has changed the schema since it was
                // compared.
                mark?.value = try connection.schemaNumber()
            }
            guard let group else { return try connection.commit() }
            group.noteChange()
        }
    }
}

extension ForeignTransaction {
    /// A text in a column of numbers would be converted, and the row had another id.
    private func isSound(_ key: [CellValue]) -> Bool {
        zip(key, table.key).allSatisfy { value, part in
            part.type == .text || value.kind == .number
        }
    }

    /// A trigger may have written the row again, so that its revision must be read.
    private func changed(
        _ id: String,
        _ revision: Int64?,
        _ effect: ChangedRow.Effect
    ) throws(WriteError) -> ChangedRow {
        var revision = revision
        if revision == nil { revision = try row(id)?.revision }
        return ChangedRow(id: id, revision: revision, effect: effect)
    }

    private func faults(
        _ values: [(column: Int, value: CellValue)],
        ofKey key: [CellValue]
    ) throws(WriteError) -> [FieldValidationError] {
        var faults = foreign.faults(values, ofKey: key)
        for (column, value) in values {
            guard case .decimal(let decimal) = value, Int64(decimal.canonicalText) == nil else {
                continue
            }
            // SQLite has no exact decimals.
            let stored = CellValue.real(decimal.nearestDouble)
            guard stored.canonicalText != value.canonicalText else { continue }
            let reason = "SQLite would store it as \(stored.canonicalText)"
            faults.append(FieldValidationError(column: column, .refused(reason)))
        }
        return faults
    }

    /// A time is spelled like the value before, or like that of the last row.
    private func spelled(
        _ value: CellValue,
        _ column: Int,
        insteadOf old: CellValue?
    ) throws(WriteError) -> CellValue {
        guard case .timestamp(let time) = value else { return value }
        if case .timestamp(let example)? = old { return .text(time.spelled(like: example.text)) }
        let name = table.quotedColumns[column]
        let example = try WriteError.ofDatabase { () throws(SQLiteError) -> String? in
            let statement = try connection.statement(
                """
                SELECT \(name) FROM \(table.quotedName) WHERE typeof(\(name)) = 'text'
                    ORDER BY \(table.quotedKey[0]) DESC LIMIT 1
                """
            )
            defer { statement.reset() }
            return try statement.step() ? statement.text(0) : nil
        }
        return .text(time.spelled(like: example ?? "2000-01-01 00:00:00"))
    }

    /// Returns the id of the row, and its revision unless triggers may change it.
    private func perform(
        _ sql: String,
        _ values: [CellValue]
    ) throws(WriteError) -> Result<(id: String, revision: Int64?), Violation> {
        let hasTriggers = !foreign.info.returnsRevisions
        let revision = table.quotedRevision.flatMap { hasTriggers ? nil : $0 }
        let returned = (table.quotedKey + [revision ?? "NULL"]).joined(separator: ", ")
        do throws(SQLiteError) {
            // A trigger that fails may leave what it has written before.
            if hasTriggers { try connection.execute("SAVEPOINT roster_change") }
            let statement = try connection.statement("\(sql) RETURNING \(returned)")
            defer { statement.reset() }
            for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
            guard try statement.step() else {
                try undo(hasTriggers)
                return .failure(.ignored)
            }
            let key = table.key.enumerated().map {
                statement.value($0, as: .stored($1.type))
            }
            let found = revision.map { _ in statement.integer(key.count) }
            while try statement.step() {}
            if hasTriggers { try connection.execute("RELEASE roster_change") }
            guard !key.contains(where: \.isNull) else {
                throw .engine(.step, code: ConstraintViolation.code, message: "the key is null")
            }
            return .success((key.count == 1 ? key[0].plainText : CompositeID.text(of: key), found))
        } catch {
            guard let violation = Violation(error, of: table.name) else { throw WriteError(error) }
            // A rule of the database may have rolled back the whole transaction.
            guard connection.isInTransaction else {
                throw .refused([0: .invalid([FieldValidationError(column: nil, violation.reason)])])
            }
            try WriteError.ofDatabase { () throws(SQLiteError) in try undo(hasTriggers) }
            return .failure(violation)
        }
    }

    private func undo(_ hasTriggers: Bool) throws(SQLiteError) {
        guard hasTriggers else { return }
        try connection.execute("ROLLBACK TO roster_change; RELEASE roster_change")
    }

    private func refusal(
        _ violation: Violation,
        _ values: [Int: CellValue],
        ofRow id: String?
    ) throws(WriteError) -> RowRefusal {
        var violation = violation
        if case .foreignKey = violation {
            let found = try WriteError.ofDatabase { () throws(SQLiteError) in
                try Violation.missingParent(of: table, values, on: connection)
            }
            violation = found ?? violation
        }
        func faults(_ names: [String]) -> [FieldValidationError] {
            let columns = foreign.positions(names)
            return columns.isEmpty
                ? foreign.faults(of: values, violation.reason)
                : columns.map { FieldValidationError(column: $0, violation.reason) }
        }
        switch violation {
        case .notUnique(let names, let text):
            if let id, Set(names) == Set(table.key.map(\.name)) { return .existingRow(id) }
            let columns = foreign.positions(names)
            return .takenValues(columns, constraint: columns.isEmpty ? text : "")
        case .null(let names), .wrongStorage(let names, _), .foreignKey(let names, _):
            return .invalid(faults(names))
        case .check(let text):
            return .invalid(faults(Violation.names(in: text, of: table)))
        case .raised, .ignored, .other: return .invalid(faults([]))
        }
    }
}

extension Timestamp {
    /// The text of the time with the separator, seconds and offset of another text.
    func spelled(like example: String) -> String {
        let hasOffset = Timestamp(example)?.hasOffset ?? self.hasOffset
        var own = text
        if self.hasOffset, !hasOffset {
            own = String(canonicalText.dropLast())
        } else if self.hasOffset, example.hasSuffix("Z") {
            own = canonicalText
        }
        var bytes = Array(own.utf8)
        let form = Array(example.utf8)
        guard bytes.count >= 16, form.count >= 16 else { return own }
        bytes[10] = form[10]
        let hasSeconds = bytes.count > 16 && bytes[16] == UInt8(ascii: ":")
        if !hasSeconds, form.count > 16, form[16] == UInt8(ascii: ":") {
            bytes.insert(contentsOf: Array(":00".utf8), at: 16)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
