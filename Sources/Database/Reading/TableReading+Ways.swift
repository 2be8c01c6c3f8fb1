import Listings

/// Which way the engine is led to the rows of a question with conditions.
///
/// An engine without statistics takes an index for every condition that has one. Where three of ten
/// million rows meet it, it would then sort three million for a page of fifty, which are found at
/// once when the rows are read in order and the others passed over; where ten rows meet it, reading
/// in order would read everything. And of two conditions with an index it takes either. So the rows
/// that meet each condition by itself are counted in its index, up to a number: the condition that
/// the fewest rows meet leads where they are no more than that.
///
/// Words that more rows have are found in any order within a few rows, unless those that have them
/// stand together: see ``TableReading/gather(_:)``.
extension TableReading {
    /// The ways to try, one after the other; the last one may take all the time there is.
    ///
    /// - Parameters:
    ///   - query: The question.
    ///   - countMatches: Counts the rows that meet the one condition of a question; nil where there
    ///     are too many, or where that could not be found out.
    /// - Returns: At least one way.
    /// - Throws: ``ReadingError``.
    func ways(
        for query: ListQuery,
        countMatches: (ListQuery) throws(ReadingError) -> Int?
    ) throws(ReadingError) -> [Leadership] {
        guard query.isNarrowed else { return [.free] }
        guard !connection.dialect.knowsSelectivity else {
            return try textWays(for: query, countMatches: countMatches)
        }
        let searches = query.search != nil && table.wordIndex != nil
        let ordered = try explanation(of: plan(for: query.widened))
        var inOrder = Leadership.order
        if !searches, ordered.sorting != .everything {
            let plan = plan(for: query)
            let led = try explanation(of: plan)
            // One index finds the rows of a condition and has their order.
            let isLed =
                plan.isBounded
                ? led.sorting != .everything : led.sorting == .nothing && led.lines != ordered.lines
            if isLed { inOrder = .free }
        }
        let conditions = query.conditionsAlone
        if inOrder == .free, conditions.count == 1 { return [.free] }
        var leader: Leadership?
        var fewest = Int.max
        for (number, condition) in conditions.enumerated() where try finds(condition) {
            guard let count = try countMatches(condition), count < fewest else { continue }
            leader = .condition(number)
            fewest = count
        }
        if let leader { return [leader] }
        guard ordered.sorting != .everything else { return [.conditions] }
        if searches { return [.order, .gathered] }
        // The table itself is in this order: to read all of it is no faster another way.
        return ordered.usesIndex || inOrder == .free ? [inOrder, .conditions] : [inOrder]
    }

    /// The ways of an engine that knows how many rows conditions choose, but for those on what stands
    /// in texts: it would read rows in order and hope for one that has it.
    private func textWays(
        for query: ListQuery,
        countMatches: (ListQuery) throws(ReadingError) -> Int?
    ) throws(ReadingError) -> [Leadership] {
        let looksIntoTexts = query.filters.contains { $0.operation.matchesLetters }
        guard looksIntoTexts || query.search != nil else { return [.free] }
        var all = ListQuery(shape: .flow(limit: 1))
        all.filters = query.filters
        all.search = query.search
        guard try countMatches(all) == nil else { return [.conditions] }
        return query.search == nil ? [.free, .conditions] : [.free, .gathered]
    }

    /// Counts the rows that meet the conditions of a question; nil where there are more than a
    /// number.
    func countMatches(_ query: ListQuery, upTo cap: Int) throws(ReadingError) -> Int? {
        let found = try count(
            [],
            of: KeysetRange([]),
            plan(for: query, .conditions),
            .forwards,
            atMost: cap + 1
        )
        return found > cap ? nil : found
    }

    /// Whether an index finds the rows that meet the conditions of a question.
    private func finds(_ query: ListQuery) throws(ReadingError) -> Bool {
        try plan(for: query, .conditions)
            .explain(.records, of: KeysetRange([]), .forwards, on: connection).finds
    }

    /// What the engine would do to read the first range of an order.
    private func explanation(of plan: OrderPlan) throws(ReadingError) -> Explanation {
        let ranges = KeysetRange.following([], in: plan.terms(.forwards))
        return try plan.explain(.records, of: ranges[0], .forwards, on: connection)
    }
}

extension ListQuery {
    /// The same question without conditions.
    var widened: ListQuery {
        guard isNarrowed else { return self }
        var query = self
        query.filters = []
        query.search = nil
        return query
    }

    /// For each condition, the question of all rows that meet it; those of the words are the last.
    fileprivate var conditionsAlone: [ListQuery] {
        let all = ListQuery(shape: .flow(limit: 1))
        var conditions = filters.map { filter in
            var query = all
            query.filters = [filter]
            return query
        }
        for term in search?.terms ?? [] {
            var query = all
            query.search = TextSearch(term)
            conditions.append(query)
        }
        return conditions
    }
}
