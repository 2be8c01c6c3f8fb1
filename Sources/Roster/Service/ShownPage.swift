import HTTP
import Listings

/// A page that has been shown, as far as it may be shown again.
struct ShownPage {
    let tag: EntityTag
    let state: PageCache.State
}

extension Page {
    /// Whether nothing failed, is out of date or took too long to be counted: what may be otherwise
    /// the next time although the list is the same.
    var isWhole: Bool {
        failures.isEmpty && !isStale && version.isLasting && facets.count == query.facets.count
            && (query.counting == .off || total != nil && sections.allSatisfy { $0.count != nil })
    }
}
