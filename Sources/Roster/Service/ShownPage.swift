import HTTP
import Listings

/// A page that has been shown, as far as it may be shown again.
///
/// An object: whether there is one is asked for each answer, most of which show no page.
final class ShownPage {
    let tag: EntityTag
    let state: PageCache.State

    init(tag: EntityTag, state: PageCache.State) {
        self.tag = tag
        self.state = state
    }
}

extension Page {
    /// Whether nothing failed, is out of date or took too long to be counted: what may be otherwise
    /// the next time although the list is the same.
    var isWhole: Bool {
        failures.isEmpty && !isStale && version.isLasting && facets.count == query.facets.count
            && (query.counting == .off || total != nil && sections.allSatisfy { $0.count != nil })
    }
}
