import Bytes
import HTTP
import Listings
import Rendering

/// A request to be told what changed on a page, understood.
struct ChangesCall {
    /// The page that is followed, as programs are shown it.
    let answer: ListAnswer
    /// The page as people are shown it, where they are to be told, too.
    let shown: ListAnswer?
    /// What the client holds, as it named it.
    let since: String
    /// What the client holds.
    let held: WindowToken

    var endpoint: ListEndpoint { answer.target.endpoint }
}

/// What became of a page.
enum PageFate {
    /// It became what it is now in these steps; none where it shows the same.
    case changed(ListDifference)
    /// It is to be read again.
    case expired
}

extension ListEndpoint {
    /// Reads the page that a question is answered by now, and names it.
    func readNamed(_ answer: ListAnswer) throws(SourceError) {
        try read(answer.query.withoutOverview)
        page.nameWindow(list: mark, question: answer.questionMark)
    }

    /// What became of a page that a client holds; the page was read before.
    ///
    /// - Parameters:
    ///   - held: What the client holds.
    ///   - shown: The page as people are shown it, where the client draws it.
    /// - Returns: What became of it.
    func fate(of held: WindowToken, shown: ListAnswer?) -> PageFate {
        // How many columns a table has depends on whether anything can be done with a row.
        if shown != nil, held.traits.contains(.hasActions) != page.hasActions { return .expired }
        guard held.list == mark, !page.windowName.isEmpty else { return .expired }
        let difference = differ.difference(from: held, to: page)
        return difference.kind == .reload ? .expired : .changed(difference)
    }
}

extension ListQuery {
    /// The question without what no row depends on.
    fileprivate var withoutOverview: ListQuery {
        var query = self
        query.facets = []
        query.wantsLetters = false
        return query
    }
}

extension SourceError {
    /// Whether the page that was asked for is no more, and the list is.
    var isOfPage: Bool {
        switch self {
        case .unknownSection, .invalidCursor, .expiredCursor: true
        default: false
        }
    }
}
