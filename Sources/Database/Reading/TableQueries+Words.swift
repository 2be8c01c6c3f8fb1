import Listings

/// Finds words that occur in more rows than can be read and sorted.
///
/// In most orders a short scan finds enough rows. A scan is slow if all matching rows are adjacent
/// and late in the order, for example in one section. There are two solutions:
/// - A section is named by the words, and no row elsewhere contains them. Either no other column
///   contains the words, or the indexes of words and sections have no other row in common.
/// - The numbers of the matching rows are gathered first. The numbers in an index of the order are
///   then looked up among them.
extension TableQueries {
    /// The maximum number of sections whose names are compared.
    private static let maximumNamedSections = 1_000

    /// Returns the number of rows with one of the words of each term, nil if the engine cannot
    /// gather.
    func gather(_ query: ListQuery) throws(ReadingError) -> Int? {
        try connection.gather(conditions(of: query).gatheredWords, in: table)
    }

    struct NamedSections {
        let keys: [CellValue]
        let rest: TextSearch?
    }

    /// The sections that a search word names, if no row of another section contains it.
    func sectionsNamed(by query: ListQuery) throws(ReadingError) -> NamedSections? {
        guard let grouping = query.grouping, grouping.part == .value,
            let location = schema.searchable.firstIndex(of: grouping.column),
            let search = query.search, search.terms.contains(where: { $0.words.count == 1 })
        else { return nil }
        let plan = plan(for: query.widened)
        guard try plan.findsSections(on: connection) else { return nil }
        let limit = Self.maximumNamedSections
        let keys = try sectionKeysOneByOne(behind: nil, plan, .forwards, limit: limit + 1)
        guard keys.count <= limit, !keys.contains(where: \.isStoredKey) else { return nil }
        for (number, term) in search.terms.enumerated() where term.words.count == 1 {
            let named = keys.filter { $0.hasWords(term.pattern) }
            guard !named.isEmpty else { continue }
            var single = query
            single.search = TextSearch(term)
            let isElsewhere =
                if let words = conditions(of: single).gatheredWords.first {
                    try connection.hasWord(words, besidesColumn: location, of: table) ?? true
                } else {
                    try hasRows(
                        single,
                        in: keys.filter { !named.contains($0) },
                        of: grouping.column
                    )
                }
            if !isElsewhere {
                return NamedSections(keys: named, rest: search.without(term: number))
            }
        }
        return nil
    }

    private func hasRows(
        _ query: ListQuery,
        in keys: [CellValue],
        of column: Int
    ) throws(ReadingError) -> Bool {
        var probe = ListQuery(shape: .flow(limit: 1))
        probe.search = query.search
        let spelling = conditions(of: probe).spelling(from: 1, .indexes)
        let words = spelling.conditions.joined(separator: " AND ")
        // A word index is made of an expression.
        let isServed = try connection.finds(
            "SELECT 1 FROM \(spelling.source) WHERE \(words)",
            by: ""
        )
        guard isServed else { return true }
        let values = keys.filter { !$0.isNull }
        var filters: [Filter] = []
        if !values.isEmpty { filters.append(Filter(column: column, .among, values)) }
        if values.count < keys.count {
            filters.append(Filter(column: column, .isNull, [.boolean(true)]))
        }
        for filter in filters {
            probe.filters = query.filters + [filter]
            let plan = plan(for: probe, .indexes)
            let found = try connection.joiningIndexes { () throws(ReadingError) in
                try count([], of: KeysetRange([]), plan, .forwards, atMost: 1)
            }
            guard found == 0 else { return true }
        }
        return false
    }
}

extension CellValue {
    /// No cell can hold such a value.
    fileprivate var isStoredKey: Bool {
        if case .text(let text) = self { EncodedKey.isMarked(text.utf8.span) } else { false }
    }

    fileprivate func hasWords(_ pattern: String) -> Bool {
        guard let text = searchedText else { return false }
        return Array(TextSearch.words(of: text).utf8).firstIndex(of: Array(pattern.utf8)) != nil
    }
}

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
    /// The last one may use all remaining time.
    ///
    /// The closure counts the rows of a query with one condition, nil if there are too many or the
    /// time does not suffice.
    func accessPaths(
        for query: ListQuery,
        countMatches: (ListQuery) throws(ReadingError) -> Int?
    ) throws(ReadingError) -> [AccessPathChoice] {
        guard query.isNarrowed else { return [.free] }
        guard !connection.dialect.knowsSelectivity else {
            return try textAccessPaths(for: query, countMatches: countMatches)
        }
        // The key finds the few rows of given ids.
        if let ids = query.filters.firstIndex(where: \.findsIDs) { return [.condition(ids)] }
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
        var (leader, fewest, isFound) = (0, Int.max, false)
        for number in conditions.indices where try finds(conditions[number]) {
            isFound = true
            guard let count = try countMatches(conditions[number]), count < fewest else { continue }
            (leader, fewest) = (number, count)
        }
        if fewest < Int.max { return [.condition(leader)] }
        // An index with many rows of the conditions can be slower than a scan.
        let others: [AccessPathChoice] =
            isFound && !searches ? [.conditions, .scan] : [.conditions]
        guard ordered.sorting != .everything else { return others }
        if searches { return [.order, .gathered] }
        // Without an index, another full scan would be no faster.
        return ordered.usesIndex || inOrder == .free || isFound ? [inOrder] + others : [inOrder]
    }

    /// They are needed for contents of texts, for which the engine would scan in order.
    private func textAccessPaths(
        for query: ListQuery,
        countMatches: (ListQuery) throws(ReadingError) -> Int?
    ) throws(ReadingError) -> [AccessPathChoice] {
        let looksIntoTexts = query.filters.contains(where: \.matchesLetters)
        guard looksIntoTexts || query.search != nil else { return [.free] }
        var all = ListQuery(shape: .flow(limit: 1))
        all.filters = query.filters
        all.search = query.search
        guard try countMatches(all) == nil else { return [.conditions] }
        return query.search == nil ? [.free, .conditions] : [.free, .gathered]
    }

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

    private func finds(_ query: ListQuery) throws(ReadingError) -> Bool {
        try plan(for: query, .conditions)
            .explain(.records, of: KeysetRange([]), .forwards, on: connection).finds
    }

    private func explanation(of plan: KeysetPlan) throws(ReadingError) -> Explanation {
        if let letters = try plan.byLetter(on: connection) {
            let texts = KeysetRange([.equal, .behind])
            return try letters.explain(.records, of: texts, .forwards, on: connection)
        }
        let ranges = KeysetRange.following([], in: plan.terms(.forwards))
        let plan = try plan.related(to: ranges[0], on: connection) ?? plan
        return try plan.explain(.records, of: ranges[0], .forwards, on: connection)
    }
}

extension Filter {
    fileprivate var findsIDs: Bool {
        column == nil && group == nil && (operation == .equal || operation == .among)
    }
}

extension ListQuery {
    var widened: ListQuery {
        guard isNarrowed else { return self }
        var query = self
        query.filters = []
        query.search = nil
        return query
    }

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
