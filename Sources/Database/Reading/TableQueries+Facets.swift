import Listings

/// Counts the values of a column.
extension TableQueries {
    /// Counts the values of a column over the rows that meet all conditions except those on the
    /// column.
    ///
    /// If there are too many rows, an index finds the values with one look-up each. The rows of
    /// each value are then counted up to the cap.
    ///
    /// - Parameters:
    ///   - column: The position of the column in the schema.
    ///   - query: The query.
    ///   - keys: The keys of the requested sections, or nil for all.
    /// - Returns: The facet. It has no values if neither method finds them.
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

    /// Counts the rows of each value separately, up to the cap.
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

    /// Counts all values in one scan of each requested section.
    ///
    /// Nil if there are more rows than the cap.
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
            let tally = KeysetPlan.Purpose.tally(column: column)
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
