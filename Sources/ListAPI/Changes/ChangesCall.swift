import Bytes
import HTTP
import ListDiff
import Listings
import Rendering

/// A parsed request for the changes of a page.
struct ChangesCall {
    let page: PageRequest
    let since: String
    /// The version that the client has; nil if it is unknown or no longer valid.
    let held: PageDigest?
}

/// The query of a followed page.
struct PageRequest {
    /// The request for the page as JSON.
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
        if let shown { address.append(" as \(shown.language) HTML") }
        return address.text()
    }
}

/// The outcome of a comparison between a client's version and the current page.
enum PageOutcome {
    /// The steps from the client's version to the current page; empty if both are equal.
    case changed(ListDifference)
    /// The client must reload the page.
    case expired
}

extension ServedList {
    /// Reads the current page of a query and computes its version.
    func readNamed(_ question: PageRequest) throws(SourceError) {
        let query = (question.shown ?? question.prepared).renderedQuery
        try read(query.withoutOverview)
        page.nameWindow(list: mark, question: question.prepared.queryHash)
    }

    /// Returns the version of a query's current page, empty where there is none.
    ///
    /// The rows are then in the endpoint's page.
    func readName(of question: PageRequest) throws(SourceError) -> String {
        do {
            try readNamed(question)
            return page.windowName.text()
        } catch {
            guard error.isOfPage else { throw error }
            return ""
        }
    }

    /// Compares a client's version with the page, which must have been read before.
    func outcome(of held: PageDigest?, _ question: PageRequest) -> PageOutcome {
        guard let held, held.list == mark, !page.windowName.isEmpty else { return .expired }
        // The number of columns depends on whether rows have actions.
        let hasOtherColumns = held.traits.contains(.hasActions) != page.hasActions
        guard question.shown == nil || !hasOtherColumns else { return .expired }
        let difference = differ.difference(from: held, to: page)
        return difference.kind == .reload ? .expired : .changed(difference)
    }
}

extension ScopedQuery {
    /// The query without facets, statistics and letters, which do not affect the rows.
    fileprivate var withoutOverview: ScopedQuery {
        var query = self
        (query.facets, query.suggestsFacets, query.statistics) = ([], false, nil)
        query.wantsLetters = false
        return query
    }
}

extension SourceError {
    /// Whether only the requested page is gone, but the list still exists.
    var isOfPage: Bool {
        switch self {
        case .unknownSection, .invalidCursor, .expiredCursor: true
        default: false
        }
    }
}
