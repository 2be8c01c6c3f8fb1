import Database
import Listings

/// A transaction of a borrowed session that writes rows of a table that Roster does not own.
///
/// A row's revision is `xmin`, the number of the transaction that wrote it. It is compared under
/// the row's lock, and every write changes it.
struct PostgresTransaction: WriteTransaction {
    let session: PostgresSession
    let table: TableDescription
    let rules: RowRules
    let facts: TableInfo
    let answers: IdempotencyStore

    var reading: TableQueries { session.reading }

    func answer(to receipt: WriteReceipt) throws(WriteError) -> [UInt8]? {
        try answers.answer(to: receipt)
    }

    /// Returns the key values of an id, or nil if no row can have the id.
    private func key(of id: String) -> [CellValue]? {
        guard let values = reading.keyValues(of: id) else { return nil }
        let isPossible = zip(values, table.key).allSatisfy { value, part in
            guard case .text(let text) = value else { return true }
            return part.type == .text && KeyType(part.engineType).accepts(text)
        }
        return isPossible ? values : nil
    }

    /// Returns the parameters for the key of an id.
    ///
    /// Invalid ids are refused before.
    private func parameters(ofKey id: String) -> [String?] {
        (key(of: id) ?? []).map { $0.written(to: .other) }
    }

    func row(_ id: String) throws(WriteError) -> StoredRow? {
        guard key(of: id) != nil else { return nil }
        return try row(id, "FOR UPDATE")
    }

    private func row(_ id: String, _ lock: String) throws(WriteError) -> StoredRow? {
        let selection = session.sql.selection(grouping: nil)
        let found = try WriteError.ofDatabase { () throws(PostgresError) in
            try session.connection.perform(
                "SELECT \(selection) FROM \(table.quotedName) WHERE \(session.sql.identity) \(lock)",
                parameters(ofKey: id)
            )
        }
        guard found.count == 1, self.id(found) == id else { return nil }
        let parts = table.key.count
        guard case .integer(let revision) = found.value(0, parts, as: .integer) else { return nil }
        let values = session.schema.columns.enumerated().map { position, column in
            found.value(0, parts + 1 + position, as: column.type)
        }
        return StoredRow(revision: revision, values: values)
    }

    /// Returns the id of the first record of a result whose first columns are the key.
    private func id(_ found: PostgresResult) -> String {
        let values = table.key.enumerated().map { found.value(0, $0, as: $1.type) }
        return values.count == 1 ? values[0].plainText : CompositeID.text(of: values)
    }

    /// Returns the result for a row that was just written.
    private func written(
        _ id: String,
        _ effect: ChangedRow.Effect
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        .success(ChangedRow(id: id, revision: try row(id, "")?.revision, effect: effect))
    }

    /// Returns the list column of a key part, or nil if the id alone provides the part.
    private func position(ofKey part: Int) -> Int? {
        rules.valueColumns.first { table.columns[$0].name == table.key[part].name }
    }

    /// Returns the type of a list column.
    func type(ofColumn column: Int) -> EngineType { EngineType(table.columns[column].engineType) }

    /// Returns errors for values that cannot be written: generated ones, and key parts that differ
    /// from the id.
    private func faults(
        _ values: [(column: Int, value: CellValue)],
        ofRow id: String?
    ) -> [FieldValidationError] {
        let parts = id.flatMap(key) ?? []
        return values.compactMap { column, value in
            let part = parts.indices.first { position(ofKey: $0) == column }
            if let part, parts[part].plainText != value.plainText {
                return FieldValidationError(column: column, .againstRule)
            }
            guard part == nil, !facts.columns[column].takesValues else { return nil }
            let isBytes = type(ofColumn: column) == .bytea
            return FieldValidationError(column: column, isBytes ? .wrongType(.bytes) : .notGiven)
        }
    }
}

