import Listings

/// Searches for words that more rows have than are read and sorted.
///
/// In most orders they are found within a few rows, each of which is looked at. Where all of them
/// stand together, far behind – in one of the sections, under one name – that would look at millions
/// of others. Two ways lead there: a section that is called by the words holds no other rows, and no
/// row stands elsewhere where no other column has them, or where the index of words and that of the
/// sections have no row of another one in common; or the rows that have the words are gathered
/// first, by their numbers alone, and the numbers in an index of the order looked up among them.
extension TableReading {
    /// The most sections of a list that are looked at for their names.
    private static let maximumNamedSections = 1_000

    /// Gathers the rows that have the words of a question, for plans led by ``Leadership/gathered``.
    ///
    /// - Parameter query: A question with a search.
    /// - Returns: How many rows have one of the words of each term; nil where an engine gathers none.
    /// - Throws: ``ReadingError``.
    func gather(_ query: ListQuery) throws(ReadingError) -> Int? {
        try connection.gather(conditions(of: query).gatheredWords, in: table)
    }

    /// Sections that a word of a search names, where all its rows are.
    struct NamedSections {
        /// Their keys in the order of the list.
        let keys: [CellValue]
        /// What their rows are still to have; nil for nothing.
        let rest: TextSearch?
    }

    /// The sections that a word of a search names, where no row elsewhere meets it.
    ///
    /// - Parameter query: A question with a search.
    /// - Returns: Nil where rows elsewhere may have the words.
    /// - Throws: ``ReadingError``.
    func sectionsNamed(by query: ListQuery) throws(ReadingError) -> NamedSections? {
        guard let grouping = query.grouping, grouping.part == .value,
            let place = schema.searchable.firstIndex(of: grouping.column),
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
                    try connection.hasWord(words, besidesColumn: place, of: table) ?? true
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

    /// Whether sections may have rows of a search, by their keys, which are values of a column.
    private func hasRows(
        _ query: ListQuery,
        in keys: [CellValue],
        of column: Int
    ) throws(ReadingError) -> Bool {
        var probe = ListQuery(shape: .flow(limit: 1))
        probe.search = query.search
        let spelling = conditions(of: probe).spelling(from: 1, .indexes)
        let words = spelling.conditions.joined(separator: " AND ")
        // An index of words is made of an expression.
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
    /// Whether it stands for a value that no cell can carry.
    fileprivate var isStoredKey: Bool {
        if case .text(let text) = self { StoredKey.isMarked(text.utf8.span) } else { false }
    }

    /// Whether a pattern of a search is in the words of a text.
    fileprivate func hasWords(_ pattern: String) -> Bool {
        guard let text = searchedText else { return false }
        return Array(TextSearch.words(of: text).utf8).firstIndex(of: Array(pattern.utf8)) != nil
    }
}
