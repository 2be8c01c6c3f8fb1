import Database
import Listings
import System

struct SuggestedFacets: Sendable {
    private struct Entry {
        let version: ListVersion
        let time: MonotonicTime
        /// The facets; nil where reading the rows took too long.
        let facets: [FacetSuggestion]?
    }

    /// The nanoseconds before a query that took too long is read again.
    private static let maximumAge = 10_000_000_000
    private var entries = LRUCache<ScopedQuery, Entry>(capacity: 32)

    /// The outer nil means that no facets are known, the inner that reading took too long.
    ///
    /// With `isHint`, facets of an earlier version will do for some seconds, if the version does
    /// not last.
    mutating func facets(
        of query: ScopedQuery,
        _ version: ListVersion,
        isHint: Bool
    ) -> [FacetSuggestion]?? {
        guard let entry = entries.take(query) else { return nil }
        let isRecent = entry.time.age < Self.maximumAge
        let isValid =
            entry.version == version
            ? entry.facets != nil || isRecent : isHint && isRecent && !version.isLasting
        return isValid ? .some(entry.facets) : .none
    }

    mutating func insert(
        _ facets: [FacetSuggestion]?,
        of query: ScopedQuery,
        _ version: ListVersion
    ) {
        entries.insert(Entry(version: version, time: .now, facets: facets), for: query)
    }
}

extension ServedList {
    /// Returns facets worth counting in the rows of a query; nil where reading takes too long.
    func suggestedFacets(
        of query: ScopedQuery,
        _ version: ListVersion,
        isHint: Bool
    ) throws(SourceError) -> [FacetSuggestion]? {
        if let known = suggested.facets(of: query, version, isHint: isHint) { return known }
        var sample = Page(list: definition.name, schema: schema)
        var facets: [FacetSuggestion]?
        do throws(SourceError) {
            // Rows that fail are none of the page's.
            try reader.read(try resolved(query), into: &sample)
            facets = FacetSuggestion.suggestions(from: sample, canDerive)
        } catch {
            // The page has its rows without suggestions.
        }
        suggested.insert(facets, of: query, version)
        return facets
    }

    private func canDerive(_ column: DerivedColumn) -> Bool {
        reader.refusal(of: [column]) == nil
    }
}

extension ScopedQuery {
    /// Tables are read in the order of their ids, lists in memory in their own, which is known.
    ///
    /// `isWhole` leaves out the conditions of the client; those of its scope hold.
    func sample(of list: ServedList, isWhole: Bool) -> ScopedQuery {
        let isTable = list.definition.source is TableSource
        var sample = ListQuery(
            grouping: isTable ? nil : list.schema.defaultGrouping,
            sort: isTable ? [] : list.schema.defaultSort,
            shape: .flow(limit: FacetSuggestion.sampleSize)
        )
        if !isWhole {
            if query.sections != nil {
                (sample.grouping, sample.sections) = (query.grouping, query.sections)
            }
            (sample.filters, sample.related) = (query.filters, query.related)
            (sample.search, sample.derived) = (query.search, query.derived)
            sample.mergesSections = query.mergesSections
        }
        (sample.segment, sample.counting, sample.isBrief) = (query.segment, .off, true)
        return ScopedQuery(sample, in: scope)
    }
}
