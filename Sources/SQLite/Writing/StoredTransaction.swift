import Database
import Listings

struct StoredTransaction: WriteTransaction {
    private let connection: DatabaseConnection
    private let table: TableDescription
    private let rules: RowRules
    private let idempotency: IdempotencyStore
    let list: String
    /// Nil if the changes are committed here.
    private let group: WriteGroup?
    /// Nil if the rows stay in the database.
    private let edits: FileEdits?
    let reading: TableQueries
    let history: TransactionChanges?

    init(
        _ connection: DatabaseConnection,
        _ table: TableDescription,
        _ rules: RowRules,
        list: String,
        reading: TableQueries,
        _ history: TransactionChanges?,
        in group: WriteGroup? = nil,
        edits: FileEdits? = nil
    ) {
        precondition(table.isStored, "writes to a table of somebody else")
        self.connection = connection
        self.table = table
        self.rules = rules
        self.list = list
        self.reading = reading
        self.group = group
        self.edits = edits
        self.history = history
        idempotency = IdempotencyStore(connection: connection, list: list)
    }

    var isInGroup: Bool { group != nil }

    private var key: String { table.quotedKey[0] }

    private var revision: String { table.quotedRevision ?? "NULL" }

    private func value(of id: String) -> CellValue {
        CellValue.id(id, as: rules.idType) ?? .text(id)
    }

    private func form(_ column: Int) -> ValueForm {
        let type = rules.columns[column].type
        return table.columns[column].isKeyed ? .keyed(type) : .stored(type)
    }

    private func stored(_ value: CellValue, _ column: Int) -> CellValue {
        table.columns[column].isKeyed ? KeyedValue.stored(value) : value
    }

    private func order(of column: Int, valueAt placeholder: Int) -> (name: String, key: String)? {
        let stored = table.columns[column]
        return stored.quotedOrder.map { name in
            (name, SQLiteDialect.orderKey(of: "?\(placeholder)", isKeyed: stored.isKeyed))
        }
    }

    func response(to receipt: WriteReceipt) throws(WriteError) -> [UInt8]? {
        try idempotency.response(to: receipt)
    }

    func row(_ id: String) throws(WriteError) -> StoredRow? {
        try WriteError.ofDatabase { () throws(SQLiteError) in
            let names = ([revision] + table.quotedColumns).joined(separator: ", ")
            let statement = try connection.statement(
                "SELECT \(names) FROM \(table.quotedName) WHERE \(key) = ?1"
            )
            defer { statement.reset() }
            try statement.bind(1, value(of: id))
            guard try statement.step() else { return nil }
            return StoredRow(
                revision: statement.integer(0),
                values: rules.columns.indices.map { statement.value($0 + 1, as: form($0)) }
            )
        }
    }

    func insert(
        _ id: String?,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        let own = id ?? edits?.id(of: values)
        if let refusal = edits?.refusal(ofInserting: own, values) { return .failure(refusal) }
        let given = own ?? (rules.idType == .text ? RowID.random() : nil)
        // A random revision, because a row with a reused id must not reuse its revision in entity
        // tags. It has 47 bits, so that JSON readers keep every digit.
        let first = Int64.random(in: 1..<1 << 47)
        var names = [key, revision] + rules.valueColumns.map { table.quotedColumns[$0] }
        var placeholders = names.indices.map { "?\($0 + 1)" }
        for column in rules.columns.indices {
            let placeholder = rules.valueColumns.firstIndex(of: column).map { $0 + 3 } ?? 1
            guard let (name, key) = order(of: column, valueAt: placeholder) else { continue }
            names.append(name)
            placeholders.append(key)
        }
        try run(
            "INSERT INTO \(table.quotedName) (\(names.joined(separator: ", ")))"
                + " VALUES (\(placeholders.joined(separator: ", ")))",
            [given.map(value(of:)) ?? .null, .integer(first)]
                + rules.valueColumns.map { stored(values[$0] ?? .null, $0) }
        )
        let made = given ?? "\(connection.lastInsertedRowID)"
        edits?.noteInsert(made, values)
        return .success(ChangedRow(id: made, revision: first, effect: .created))
    }

    func merge(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        let differing = row.differing(values)
        guard !differing.isEmpty else {
            return .success(ChangedRow(id: id, revision: row.revision, effect: .unchanged))
        }
        if let refusal = edits?.refusal(ofChanging: differing) { return .failure(refusal) }
        edits?.noteChange(id, differing)
        let next = row.revision &+ 1
        let steps = differing.enumerated().flatMap { index, value in
            let order = order(of: value.column, valueAt: index + 3)
            return ["\(table.quotedColumns[value.column]) = ?\(index + 3)"]
                + (order.map { ["\($0.name) = \($0.key)"] } ?? [])
        }
        try run(
            "UPDATE \(table.quotedName) SET \(revision) = ?2, \(steps.joined(separator: ", "))"
                + " WHERE \(key) = ?1",
            [value(of: id), .integer(next)] + differing.map { stored($0.value, $0.column) }
        )
        return .success(ChangedRow(id: id, revision: next, effect: .changed))
    }

    func replace(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        let all = rules.valueColumns.map { ($0, values[$0] ?? .null) }
        return try merge(id, row, Dictionary(uniqueKeysWithValues: all))
    }

    func delete(_ id: String) throws(WriteError) -> RowRefusal? {
        edits?.noteDeletion(id)
        try run("DELETE FROM \(table.quotedName) WHERE \(key) = ?1", [value(of: id)])
        return nil
    }

    func version(after effects: [ChangedRow.Effect]) throws(WriteError) -> ListVersion {
        let version = try WriteError.ofDatabase { () throws(SQLiteError) in
            guard effects.contains(where: { $0 != .unchanged }) else {
                return try ListCatalog.version(of: list, in: connection)
            }
            try TableIndexes.extend(table, reading.schema, on: connection)
            return try ListCatalog.advance(list, in: connection)
        }
        guard let version else {
            throw .unavailable(reason: "the database has no list \(list) any more")
        }
        return version
    }

    func commit(_ response: [UInt8], for receipt: WriteReceipt?) throws(WriteError) {
        try WriteError.ofDatabase { () throws(SQLiteError) in
            if let receipt { try idempotency.keep(response, for: receipt) }
        }
        if let group { return group.noteChange() }
        if let edits { return try edits.commit(connection) }
        try WriteError.ofDatabase { () throws(SQLiteError) in try connection.commit() }
    }

    private func run(_ sql: String, _ values: [CellValue]) throws(WriteError) {
        try WriteError.ofDatabase { () throws(SQLiteError) in
            let statement = try connection.statement(sql)
            for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
            try statement.run()
        }
    }
}
