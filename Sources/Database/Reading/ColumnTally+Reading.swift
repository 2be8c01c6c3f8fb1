import Listings

extension QueryStatistics {
    /// The maximum number of different values of a column that aggregates are computed from.
    static let maximumTalliedValues = 500_000

    /// Reads the values of a column, each with its number of rows.
    ///
    /// `keys` are those of the sections, nil for all rows. `width` is the number of rows of a record.
    /// False if there were too many values.
    static func tally(
        ofColumn column: Int,
        _ query: ListQuery,
        in keys: [CellValue]?,
        width: Int,
        _ reading: TableQueries,
        _ body: (CellValue, Int) -> Void
    ) throws(ReadingError) -> Bool {
        var query = query
        if keys == nil { query.grouping = nil }
        let plan = reading.plan(for: query, keys == nil ? .conditions : .free)
        let purpose = KeysetPlan.Purpose.distribution(column: column)
        for position in keys.map({ $0.map { [$0] } }) ?? [[]] {
            let range = KeysetRange(position.map { $0.isNull ? .isNull : .equal })
            let statement = try plan.statement(
                purpose,
                of: range,
                .forwards,
                on: reading.connection
            )
            let bound = plan.values(position, of: range, limit: Int(Int64.max))
            let found = try statement.values(
                bound,
                as: [plan.tallyForm(column), .stored(.integer)]
            )
            guard found.count <= maximumTalliedValues * 2 else { return false }
            for index in stride(from: 0, to: found.count - 1, by: 2) {
                guard case .integer(let count) = found[index + 1] else { continue }
                body(found[index], Int(count) * width)
            }
        }
        return true
    }
}
