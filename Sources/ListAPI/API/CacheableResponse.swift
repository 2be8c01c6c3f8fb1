import HTTP
import Listings

/// A rendered page whose response may be sent again.
final class CacheableResponse {
    /// The entity tag, without a content coding.
    let tag: EntityTag
    let endpoint: ServedList
    /// The version of the list that was read.
    let version: ListVersion
    /// The trace of later requests that get the page.
    let trace: RequestTrace

    init(tag: EntityTag, endpoint: ServedList, version: ListVersion, trace: RequestTrace) {
        self.tag = tag
        self.endpoint = endpoint
        self.version = version
        self.trace = trace
    }

    /// Whether the list still has the version; false for a list that cannot be read.
    ///
    /// - Throws: ``SourceError/offloaded`` where reading the version takes longer than a time slice.
    func isCurrent() throws(SourceError) -> Bool {
        guard !endpoint.isRetired else { return false }
        return try endpoint.readableVersion() == version && !endpoint.reader.isStale
    }
}

extension Page {
    /// Whether the page stays the same until its list has another version.
    ///
    /// No row failed, and it is neither out of date nor without counts.
    var isCacheable: Bool {
        failures.isEmpty && !isStale && version.isLasting && facets.count == query.facets.count
            && (query.counting == .off || total != nil && sections.allSatisfy { $0.count != nil })
    }
}
