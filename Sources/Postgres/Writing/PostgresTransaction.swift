import Database
import Listings

enum RowStep {
    case result(Result<ChangedRow, RowRefusal>)
    /// A statement performs the change, and returns the key of the row.
    case statement(
        BoundStatement,
        id: String?,
        ChangedRow.Effect,
        [Int: CellValue]
    )
}

/// A row's revision is `xmin`, the number of the transaction that wrote it.
///
/// It is compared under the row's lock, and every write changes it.
struct PostgresTransaction: WriteTransaction {
    let session: PostgresSession
    let foreign: ForeignTable
    let rules: RowRules
    let idempotency: IdempotencyStore
    let history = TransactionChanges()

    init(
        session: PostgresSession,
        table: ForeignTable,
        rules: RowRules,
        idempotency: IdempotencyStore
    ) {
        self.session = session
        foreign = table
        self.rules = rules
        self.idempotency = idempotency
    }

    var list: String { idempotency.list }

    var isInGroup: Bool { false }

    var table: TableDescription { foreign.table }

    var reading: TableQueries { session.reading }

    func response(to receipt: WriteReceipt) throws(WriteError) -> [UInt8]? {
        try idempotency.response(to: receipt)
    }

    func key(of id: String) -> [CellValue]? {
        guard let values = reading.keyValues(of: id) else { return nil }
        let isPossible = zip(values, table.key).allSatisfy { value, part in
            guard case .text(let text) = value else { return true }
            return part.type == .text && KeyType(part.engineType).accepts(text)
        }
        return isPossible ? values : nil
    }

    /// Invalid ids are refused before.
    private func parameters(ofKey id: String) -> [String?] {
        (key(of: id) ?? []).map { $0.written(to: .other) }
    }

    func row(_ id: String) throws(WriteError) -> StoredRow? {
        guard key(of: id) != nil else { return nil }
        return try row(id, "FOR UPDATE")
    }

    private func row(_ id: String, _ lock: String) throws(WriteError) -> StoredRow? {
        let statement = reading(id, lock)
        return storedRow(
            id,
            try WriteError.ofDatabase { () throws(PostgresError) in
                try session.connection.perform(statement.sql, statement.values)
            }
        )
    }

    func reading(_ id: String, _ lock: String) -> BoundStatement {
        let selection = session.sql.selection(grouping: nil)
        return BoundStatement(
            sql: """
                SELECT \(selection) FROM \(table.quotedName) WHERE \(session.sql.identity) \(lock)
                """,
            values: parameters(ofKey: id)
        )
    }

    func storedRow(_ id: String, _ found: PostgresResult) -> StoredRow? {
        guard found.count == 1, self.id(found) == id else { return nil }
        let parts = table.key.count
        guard case .integer(let revision) = found.value(0, parts, as: .integer) else { return nil }
        let values = session.schema.columns.enumerated().map { position, column in
            found.value(0, parts + 1 + position, as: column.type)
        }
        return StoredRow(revision: revision, values: values)
    }

    /// The first columns of the record are the key.
    func id(_ found: PostgresResult) -> String {
        let values = table.key.enumerated().map { found.value(0, $0, as: $1.type) }
        return values.count == 1 ? values[0].plainText : CompositeID.text(of: values)
    }

    /// Nil if the revision must be read.
    func changedRow(_ written: PostgresResult, _ effect: ChangedRow.Effect) -> ChangedRow? {
        let id = id(written)
        guard effect != .deleted else { return ChangedRow(id: id, revision: nil, effect: effect) }
        let parts = table.key.count
        guard written.types.count > parts,
            case .integer(let revision) = written.value(0, parts, as: .integer)
        else { return nil }
        return ChangedRow(id: id, revision: revision, effect: effect)
    }

    func type(ofColumn column: Int) -> EngineType { EngineType(table.columns[column].engineType) }

    func faults(
        _ values: [(column: Int, value: CellValue)],
        ofRow id: String?
    ) -> [FieldValidationError] {
        foreign.faults(values, ofKey: id.flatMap(key) ?? [])
    }
}

extension PostgresTransaction {
    enum MadeKey {
        /// The given values and the defaults of the table.
        case byTable
        case uuid
        case text
        /// Neither the client nor the table provides the key.
        case missing
    }

    func madeKey(for values: [Int: CellValue]) -> MadeKey {
        let isUUID = KeyType(table.key[0].engineType) == .plain(.uuid)
        let isOpen =
            foreign.keyColumns == [nil]
            || isUUID && foreign.keyColumns.count == 1 && values[foreign.keyColumns[0] ?? -1] == nil
        guard isOpen, !foreign.info.key[0].hasDefault else { return .byTable }
        guard table.key[0].type == .text else { return .missing }
        return isUUID ? .uuid : .text
    }

    private var returned: String {
        (table.quotedKey + (foreign.info.returnsRevisions ? ["xmin"] : [])).joined(separator: ", ")
    }

    func insert(
        _ id: String?,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        try perform(insertion(id, values))
    }

