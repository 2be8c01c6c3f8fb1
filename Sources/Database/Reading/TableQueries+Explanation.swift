import Listings

extension TableQueries {
    /// The engine's plans for reading a page, one for every range that may be read.
    ///
    /// - Parameter query: A query in flow mode.
    /// - Returns: The engine's plans.
    /// - Throws: ``ReadingError``.
    func explanations(of query: ListQuery) throws(ReadingError) -> [Explanation] {
        let ways = try ways(for: query) { (condition) throws(ReadingError) in
            try countMatches(condition, upTo: ListQuery.countCap)
        }
        return try explain(
            RowFlowRequest(
                plan: plan(for: query, ways[0]),
                keys: try SectionSelection(query, self).keys(plan(for: query.widened)),
                limit: 1,
                start: query.start
            )
        )
    }

    private func explain(_ question: RowFlowRequest) throws(ReadingError) -> [Explanation] {
        let plan = question.plan
        var direction = KeysetPlan.Direction.forwards
        var position: [CellValue] = []
        switch question.start {
        case .beginning, .offset, .letter: break
        case .after(let cursor): position = try self.position(cursor, plan)
        case .before(let cursor):
            position = try self.position(cursor, plan)
            direction = .backwards
        }
        if let key = question.keys?.first, position.isEmpty { position = [key] }
        let fixed = question.keys == nil ? 0 : 1
        return try explain(position, fixed: fixed, plan, direction)
    }

    private func explain(
        _ values: [CellValue],
        fixed: Int,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction
    ) throws(ReadingError) -> [Explanation] {
        let ranges = ranges(values, fixed: fixed, plan, direction)
        guard !connection.dialect.joinsRanges else {
            return ranges.isEmpty ? [] : try [plan.explain(ranges, direction, on: connection)]
        }
        var steps: [Explanation] = []
        for range in ranges {
            switch try plan.manner(of: range, direction, on: connection) {
            case .atOnce:
                steps.append(try plan.explain(.records, of: range, direction, on: connection))
            case .byValue:
                let term = range.openTerm
                let search = KeysetPlan.Purpose.values(term: term)
                steps.append(try plan.explain(search, of: range, direction, on: connection))
                // All values have the same plan.
                let block = range.sharedValues(values) + [.integer(0)]
                steps += try explain(block, fixed: term + 1, plan, direction)
            }
        }
        return steps
    }
}