extension PostgresTransaction {
    func insert(
        _ id: String?,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        if let id, key(of: id) == nil {
            return .failure(.invalid([FieldValidationError(column: nil, .againstRule)]))
        }
        let given = values.sorted { $0.key < $1.key }.map { (column: $0.key, value: $0.value) }
        let faults = faults(given, ofRow: id)
        guard faults.isEmpty else { return .failure(.invalid(faults)) }
        let parts = table.key.indices.map { position(ofKey: $0) }
        var names: [String] = []
        var parameters: [String?] = []
        if let id {
            names = table.quotedKey
            parameters = self.parameters(ofKey: id)
        }
        for (column, value) in given where id == nil || !parts.contains(column) {
            names.append(table.quotedColumns[column])
            parameters.append(value.written(to: type(ofColumn: column)))
        }
        var places = parameters.indices.map { "$\($0 + 1)" }
        // A text id that neither the client nor the database provides is generated here.
        let isUUID = KeyType(table.key[0].engineType) == .plain(.uuid)
        let isOpen = parts == [nil] || isUUID && parts.count == 1 && values[parts[0] ?? -1] == nil
        if id == nil, isOpen, !facts.key[0].hasDefault {
            guard table.key[0].type == .text else {
                return .failure(.invalid([FieldValidationError(column: nil, .missing)]))
            }
            names.append(table.quotedKey[0])
            places.append(isUUID ? "gen_random_uuid()" : "$\(places.count + 1)")
            if !isUUID { parameters.append(RowID.random()) }
        }
        let content =
            names.isEmpty
            ? "DEFAULT VALUES"
            : "(\(names.joined(separator: ", "))) OVERRIDING SYSTEM VALUE "
                + "VALUES (\(places.joined(separator: ", ")))"
        let key = table.quotedKey.joined(separator: ", ")
        let outcome = try attempt(
            "INSERT INTO \(table.quotedName) \(content) RETURNING \(key)",
            parameters
        )
        switch outcome {
        case .success(let made):
            guard made.count == 1 else { return .failure(.invalid(self.against(values))) }
            return try written(self.id(made), .created)
        case .failure(let breach):
            return .failure(try refusal(breach, values, ofRow: id))
        }
    }

    func merge(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        try update(id, row, row.differing(values), resetting: [])
    }

    func replace(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        let parts = table.key.indices.map { position(ofKey: $0) }
        // These columns are reset to the values of a new row.
        let missing = rules.valueColumns.filter { column in
            values[column] == nil && !parts.contains(column) && facts.columns[column].takesValues
                && (facts.columns[column].hasDefault || !row.values[column].isNull)
        }
        return try update(id, row, row.differing(values), resetting: missing)
    }

    private func update(
        _ id: String,
        _ row: StoredRow,
        _ values: [(column: Int, value: CellValue)],
        resetting columns: [Int]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        let faults = faults(values, ofRow: id)
        guard faults.isEmpty else { return .failure(.invalid(faults)) }
        guard !values.isEmpty || !columns.isEmpty else {
            return .success(ChangedRow(id: id, revision: row.revision, effect: .unchanged))
        }
        let first = table.key.count + 1
        let steps =
            values.enumerated().map { "\(table.quotedColumns[$1.column]) = $\(first + $0)" }
            + columns.map { "\(table.quotedColumns[$0]) = DEFAULT" }
        let given = Dictionary(uniqueKeysWithValues: values.map { ($0.column, $0.value) })
        let outcome = try attempt(
            """
            UPDATE \(table.quotedName) SET \(steps.joined(separator: ", ")) \
            WHERE \(session.sql.identity) RETURNING 1
            """,
            parameters(ofKey: id)
                + values.map { $0.value.written(to: type(ofColumn: $0.column)) }
        )
        switch outcome {
        case .success(let changed):
            // The row exists and is locked, so a rule of the database has prevented the change.
            guard changed.count == 1 else { return .failure(.invalid(against(given))) }
            return try written(id, .changed)
        case .failure(let breach):
            return .failure(try refusal(breach, given, ofRow: id))
        }
    }

