import Listings

/// The values of a column and how many rows have each.
extension TableReading {
    /// Counts the values of a column over the rows that meet all conditions but those on itself.
    ///
    /// Where so many rows meet them that they are not all counted, the values are found by an index,
    /// one look-up for each, and the rows of each counted up to a number.
    ///
    /// - Parameters:
    ///   - column: The position of the column in the schema.
    ///   - query: The question.
    ///   - keys: The keys of the sections asked for; nil means all.
    /// - Returns: The facet; without values where neither way finds them.
    /// - Throws: ``ReadingError``.
    func facet(
        _ column: Int,
        _ query: ListQuery,
        _ keys: [CellValue]?
    ) throws(ReadingError) -> Facet {
        var query = query
        query.filters.removeAll { $0.column == column }
        if let keys, let grouping = query.grouping, grouping.column == column,
            grouping.part == .value
        {
            return Facet(
                column: column,
                ordering: try counts(of: keys, column, query),
                isComplete: true
            )
        }
        // Sections of another column are no condition of an index.
        guard keys == nil else { return Facet(column: column, values: [], isComplete: false) }
        let cap = query.counting == .exact ? Int(Int64.max - 1) : ListQuery.countCap
        if let counted = try countTogether(column, query, upTo: cap) {
            return Facet(column: column, ordering: counted, isComplete: true)
        }
        query.grouping = Grouping(column: column)
        let all = plan(for: query.widened)
        guard try all.findsSections(on: connection) else {
            return Facet(column: column, values: [], isComplete: false)
        }
        var values: [CellValue] = []
        while values.count <= Facet.maximumValues,
            let next = try sectionKeys(behind: values.last, all, .forwards, limit: 1).first
        {
            values.append(next)
        }
        return Facet(
            column: column,
            ordering: try counts(of: Array(values.prefix(Facet.maximumValues)), column, query),
            isComplete: values.count <= Facet.maximumValues
        )
    }

    /// Counts values one by one, each up to a number.
    private func counts(
        of values: [CellValue],
        _ column: Int,
        _ query: ListQuery
    ) throws(ReadingError) -> [Facet.Value] {
        var query = query
        query.grouping = Grouping(column: column)
        let plan = plan(for: query)
        let cap = query.counting == .exact ? Int(Int64.max - 1) : ListQuery.countCap
        var counted: [Facet.Value] = []
        for value in values {
            let range = KeysetRange([value.isNull ? .isNull : .equal])
            let count = try count([value], of: range, plan, .forwards, atMost: cap + 1)
            guard count > 0 else { continue }
            counted.append(
                Facet.Value(value, count: count > cap ? Count(cap, .atLeast) : Count(count))
            )
        }
        return counted
    }

    /// Counts all values in one reading; nil where there are more rows than a number.
    private func countTogether(
        _ column: Int,
        _ query: ListQuery,
        upTo cap: Int
    ) throws(ReadingError) -> [Facet.Value]? {
        let conditions = conditions(of: query)
        let dialect = connection.dialect
        let type = schema.columns[column].type
        let spelling = conditions.spelling(from: 1, .conditions)
        let limit = dialect.place(conditions.operands.count + 1)
        let value = dialect.comparand(column: column, of: table, as: type).expression
        let condition =
            spelling.conditions.isEmpty
            ? "" : " WHERE \(spelling.conditions.joined(separator: " AND "))"
        let statement = try statement(
            """
            SELECT \(value), count(*) FROM (SELECT \(table.quotedColumns[column]) \
            FROM \(spelling.source)\(condition) LIMIT \(limit)) AS found GROUP BY \(value)
            """
        )
        let bound = conditions.operands + [.integer(Int64(cap) + 1)]
        let found = try statement.values(bound, as: [type, .integer])
        var counted: [Facet.Value] = []
        var total = 0
        for index in stride(from: 0, to: found.count - 1, by: 2) {
            guard case .integer(let count) = found[index + 1] else { continue }
            total += Int(count)
            counted.append(Facet.Value(found[index], count: Count(Int(count))))
        }
        return total > cap ? nil : counted
    }
}
