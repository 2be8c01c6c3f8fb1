import Listings

/// Chooses the access path to the rows of a query with conditions.
///
/// An engine without statistics uses an index for every condition that has one. If most rows match,
/// it sorts them all for one page, although reading in order finds it at once. If few rows match,
/// reading in order reads the whole table. With two indexed conditions, the engine chooses either.
/// Therefore the rows of each condition are counted in its index, up to the cap. The condition with
/// the fewest rows leads if its count is below the cap.
///
/// Words with more rows than the cap are found quickly in any order, unless their rows are
/// adjacent; see ``TableQueries/gather(_:)``.
extension TableQueries {
    /// The access paths to try in sequence.
    ///
    /// The last one may use all remaining time.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - countMatches: Counts the rows of a query with one condition. Nil if there are too many
    ///     or the time does not suffice.
    /// - Returns: At least one access path.
    /// - Throws: ``ReadingError``.
    func ways(
        for query: ListQuery,
        countMatches: (ListQuery) throws(ReadingError) -> Int?
    ) throws(ReadingError) -> [AccessPathChoice] {
        guard query.isNarrowed else { return [.free] }
        guard !connection.dialect.knowsSelectivity else {
            return try textWays(for: query, countMatches: countMatches)
        }
        let searches = query.search != nil && table.wordIndex != nil
        let ordered = try explanation(of: plan(for: query.widened))
        var inOrder = AccessPathChoice.order
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
        var leader: AccessPathChoice?
        var fewest = Int.max
        for (number, condition) in conditions.enumerated() where try finds(condition) {
            guard let count = try countMatches(condition), count < fewest else { continue }
            leader = .condition(number)
            fewest = count
        }
        if let leader { return [leader] }
        guard ordered.sorting != .everything else { return [.conditions] }
        if searches { return [.order, .gathered] }
        // The order is that of the table itself, so that another full scan would be no faster.
        return ordered.usesIndex || inOrder == .free ? [inOrder, .conditions] : [inOrder]
    }

    /// The access paths of an engine with statistics.
    ///
    /// They are needed for contents of texts, for which the engine would scan in order.
    private func textWays(
        for query: ListQuery,
        countMatches: (ListQuery) throws(ReadingError) -> Int?
    ) throws(ReadingError) -> [AccessPathChoice] {
        let looksIntoTexts = query.filters.contains { $0.operation.matchesLetters }
        guard looksIntoTexts || query.search != nil else { return [.free] }
        var all = ListQuery(shape: .flow(limit: 1))
        all.filters = query.filters
        all.search = query.search
        guard try countMatches(all) == nil else { return [.conditions] }
        return query.search == nil ? [.free, .conditions] : [.free, .gathered]
    }

    /// Counts the rows that meet the conditions of a query.
    ///
    /// Nil if there are more than the cap.
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

    /// Whether an index finds the rows that meet the conditions of a query.
    private func finds(_ query: ListQuery) throws(ReadingError) -> Bool {
        try plan(for: query, .conditions)
            .explain(.records, of: KeysetRange([]), .forwards, on: connection).finds
    }

    /// The engine's plan for the first range of an order.
    private func explanation(of plan: KeysetPlan) throws(ReadingError) -> Explanation {
        let ranges = KeysetRange.following([], in: plan.terms(.forwards))
        return try plan.explain(.records, of: ranges[0], .forwards, on: connection)
    }
}

extension ListQuery {
    /// The same query without conditions.
    var widened: ListQuery {
        guard isNarrowed else { return self }
        var query = self
        query.filters = []
        query.search = nil
        return query
    }

    /// One query per condition.
    ///
    /// Those of search terms are the last.
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
