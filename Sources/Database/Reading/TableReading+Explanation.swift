import Listings

extension TableReading {
    /// What the engine would do to read a page, in its own words: for every range that could be read.
    func explain(_ question: FlowQuestion) throws(ReadingError) -> [String] {
        let plan = question.plan
        var direction = OrderPlan.Direction.forwards
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
        _ plan: OrderPlan,
        _ direction: OrderPlan.Direction
    ) throws(ReadingError) -> [String] {
        var lines: [String] = []
        for range in KeysetRange.following(values, fixed: fixed, in: plan.terms(direction)) {
            switch try plan.manner(of: range, direction, on: connection) {
            case .atOnce:
                lines += try plan.explain(.records, of: range, direction, on: connection).lines
            case .byValue:
                let term = range.openTerm
                let search = OrderPlan.Purpose.values(term: term)
                lines += try plan.explain(search, of: range, direction, on: connection).lines
                // Any value has the same plan.
                let block = range.sharedValues(values) + [.integer(0)]
                lines += try explain(block, fixed: term + 1, plan, direction)
            }
        }
        return lines
    }
}