    func delete(_ id: String) throws(WriteError) -> RowRefusal? {
        let outcome = try attempt(
            "DELETE FROM \(table.quotedName) WHERE \(session.sql.identity) RETURNING 1",
            parameters(ofKey: id)
        )
        switch outcome {
        case .success(let gone): return gone.count == 1 ? nil : .invalid(against([:]))
        case .failure(let breach) where breach.state.hasPrefix("23"):
            return .referredTo(id, constraint: breach.constraint)
        case .failure: return .invalid(against([:]))
        }
    }

    func version(after effects: [ChangedRow.Effect]) throws(WriteError) -> ListVersion {
        try WriteError.ofDatabase { () throws(PostgresError) in try session.connection.snapshot() }
    }

    func commit(_ answer: [UInt8], for receipt: WriteReceipt?) throws(WriteError) {
        try WriteError.ofDatabase { () throws(PostgresError) in
            if let receipt { try answers.keep(answer, for: receipt) }
        }
        do throws(PostgresError) {
            try session.connection.commit()
        } catch .refused(let state, _) where state.hasPrefix("23") {
            // A deferred constraint, which is checked only on commit.
            throw .refused([0: .invalid(against([:], session.connection.broken.constraint))])
        } catch {
            throw error.isFatal
                ? .uncertain(reason: "PostgreSQL: \(error.reason)") : WriteError(error)
        }
    }
}

extension CellValue {
    /// Returns the value as a parameter for a type.
    ///
    /// Nil is null.
    func written(to type: EngineType) -> String? {
        switch self {
        case .null: nil
        case .json(let text) where type == .array: ArrayLiteral.text(ofJSON: text)
        case .timestamp(let timestamp): timestamp.canonicalText
        case .boolean(let boolean): boolean ? "t" : "f"
        case .bytes(let bytes): "\\x" + bytes.hexadecimal
        default: plainText
        }
    }
}

/// A database rule that a statement has violated.
struct Breach: Error {
    /// The SQLSTATE.
    let state: String
    /// The name of the constraint, or empty if the server reported none.
    let constraint: String
    /// The name of the column, or empty if the server reported none.
    let column: String
}

extension PostgresTransaction {
    /// Runs a statement that may violate a rule.
    ///
    /// A violation rolls back the statement only.
    func attempt(
        _ sql: String,
        _ parameters: [String?],
        isKept: Bool = true
    ) throws(WriteError) -> Result<PostgresResult, Breach> {
        do throws(PostgresError) {
            try session.connection.perform(plainly: "SAVEPOINT change")
            do throws(PostgresError) {
                let result = try session.connection.perform(sql, parameters, isKept: isKept)
                try session.connection.perform(plainly: "RELEASE SAVEPOINT change")
                return .success(result)
            } catch .refused(let state, _)
                where Self.isBreach(state) || session.connection.broken.isPolicy
            {
                let (constraint, column, _) = session.connection.broken
                try session.connection.perform(
                    plainly: "ROLLBACK TO SAVEPOINT change; RELEASE SAVEPOINT change"
                )
                return .failure(Breach(state: state, constraint: constraint, column: column))
            }
        } catch {
            throw WriteError(error)
        }
    }

    /// Returns whether the SQLSTATE is a violation: by a type, a constraint, a view's condition or
    /// a trigger.
    private static func isBreach(_ state: String) -> Bool {
        state.hasPrefix("22") || state.hasPrefix("23") || state == "44000" || state == "P0001"
    }

