import Listings

/// What was found out about questions besides their rows, kept while the version of the list stays
/// the same.
struct ListOverview {
    /// What all of it depends on.
    private struct Subject: Hashable {
        let grouping: Grouping?
        let order: [SortKey]
        let sections: [SectionKey]?
        let filters: [Filter]
        let search: TextSearch?

        init(_ query: ListQuery) {
            grouping = query.grouping
            order = query.order
            sections = query.sections
            filters = query.filters
            search = query.search
        }
    }
    private struct FacetKey: Hashable {
        let subject: Subject
        let column: Int
        let isExact: Bool
    }

    /// So many times a question that took longer than a turn is not begun in one.
    private static let longestAvoidance = 16

    /// The state that all of it belongs to.
    private(set) var version: ListVersion?
    /// Whether what is not found out in time is left to somebody who has more of it.
    var isHurried = false
    private var ways = LRUCache<Subject, [Leadership]>(capacity: 256)
    private var facets = LRUCache<FacetKey, Facet>(capacity: 64)
    private var letters = LRUCache<Subject, [String]>(capacity: 64)
    private var namedSections = LRUCache<Subject, TableReading.NamedSections?>(capacity: 64)
    /// How often questions that took longer than a turn are still not to be begun in one.
    private var avoided = LRUCache<Subject, Int>(capacity: 64)

    init() {}

    /// Forgets everything that belongs to another version, with what was gathered in it.
    mutating func begin(_ version: ListVersion, _ reading: TableReading) {
        guard version != self.version else { return }
        self.version = version
        reading.connection.forgetGathered()
        namedSections.removeAll()
        ways.removeAll()
        facets.removeAll()
        letters.removeAll()
        avoided.removeAll()
    }

    /// Whether a question took longer than a turn lately; now and then it is begun in one again.
    mutating func avoids(_ query: ListQuery) -> Bool {
        guard !avoided.isEmpty else { return false }
        let subject = Subject(query)
        guard let rest = avoided.take(subject), rest > 0 else { return false }
        avoided.insert(rest - 1, for: subject)
        return true
    }

    /// Takes note that a question took longer than a turn.
    mutating func avoid(_ query: ListQuery) {
        let subject = Subject(query)
        guard avoided.take(subject) ?? 0 == 0 else { return }
        avoided.insert(Self.longestAvoidance, for: subject)
    }

    /// The ways to read the rows of a question; none while they are not known.
    mutating func ways(_ query: ListQuery) -> [Leadership] {
        query.isNarrowed ? ways.take(Subject(query)) ?? [] : [.free]
    }

    /// Keeps the ways to read the rows of a question.
    mutating func remember(_ ways: [Leadership], for query: ListQuery) {
        self.ways.insert(ways, for: Subject(query))
    }

    /// The sections that a search names: see ``TableReading/sectionsNamed(by:)``.
    mutating func sectionsNamed(
        by query: ListQuery,
        _ reading: TableReading
    ) throws(ReadingError) -> TableReading.NamedSections? {
        let subject = Subject(query)
        if let known = namedSections.take(subject) { return known }
        // An engine may look for that in one step, which nothing ends.
        guard !isHurried else { throw .outOfTime }
        let found = try reading.sectionsNamed(by: query)
        namedSections.insert(found, for: subject)
        return found
    }

    /// The facets that a question asks for; one that takes too long has no values.
    mutating func facets(
        _ query: ListQuery,
        _ keys: [CellValue]?,
        _ reading: TableReading
    ) throws(ReadingError) -> [Facet] {
        var found: [Facet] = []
        for column in query.facets {
            let isExact = query.counting == .exact
            let key = FacetKey(subject: Subject(query), column: column, isExact: isExact)
            if let facet = facets.take(key) {
                found.append(facet)
                continue
            }
            do {
                let facet = try reading.facet(column, query, keys)
                facets.insert(facet, for: key)
                found.append(facet)
            } catch {
                guard error.isOutOfTime, !isHurried else { throw error }
                found.append(Facet(column: column, values: [], isComplete: false))
            }
        }
        return found
    }

    /// The index letters of a question that wants them; none where they take too long.
    mutating func letters(
        _ query: ListQuery,
        _ keys: [CellValue]?,
        _ way: Leadership,
        _ reading: TableReading
    ) throws(ReadingError) -> [String] {
        // The letters of a table of somebody else are in the order of bytes all over the place.
        let isOrdered = reading.table.isStored || query.grouping?.part == .initial
        guard query.wantsLetters, keys == nil, isOrdered,
            let key = reading.schema.letterKey(of: query)
        else { return [] }
        let subject = Subject(query)
        if let known = letters.take(subject) { return known }
        do {
            let found = try reading.letters(reading.plan(for: query, way), key.direction)
            letters.insert(found, for: subject)
            return found
        } catch {
            guard error.isOutOfTime, !isHurried else { throw error }
            return []
        }
    }
}

extension ReadingError {
    /// Whether the time given was over.
    var isOutOfTime: Bool {
        if case .outOfTime = self { true } else { false }
    }
}
