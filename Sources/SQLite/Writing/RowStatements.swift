import Database
import Listings

/// Writes single rows of a table that Roster made.
struct RowStatements {
    /// A row as it stands.
    private struct Current {
        let revision: Int64
        let values: [CellValue]
    }

    private let connection: DatabaseConnection
    private let table: TableDescription
    private let rules: RowRules

    init(_ connection: DatabaseConnection, _ table: TableDescription, _ rules: RowRules) {
        precondition(table.isStored, "writes to a table of somebody else")
        self.connection = connection
        self.table = table
        self.rules = rules
    }

    /// Performs a change, or says why it is refused; refused, it has written nothing.
    func perform(_ change: RowChange) throws(SQLiteError) -> Result<ChangedRow, RowRefusal> {
        let faults = rules.faults(in: change)
        guard faults.isEmpty else { return .failure(.invalid(faults)) }
        guard let id = change.id else {
            return .success(try insert(id: nil, change.values))
        }
        let current = try current(id)
        for condition in change.conditions
        where !condition.holds(exists: current != nil, revision: current?.revision) {
            return .failure(.failedCondition(id))
        }
        guard let current else {
            switch change.verb {
            case .merge, .delete: return .failure(.unknownRow(id))
            case .insert, .insertIfAbsent, .replace, .mergeOrInsert:
                return .success(try insert(id: id, change.values))
            }
        }
        switch change.verb {
        case .insert: return .failure(.existingRow(id))
        case .insertIfAbsent:
            return .success(ChangedRow(id: id, revision: current.revision, effect: .unchanged))
        case .replace:
            let missing = rules.columns.indices.filter { change.values[$0] == nil }
            let values = change.values.merging(missing.map { ($0, .null) }) { given, _ in given }
            return .success(try update(id, current, values))
        case .merge, .mergeOrInsert: return .success(try update(id, current, change.values))
        case .delete:
            try run("DELETE FROM \(table.quotedName) WHERE \(key) = ?1", [value(of: id)])
            return .success(ChangedRow(id: id, revision: nil, effect: .deleted))
        }
    }

    private var key: String { table.quotedKey[0] }

    private var revision: String { table.quotedRevision ?? "NULL" }

    private func value(of id: String) -> CellValue {
        CellValue.parse(id, as: rules.idType) ?? .text(id)
    }

    private func current(_ id: String) throws(SQLiteError) -> Current? {
        let names = ([revision] + table.quotedColumns).joined(separator: ", ")
        let statement = try connection.statement(
            "SELECT \(names) FROM \(table.quotedName) WHERE \(key) = ?1"
        )
        defer { statement.reset() }
        try statement.bind(1, value(of: id))
        guard try statement.step() else { return nil }
        return Current(
            revision: statement.integer(0),
            values: rules.columns.enumerated().map { statement.value($0 + 1, as: $1.type) }
        )
    }

    private func insert(
        id: String?,
        _ values: [Int: CellValue]
    ) throws(SQLiteError) -> ChangedRow {
        let given = id ?? (rules.idType == .text ? Self.randomID() : nil)
        // A row that takes the id of one that has gone must not take its revision, which stands in
        // entity tags; 47 bits, so that JSON readers keep every digit.
        let first = Int64.random(in: 1..<1 << 47)
        let names = [key, revision] + table.quotedColumns
        let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        try run(
            "INSERT INTO \(table.quotedName) (\(names.joined(separator: ", "))) VALUES (\(places))",
            [given.map(value(of:)) ?? .null, .integer(first)]
                + rules.columns.indices.map { values[$0] ?? .null }
        )
        return ChangedRow(
            id: given ?? "\(connection.lastInsertedRowID)",
            revision: first,
            effect: .created
        )
    }

    /// Writes the values that differ from what stands there.
    private func update(
        _ id: String,
        _ current: Current,
        _ values: [Int: CellValue]
    ) throws(SQLiteError) -> ChangedRow {
        let differing = values.keys.sorted().filter { values[$0] != current.values[$0] }
        guard !differing.isEmpty else {
            return ChangedRow(id: id, revision: current.revision, effect: .unchanged)
        }
        let steps = differing.enumerated().map { "\(table.quotedColumns[$1]) = ?\($0 + 3)" }
        try run(
            "UPDATE \(table.quotedName) SET \(revision) = ?2, \(steps.joined(separator: ", "))"
                + " WHERE \(key) = ?1",
            [value(of: id), .integer(current.revision &+ 1)]
                + differing.map { values[$0] ?? .null }
        )
        return ChangedRow(id: id, revision: current.revision &+ 1, effect: .changed)
    }

    private func run(_ sql: String, _ values: [CellValue]) throws(SQLiteError) {
        let statement = try connection.statement(sql)
        for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
        try statement.run()
    }

    /// Eighty random bits, in letters and digits that people can tell apart.
    private static func randomID() -> String {
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
        return String((0..<16).map { _ in digits[Int.random(in: digits.indices)] })
    }
}
