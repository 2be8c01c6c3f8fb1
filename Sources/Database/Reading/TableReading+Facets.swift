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
        query.filters.removeAll { schema.column(of: $0) == column && !$0.isFixed }
        if let keys, let grouping = query.grouping, grouping.column == column,
            grouping.part == .value
        {
            return Facet(
                column: column,
                ordering: try counts(of: keys, column, query),
                isComplete: true,
                by: keyOrder.isLess
            )
        }
        let cap = query.counting == .exact ? Int(Int64.max - 1) : ListQuery.countCap
        if let counted = try countTogether(column, query, keys, upTo: cap) {
            return Facet(
                column: column,
                ordering: counted,
                isComplete: true,
                by: keyOrder.isLess
            )
        }
        let asked = query
        query.grouping = Grouping(column: column)
        let all = plan(for: query.widened)
        guard try all.findsSections(on: connection) else {
            return Facet(column: column, values: [], isComplete: false)
        }
        let limit = Facet.maximumValues + 1
        let values = try sectionKeysOneByOne(behind: nil, all, .forwards, limit: limit)
        return Facet(
            column: column,
            ordering: try counts(
                of: Array(values.prefix(Facet.maximumValues)),
                column,
                asked,
                in: keys
            ),
            isComplete: values.count <= Facet.maximumValues,
            by: keyOrder.isLess
        )
    }

    /// Counts values one by one, each up to a number.
    private func counts(
        of values: [CellValue],
        _ column: Int,
        _ query: ListQuery,
        in keys: [CellValue]? = nil
    ) throws(ReadingError) -> [Facet.Value] {
        let cap = query.counting == .exact ? Int(Int64.max - 1) : ListQuery.countCap
        var counted: [Facet.Value] = []
        for value in values {
            var query = query
            if keys == nil {
                query.grouping = Grouping(column: column)
            } else {
                query.filters.append(Filter.exactly(value, column: column))
            }
            let plan = plan(for: query)
            var count = 0
            for key in keys ?? [value] where count <= cap {
                let range = KeysetRange([key.isNull ? .isNull : .equal])
                let rest = cap + 1 - count
                count += try self.count([key], of: range, plan, .forwards, atMost: rest)
            }
            guard count > 0 else { continue }
            counted.append(
                Facet.Value(value, count: count > cap ? Count(cap, .atLeast) : Count(count))
            )
        }
        return counted
    }

    /// Counts all values in one reading of each section asked for; nil where there are more rows than
    /// a number.
    private func countTogether(
        _ column: Int,
        _ query: ListQuery,
        _ keys: [CellValue]?,
        upTo cap: Int
    ) throws(ReadingError) -> [Facet.Value]? {
        var query = query
        if keys == nil { query.grouping = nil }
        let plan = plan(for: query, keys == nil ? .conditions : .free)
        let form = plan.tallyForm(column)
        var counts: [CellValue: Int] = [:]
        var total = 0
        for position in keys.map({ $0.map { [$0] } }) ?? [[]] {
            let range = KeysetRange(position.map { $0.isNull ? .isNull : .equal })
            let tally = OrderPlan.Purpose.tally(column: column)
            let statement = try plan.statement(tally, of: range, .forwards, on: connection)
            let bound = plan.values(position, of: range, limit: cap + 1 - total)
            let found = try statement.values(bound, as: [form, .stored(.integer)])
            for index in stride(from: 0, to: found.count - 1, by: 2) {
                guard case .integer(let count) = found[index + 1] else { continue }
                total += Int(count)
                counts[found[index], default: 0] += Int(count)
            }
            if total > cap { return nil }
        }
        return counts.map { Facet.Value($0.key, count: Count($0.value)) }
    }
}
