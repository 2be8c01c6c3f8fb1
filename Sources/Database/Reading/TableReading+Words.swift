import Listings

/// Searches for words that more rows have than are read and sorted.
///
/// In most orders they are found within a few rows, each of which is looked at. Where all of them
/// stand together, far behind – in one of the sections, under one name – that would look at millions
/// of others. Two ways lead there: a section that is called by the words holds no other rows, and no
/// row stands elsewhere where no other column has them; or the rows that have the words are gathered
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

    /// The sections that a search names, where its rows are those sections' rows and no others.
    ///
    /// - Parameter query: A question with a search.
    /// - Returns: The keys in the order of the list; nil where rows elsewhere may have the words.
    /// - Throws: ``ReadingError``.
    func sectionsNamed(by query: ListQuery) throws(ReadingError) -> [CellValue]? {
        guard let grouping = query.grouping, grouping.part == .value,
            let place = schema.searchable.firstIndex(of: grouping.column),
            let terms = query.search?.terms, terms.count == 1, terms[0].words.count == 1,
            let words = conditions(of: query).gatheredWords.first
        else { return nil }
        let plan = plan(for: query.widened)
        guard try plan.findsSections(on: connection) else { return nil }
        let limit = Self.maximumNamedSections
        let keys = try sectionKeysOneByOne(behind: nil, plan, .forwards, limit: limit + 1)
        let named = keys.filter { $0.hasWords(terms[0].pattern) }
        guard !named.isEmpty, keys.count <= limit, !keys.contains(where: \.isStoredKey),
            try connection.hasWord(words, besidesColumn: place, of: table) == false
        else { return nil }
        return named
    }
}

extension CellValue {
    /// Whether it stands for a value that no cell can carry.
    fileprivate var isStoredKey: Bool {
        if case .text(let text) = self { StoredKey.isMarked(text.utf8.span) } else { false }
    }

    /// Whether a pattern of a search is in the words of a text.
    fileprivate func hasWords(_ pattern: String) -> Bool {
        guard case .text(let text) = self else { return false }
        return TextSearch.words(of: text).contains(pattern)
    }
}