    /// Converts a violation to a refusal for the client.
    func refusal(
        _ breach: Breach,
        _ values: [Int: CellValue],
        ofRow id: String?
    ) throws(WriteError) -> RowRefusal {
        switch breach.state {
        case "23505", "23P01":
            let names = try columns(of: breach.constraint)
            if let id, !names.isEmpty, Set(names) == Set(table.key.map(\.name)) {
                return .existingRow(id)
            }
            return .takenValues(positions(names), constraint: breach.constraint)
        case "42501": return .againstPolicy
        case "23502":
            let column = table.columns.firstIndex { $0.name == breach.column }
            return .invalid([FieldValidationError(column: column, .missing)])
        case _ where breach.state.hasPrefix("22"): return .invalid(try unreadable(values))
        default:
            let broken = positions(try columns(of: breach.constraint))
            guard !broken.isEmpty else {
                return .invalid(against(values, breach.constraint))
            }
            return .invalid(
                broken.map { FieldValidationError(column: $0, .breaking(breach.constraint)) }
            )
        }
    }

    /// Returns errors for all given values, if the server does not say which value is wrong.
    func against(_ values: [Int: CellValue], _ constraint: String = "") -> [FieldValidationError] {
        let reason = FieldValidationError.Reason.breaking(constraint)
        let all = values.keys.sorted().map { FieldValidationError(column: $0, reason) }
        return all.isEmpty ? [FieldValidationError(column: nil, reason)] : all
    }

    private func positions(_ names: [String]) -> [Int] {
        table.columns.indices.filter { names.contains(table.columns[$0].name) }
    }

    /// Returns the column names of a constraint or an index of the table.
    private func columns(of constraint: String) throws(WriteError) -> [String] {
        guard !constraint.isEmpty else { return [] }
        let found = try WriteError.ofDatabase { () throws(PostgresError) in
            try session.connection.perform(
                """
                SELECT a.attname FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = $1::regclass AND a.attnum = ANY (coalesce(
                    (SELECT c.conkey FROM pg_catalog.pg_constraint c
                        WHERE c.conrelid = $1::regclass AND c.conname = $2),
                    (SELECT i.indkey::int2[] FROM pg_catalog.pg_index i
                        JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
                        WHERE i.indrelid = $1::regclass AND x.relname = $2)))
                """,
                [table.quotedName, constraint]
            )
        }
        return (0..<found.count).compactMap { found.text($0, 0) }
    }

    /// Returns the values that their column's type rejects.
    ///
    /// The server does not report the column, so each value is tried separately without affecting a
    /// row.
    private func unreadable(_ values: [Int: CellValue]) throws(WriteError) -> [FieldValidationError]
    {
        var faults: [FieldValidationError] = []
        for (column, value) in values.sorted(by: { $0.key < $1.key }) {
            let outcome = try attempt(
                "UPDATE \(table.quotedName) SET \(table.quotedColumns[column]) = $1 WHERE FALSE",
                [value.written(to: type(ofColumn: column))],
                isKept: false
            )
            if case .failure = outcome {
                faults.append(FieldValidationError(column: column, .againstRule))
            }
        }
        return faults.isEmpty ? against(values) : faults
    }
}

extension FieldValidationError.Reason {
    /// Returns the violation of a constraint.
    ///
    /// An empty name is one that the server did not report.
    static func breaking(_ constraint: String) -> Self {
        constraint.isEmpty ? .againstRule : .violates(constraint)
    }
}

extension WriteError {
    /// Converts an error of the engine for a write that was not committed.
    init(_ error: PostgresError) {
        guard case .refused(let state, _) = error else {
            self = .unavailable(reason: "PostgreSQL: \(error.reason)")
            return
        }
        switch state {
        // A lock timeout, a deadlock, or a serialization failure.
        case "55P03", "40P01", "40001": self = .busy
        case "53100": self = .full
        // A standby server, or a revoked privilege.
        case "25006", "42501": self = .readOnly
        default: self = .unavailable(reason: "PostgreSQL: \(error.reason)")
        }
    }

    /// Runs database operations and converts their errors to errors of the write.
    static func ofDatabase<R>(_ body: () throws(PostgresError) -> R) throws(WriteError) -> R {
        do {
            return try body()
        } catch {
            throw WriteError(error)
        }
    }
}
