import Listings

/// A cache of facts about queries other than their rows, valid for one version of the list.
struct QueryStatistics {
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
    private struct TallyKey: Hashable {
        let subject: Subject
        let section: CellValue?
        let column: Int
    }
    private struct FacetKey: Hashable {
        let subject: Subject
        let column: Int
        let isExact: Bool
    }

    private(set) var version: ListVersion?
    var isPatient = false
    /// The format that all texts of an examined column share.
    var timeForms: [Int: Int?] = [:]
    private var accessPaths = LRUCache<Subject, [AccessPathChoice]>(capacity: 256)
    private var facets = LRUCache<FacetKey, Facet>(capacity: 64)
    private var tallies = LRUCache<TallyKey, ColumnTally>(capacity: 256)
    private var columns = LRUCache<TallyKey, ColumnStatistics>(capacity: 32)
    private var letters = LRUCache<Subject, [String]>(capacity: 64)
    private var namedSections = LRUCache<Subject, TableQueries.NamedSections?>(capacity: 64)

    init() {}

    mutating func begin(_ version: ListVersion) {
        guard version != self.version else { return }
        self.version = version
        namedSections.removeAll()
        timeForms.removeAll()
        accessPaths.removeAll()
        facets.removeAll()
        tallies.removeAll()
        columns.removeAll()
        letters.removeAll()
    }

    mutating func accessPaths(_ query: ListQuery) -> [AccessPathChoice] {
        query.isNarrowed ? accessPaths.take(Subject(query)) ?? [] : [.free]
    }

    mutating func remember(_ accessPaths: [AccessPathChoice], for query: ListQuery) {
        self.accessPaths.insert(accessPaths, for: Subject(query))
    }

    mutating func sectionsNamed(
        by query: ListQuery,
        _ reading: TableQueries
    ) throws(ReadingError) -> TableQueries.NamedSections? {
        let subject = Subject(query)
        if let known = namedSections.take(subject) { return known }
        let found = try reading.sectionsNamed(by: query)
        namedSections.insert(found, for: subject)
        return found
    }

    /// A facet that takes too long has no values.
    mutating func facets(
        _ query: ListQuery,
        _ keys: [CellValue]?,
        _ reading: TableQueries
    ) throws(ReadingError) -> [Facet] {
        var found: [Facet] = []
        for column in query.facets {
            let isExact = query.counting == .exact
            let key = FacetKey(subject: Subject(query), column: column, isExact: isExact)
            if let facet = facets.take(key), !isPatient || !facet.isMissing {
                found.append(facet)
                continue
            }
            do {
                var counted = query
                if isPatient { counted.counting = .exact }
                var facet = try reading.facet(column, counted, keys)
                if isPatient, !isExact { facet = facet.capped(by: reading.keyOrder.precedes) }
                facets.insert(facet, for: key)
                found.append(facet)
            } catch {
                guard error.isOutOfTime else { throw error }
                found.append(Facet(column: column, values: [], isComplete: false))
            }
        }
        return found
    }

    /// `section` and `keys` are nil for all sections, `width` is the number of rows of a record.
    mutating func aggregates(
        _ query: ListQuery,
        section: CellValue? = nil,
        _ keys: [CellValue]?,
        width: Int,
        _ reading: TableQueries
    ) throws(ReadingError) -> [CellValue?] {
        var found: [CellValue?] = []
        for aggregate in query.aggregates {
            let column = aggregate.column
            let key = TallyKey(subject: Subject(query), section: section, column: column)
            if tallies.take(key) == nil {
                do {
                    let keys = section.map { [$0] } ?? keys
                    let order = reading.keyOrder
                    var tally = ColumnTally()
                    let isWhole = try Self.tally(
                        ofColumn: column,
                        query,
                        in: keys,
                        width: width,
                        reading
                    ) { value, count in
                        tally.add(value, count: count, by: order.precedes)
                    }
                    if isWhole { tallies.insert(tally, for: key) }
                } catch {
                    guard error.isOutOfTime else { throw error }
                }
            }
            found.append(tallies.take(key)?.value(of: aggregate.function))
        }
        return found
    }

    mutating func statistics(
        _ query: ListQuery,
        _ keys: [CellValue]?,
        width: Int,
        _ reading: TableQueries
    ) throws(ReadingError) -> ColumnStatistics? {
        guard let column = query.statistics else { return nil }
        let key = TallyKey(subject: Subject(query), section: nil, column: column)
        if let known = columns.take(key) { return known }
        var counts: [CellValue: Int] = [:]
        do {
            guard
                try Self.tally(
                    ofColumn: column,
                    query,
                    in: keys,
                    width: width,
                    reading,
                    { counts[$0, default: 0] += $1 }
                )
            else { return nil }
        } catch {
            guard error.isOutOfTime else { throw error }
            return nil
        }
        let order = reading.keyOrder
        let found = ColumnStatistics(column: column, counts, by: order.precedes)
        columns.insert(found, for: key)
        return found
    }

    mutating func letters(
        _ query: ListQuery,
        _ keys: [CellValue]?,
        _ accessPath: AccessPathChoice,
        _ reading: TableQueries
    ) throws(ReadingError) -> [String]? {
        // In a foreign table ordered byte by byte, the rows of a letter are not contiguous.
        let isOrdered = reading.table.isStored || query.grouping?.part == .initial
        guard query.wantsLetters, keys == nil, isOrdered,
            let key = reading.schema.letterKey(of: query)
        else { return [] }
        let subject = Subject(query)
        if let known = letters.take(subject) { return known }
        do {
            let found = try reading.letters(reading.plan(for: query, accessPath), key.direction)
            letters.insert(found, for: subject)
            return found
        } catch {
            guard error.isOutOfTime else { throw error }
            return nil
        }
    }
}

extension ReadingError {
    var isOutOfTime: Bool {
        if case .outOfTime = self { true } else { false }
    }
}
