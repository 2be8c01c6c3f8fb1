import Bytes
import HTTP
import ListDiff
import Listings
import Rendering

struct ChangesCall {
    let page: PageRequest
    let since: String
    /// The version that the client has; nil if it is unknown or no longer valid.
    let held: PageDigest?
}

struct PageRequest {
    let prepared: PreparedRequest
    /// The request for the page as HTML; nil where the changes need no HTML.
    let shown: PreparedRequest?

    var endpoint: ServedList { prepared.target.endpoint }

    /// A text that distinguishes this query from all others of the list.
    var address: String {
        var address = ByteBuffer()
        prepared.links.write(.changes, to: &address)
        for filter in prepared.query.scope.conditions { address.append(" of \(filter)") }
        for lookup in prepared.query.lookups { address.append(" with \(lookup)") }
        if prepared.target.mayWrite { address.append(" to write") }
        // That of programs that identify callers has the name of the caller.
        address.append(prepared.fingerprint)
        if let shown { address.append(" as \(shown.language) HTML") }
        return address.text()
    }
}

extension ServedList {
    func readNamed(_ request: PageRequest) throws(SourceError) {
        let query = (request.shown ?? request.prepared).renderedQuery
        try read(query.withoutOverview)
        page.nameWindow(list: mark, query: request.prepared.queryHash)
    }

    /// Empty where there is no page; the rows are then in the endpoint's page.
    func readName(of request: PageRequest) throws(SourceError) -> String {
        do {
            try readNamed(request)
            return page.windowName.text()
        } catch {
            guard error.isOfPage else { throw error }
            return ""
        }
    }

    /// Returns the changes since a client's version; nil where the client must reload the page.
    ///
    /// The page must have been read before.
    func difference(from held: PageDigest?, _ request: PageRequest) -> ListDifference? {
        guard let held, held.list == mark, !page.windowName.isEmpty else { return nil }
        // The number of columns depends on whether rows have actions.
        let hasOtherColumns = held.traits.contains(.hasActions) != page.hasActions
        guard request.shown == nil || !hasOtherColumns else { return nil }
        let difference = differ.difference(from: held, to: page)
        return difference.kind == .reload ? nil : difference
    }
}

extension ScopedQuery {
    fileprivate var withoutOverview: ScopedQuery {
        var query = self
        (query.facets, query.suggestsFacets, query.statistics) = ([], false, nil)
        query.wantsLetters = false
        return query
    }
}

extension SourceError {
    var isOfPage: Bool {
        switch self {
        case .unknownSection, .invalidCursor, .expiredCursor: true
        default: false
        }
    }
}
