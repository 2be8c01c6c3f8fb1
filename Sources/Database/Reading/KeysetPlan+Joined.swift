import Listings

/// Ranges read by one statement, each only if those before it have too few rows.
///
/// With nulls, a position can be followed by six ranges, but the first three usually have enough
/// rows. Each separate statement would cost a round trip to a server.
extension KeysetPlan {
    func joinedRecords(
        of ranges: [KeysetRange],
        behind position: [CellValue],
        _ direction: Direction,
        _ demand: TableQueries.Demand,
        on connection: any EngineConnection
    ) throws(ReadingError) -> (statement: any EngineStatement, values: [CellValue]) {
        let rows = rounded(demand.skip + demand.limit)
        let purpose = Purpose.joinedRecords(atMost: rows)
        let statement = try statement(purpose, of: ranges, direction, on: connection) {
            () throws(ReadingError) in
            try joinedText(ranges, direction, atMost: rows, on: connection)
        }
        var values = operands
        for range in ranges { values += range.boundTerms.map { bound(position[$0], to: $0) } }
        values += [.integer(Int64(demand.limit)), .integer(Int64(demand.skip))]
        return (statement, values)
    }

    func explain(
        _ ranges: [KeysetRange],
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> Explanation {
        try connection.explain(joinedText(ranges, direction, atMost: rounded(1), on: connection))
    }

    /// With a bound limit the engine would plan every page, which takes longer than reading it.
    ///
    /// Nil with conditions, because the plan then depends on their values.
    private func rounded(_ rows: Int) -> Int? {
        guard conditions.isEmpty else { return nil }
        var number = 64
        while number < rows { number *= 8 }
        return number
    }

    private func joinedText(
        _ ranges: [KeysetRange],
        _ direction: Direction,
        atMost rows: Int?,
        on connection: any EngineConnection
    ) throws(ReadingError) -> String {
        let count = operands.count + ranges.reduce(0) { $0 + $1.boundTerms.count }
        let (limit, skip) = (dialect.placeholder(count + 1), dialect.placeholder(count + 2))
        let most = rows.map(String.init) ?? "\(limit)::bigint + \(skip)::bigint"
        var placeholder = operands.count + 1
        let parts = try ranges.map { (range) throws(ReadingError) in
            let plan = try related(to: range, on: connection) ?? self
            let tail = plan.tail(
                .joinedRecords(atMost: rows),
                of: range,
                plan.terms(direction),
                placeholders: (range: placeholder, operands: 1)
            )
            placeholder += range.boundTerms.count
            return "(SELECT \(plan.selection)\(tail) LIMIT \(most))"
        }
        return "SELECT * FROM (\(parts.joined(separator: " UNION ALL "))) AS found "
            + "LIMIT \(limit) OFFSET \(skip)"
    }
}
