import Listings

/// Ranges read by one statement, each of which is read when those before it are over.
///
/// What follows a position may be six ranges where values may be missing, and is mostly found in the
/// first three of them: where a server is asked, each would cost the way there and back.
extension OrderPlan {
    /// A statement for the records of ranges, and what is bound.
    ///
    /// - Parameters:
    ///   - ranges: The ranges, one behind the other.
    ///   - position: The position they belong to.
    ///   - direction: Which way they are read.
    ///   - demand: How much to read.
    ///   - connection: Where.
    /// - Returns: The statement and its values.
    /// - Throws: ``ReadingError``.
    func joinedRecords(
        of ranges: [KeysetRange],
        behind position: [CellValue],
        _ direction: Direction,
        _ demand: TableReading.Demand,
        on connection: any EngineConnection
    ) throws(ReadingError) -> (statement: any EngineStatement, values: [CellValue]) {
        let rows = rounded(demand.skip + demand.limit)
        let purpose = Purpose.joinedRecords(atMost: rows)
        let statement = try statement(purpose, of: ranges, direction, on: connection) {
            joinedText(ranges, direction, atMost: rows)
        }
        var values = operands
        for range in ranges { values += range.boundTerms.map { bound(position[$0], to: $0) } }
        values += [.integer(Int64(demand.limit)), .integer(Int64(demand.skip))]
        return (statement, values)
    }

    /// What the engine would do for the first records of ranges.
    func explain(
        _ ranges: [KeysetRange],
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> Explanation {
        try connection.explain(joinedText(ranges, direction, atMost: rounded(1)))
    }

    /// A number of records that is written out: the engine keeps its plan for a number it knows,
    /// where it would make one for every page of a number that is bound, which takes longer than to
    /// read the page.
    ///
    /// Nil where it has to make one: it has to know which values rows are to have.
    private func rounded(_ rows: Int) -> Int? {
        guard conditions.isEmpty else { return nil }
        var number = 64
        while number < rows { number *= 8 }
        return number
    }

    private func joinedText(
        _ ranges: [KeysetRange],
        _ direction: Direction,
        atMost rows: Int?
    ) -> String {
        let terms = terms(direction)
        let count = operands.count + ranges.reduce(0) { $0 + $1.boundTerms.count }
        let (limit, skip) = (dialect.place(count + 1), dialect.place(count + 2))
        let most = rows.map(String.init) ?? "\(limit)::bigint + \(skip)::bigint"
        var place = operands.count + 1
        let parts = ranges.map { range in
            let tail = tail(
                .joinedRecords(atMost: rows),
                of: range,
                terms,
                places: (range: place, operands: 1)
            )
            place += range.boundTerms.count
            return "(SELECT \(selection)\(tail) LIMIT \(most))"
        }
        return "SELECT * FROM (\(parts.joined(separator: " UNION ALL "))) AS found "
            + "LIMIT \(limit) OFFSET \(skip)"
    }
}
