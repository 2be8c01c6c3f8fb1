import HTTP
import Listings

/// A page as it was rendered, as far as its response may be sent again.
final class CacheableResponse {
    /// The entity tag, without a content coding.
    let tag: EntityTag
    let endpoint: ListEndpoint
    /// The version of the list that was read.
    let version: ListVersion
    /// The trace of a request that is answered by the page.
    let trace: RequestTrace

    init(tag: EntityTag, endpoint: ListEndpoint, version: ListVersion, trace: RequestTrace) {
        self.tag = tag
        self.endpoint = endpoint
        self.version = version
        self.trace = trace
    }

    /// Whether the list has the same version; false for a list that cannot be asked.
    var isCurrent: Bool {
        !endpoint.isRetired && (try? endpoint.reader.version()) == version
            && !endpoint.reader.isStale
    }
}

extension Page {
    /// Whether the page is the same for as long as its list has this version: nothing failed, is out
    /// of date or took too long to be counted.
    var isCacheable: Bool {
        failures.isEmpty && !isStale && version.isLasting && facets.count == query.facets.count
            && (query.counting == .off || total != nil && sections.allSatisfy { $0.count != nil })
    }
}
