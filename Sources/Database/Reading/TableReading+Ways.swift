import Listings

/// Which way the engine is led to the rows of a question with conditions.
///
/// An engine without statistics takes an index for every condition that has one. Where three of ten
/// million rows meet it, it would then sort three million for a page of fifty, which are found at
/// once when the rows are read in order and the others passed over; where ten rows meet it, reading
/// in order would read everything. So the rows that meet the conditions are counted up to a number.
extension TableReading {
    /// The ways to try, one after the other; the last one may take all the time there is.
    ///
    /// - Parameters:
    ///   - query: The question.
    ///   - countMatches: Counts the rows that meet the conditions; nil where there are too many, or
    ///     where that could not be found out.
    /// - Returns: At least one way.
    /// - Throws: ``ReadingError``.
    func ways(
        for query: ListQuery,
        countMatches: () throws(ReadingError) -> Int?
    ) throws(ReadingError) -> [Leadership] {
        guard query.isNarrowed, !connection.dialect.knowsSelectivity else { return [.free] }
        let free = plan(for: query)
        let ordered = try explanation(of: plan(for: query.widened))
        let searches = query.search != nil && table.wordIndex != nil
        if !searches {
            guard ordered.sorting != .everything else { return [.free] }
            let led = try explanation(of: free)
            // One index finds the rows and has their order.
            if led.sorting == .nothing, led.lines != ordered.lines { return [.free] }
        }
        guard ordered.sorting != .everything else { return [.conditions] }
        let search = try plan(for: query, .conditions)
            .explain(.boundedCount, of: KeysetRange([]), .forwards, on: connection)
        guard search.finds else { return [.order] }
        return try countMatches() == nil ? [.order, .conditions] : [.conditions]
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
}