    func insertion(_ id: String?, _ values: [Int: CellValue]) -> RowStep {
        if let id, key(of: id) == nil {
            return .result(.failure(.invalid([FieldValidationError(column: nil, .againstRule)])))
        }
        let given = values.sorted { $0.key < $1.key }.map { (column: $0.key, value: $0.value) }
        let faults = faults(given, ofRow: id)
        guard faults.isEmpty else { return .result(.failure(.invalid(faults))) }
        var names: [String] = []
        var parameters: [String?] = []
        if let id {
            names = table.quotedKey
            parameters = self.parameters(ofKey: id)
        }
        for (column, value) in given where id == nil || !foreign.keyColumns.contains(column) {
            names.append(table.quotedColumns[column])
            parameters.append(value.written(to: type(ofColumn: column)))
        }
        var placeholders = parameters.indices.map { "$\($0 + 1)" }
        if id == nil {
            switch madeKey(for: values) {
            case .byTable: break
            case .missing:
                return .result(.failure(.invalid([FieldValidationError(column: nil, .missing)])))
            case .uuid:
                names.append(table.quotedKey[0])
                placeholders.append("gen_random_uuid()")
            case .text:
                names.append(table.quotedKey[0])
                placeholders.append("$\(placeholders.count + 1)")
                parameters.append(RowID.random())
            }
        }
        let content =
            names.isEmpty
            ? "DEFAULT VALUES"
            : "(\(names.joined(separator: ", "))) OVERRIDING SYSTEM VALUE "
                + "VALUES (\(placeholders.joined(separator: ", ")))"
        return .statement(
            BoundStatement(
                sql: "INSERT INTO \(table.quotedName) \(content) RETURNING \(returned)",
                values: parameters
            ),
            id: id,
            .created,
            values
        )
    }

    func merge(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        try perform(update(id, row, row.differing(values), resetting: []))
    }

    func replace(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        try perform(replacement(id, row, values))
    }

    func replacement(_ id: String, _ row: StoredRow, _ values: [Int: CellValue]) -> RowStep {
        update(id, row, row.differing(values), resetting: foreign.reset(by: values, of: row))
    }

    func update(
        _ id: String,
        _ row: StoredRow,
        _ values: [(column: Int, value: CellValue)],
        resetting columns: [Int]
    ) -> RowStep {
        let faults = faults(values, ofRow: id)
        guard faults.isEmpty else { return .result(.failure(.invalid(faults))) }
        guard !values.isEmpty || !columns.isEmpty else {
            return .result(
                .success(ChangedRow(id: id, revision: row.revision, effect: .unchanged))
            )
        }
        let first = table.key.count + 1
        let steps =
            values.enumerated().map { "\(table.quotedColumns[$1.column]) = $\(first + $0)" }
            + columns.map { "\(table.quotedColumns[$0]) = DEFAULT" }
        return .statement(
            BoundStatement(
                sql: """
                    UPDATE \(table.quotedName) SET \(steps.joined(separator: ", ")) \
                    WHERE \(session.sql.identity) RETURNING \(returned)
                    """,
                values: parameters(ofKey: id)
                    + values.map { $0.value.written(to: type(ofColumn: $0.column)) }
            ),
            id: id,
            .changed,
            Dictionary(uniqueKeysWithValues: values.map { ($0.column, $0.value) })
        )
    }

    func delete(_ id: String) throws(WriteError) -> RowRefusal? {
        switch try perform(deletion(id)) {
        case .success: return nil
        case .failure(let refusal): return refusal
        }
    }

    func deletion(_ id: String) -> RowStep {
        .statement(
            BoundStatement(
                sql: """
                    DELETE FROM \(table.quotedName) WHERE \(session.sql.identity) \
                    RETURNING \(table.quotedKey.joined(separator: ", "))
                    """,
                values: parameters(ofKey: id)
            ),
            id: id,
            .deleted,
            [:]
        )
    }

    private func perform(
        _ step: RowStep
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        switch step {
        case .result(let result): return result
        case .statement(let statement, let id, let effect, let values):
            switch try attempt(statement) {
            case .success(let written):
                // The row exists and is locked, so a rule of the database has prevented the change.
                guard written.count == 1 else { return .failure(.invalid(against(values))) }
                if let row = changedRow(written, effect) { return .success(row) }
                let id = self.id(written)
                let revision = try row(id, "")?.revision
                return .success(ChangedRow(id: id, revision: revision, effect: effect))
            case .failure(let breach):
                guard effect == .deleted else {
                    return .failure(try refusal(breach, values, ofRow: id))
                }
                let isReferred = breach.state.hasPrefix("23")
                return .failure(
                    isReferred
                        ? .referredTo(id ?? "", constraint: breach.constraint)
                        : .invalid(against([:]))
                )
            }
        }
    }

    func version(after effects: [ChangedRow.Effect]) throws(WriteError) -> ListVersion {
        try WriteError.ofDatabase { () throws(PostgresError) in try session.connection.snapshot() }
    }

    func commit(_ response: [UInt8], for receipt: WriteReceipt?) throws(WriteError) {
        try WriteError.ofDatabase { () throws(PostgresError) in
            if let receipt { try idempotency.keep(response, for: receipt) }
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

extension WriteError {
    /// The write was not committed.
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

    static func ofDatabase<R>(_ body: () throws(PostgresError) -> R) throws(WriteError) -> R {
        do {
            return try body()
        } catch {
            throw WriteError(error)
        }
    }
}
