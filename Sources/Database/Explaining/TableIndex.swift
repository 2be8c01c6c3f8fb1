import Listings

struct TableIndex {
    let name: String
    let target: String
    let preparation: String?
    /// Whether the index finds rows by conditions, so that their order does not matter.
    let isForConditions: Bool
    private let steps: [String]
    /// The first steps, which another index must have to serve the same queries.
    private let requiredSteps: [String]?

    /// Its columns are those of the conditions, then the steps of the order.
    init?(
        for query: ListQuery,
        of table: TableDescription,
        _ schema: ListSchema,
        _ dialect: any Dialect
    ) {
        guard query.search == nil, !query.filters.contains(where: \.matchesLetters)
        else { return nil }
        if let grouping = query.grouping, grouping.part == .initial,
            !dialect.hasFixedText(column: grouping.column, of: table)
        {
            return nil
        }
        let filtered = query.filters.compactMap(\.column)
        let columns = filtered + [query.grouping?.column].compactMap { $0 }
        let sorted = columns + query.sort.compactMap(\.column)
        guard sorted.allSatisfy({ table.columns[$0].isIndexable }) else { return nil }
        let sql = TableSQL(table, schema: schema, dialect: dialect)
        let conditions = filtered.map { column in
            let type = schema.columns[column].type
            let operand = dialect.equated(column: column, of: table, as: type)
            // The texts find the times.
            return operand.form == .byteKey
                ? "\(table.quotedColumns[column]) COLLATE BINARY" : operand.expression
        }
        let initial = query.grouping.flatMap { grouping in
            grouping.part == .initial
                ? dialect.index(initialOf: grouping.column, of: table) : nil
        }
        preparation = initial?.preparation
        let keys = query.order.filter { $0.field != .id || !Self.endsWithKey(table) }
        let terms = (query.grouping.map { [sql.term(for: $0)] } ?? []) + keys.flatMap(sql.terms)
        // Only this program knows the keys of times with several spellings.
        guard !terms.contains(where: { $0.comparand.form == .byteKey }) else { return nil }
        var order = terms.map(\.expression)
        if let initial { order[0] = initial.expression }
        var steps: [String] = []
        for step in conditions + order where !steps.contains(step) { steps.append(step) }
        guard !steps.isEmpty else { return nil }
        self.steps = steps
        isForConditions = !conditions.isEmpty
        requiredSteps = isForConditions ? conditions : Self.endsWithKey(table) ? nil : steps
        var names = [table.name]
        for column in sorted where !names.dropFirst().contains(table.columns[column].name) {
            names.append(table.columns[column].name)
        }
        if sorted.isEmpty { names += table.key.map(\.name) }
        name = names.joined(separator: "_")
        let quoted = table.quotedColumns + table.quotedKey
        target =
            "\(table.quotedName) (\(steps.map { Self.step($0, quoted) }.joined(separator: ", ")))"
    }

    func covers(_ other: TableIndex?) -> Bool {
        guard let other, other.target != target, let required = other.requiredSteps else {
            return false
        }
        return steps.starts(with: required)
    }

    /// SQLite's row id and PostgreSQL's place of a row cannot be named in an index.
    private static func endsWithKey(_ table: TableDescription) -> Bool {
        if table.key.first?.engineType == "tid" { return true }
        guard table.key.count == 1, let key = table.key.first, key.type == .integer else {
            return false
        }
        return ["rowid", "_rowid_", "oid"].contains(key.name) && key.engineType == nil
            && !table.columns.contains { $0.name == key.name }
    }

    private static func step(_ expression: String, _ columns: [String]) -> String {
        let isPlain = columns.contains { name in
            expression == name || expression.hasPrefix(name + " COLLATE ")
        }
        return isPlain ? expression : "(\(expression))"
    }
}

extension SortKey {
    fileprivate var column: Int? {
        guard case .column(let column) = field else { return nil }
        return column
    }
}
