import Bytes
import HTTP
import Listings
import Rendering

/// A request to be told what changed on a page, understood.
struct ChangesCall {
    /// The page that is followed.
    let page: PageQuestion
    /// What the client holds, as it named it.
    let since: String
    /// What the client holds; nil for what is not known any more.
    let held: WindowToken?
}

/// What a page answers, for those who are told what changes on it.
struct PageQuestion {
    /// The page as programs are shown it.
    let answer: PreparedRequest
    /// The page as people are shown it, where they are to be told, too.
    let shown: PreparedRequest?

    var endpoint: ListEndpoint { answer.target.endpoint }

    /// What tells it from other questions.
    var address: String {
        var address = ByteBuffer()
        answer.links.write(.changes, to: &address)
        for filter in answer.query.scope { address.append(" of \(filter)") }
        if answer.target.isWritable { address.append(" to write") }
        if let shown { address.append(" as \(shown.language) HTML") }
        return address.text()
    }
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
    func readNamed(_ question: PageQuestion) throws(SourceError) {
        try read(question.answer.query.withoutOverview)
        page.nameWindow(list: mark, question: question.answer.questionMark)
    }

    /// The name of the page that a question is answered by now, empty where there is none; its rows
    /// are in the endpoint's page then.
    func readName(of question: PageQuestion) throws(SourceError) -> String {
        do {
            try readNamed(question)
            return page.windowName.text()
        } catch {
            guard error.isOfPage else { throw error }
            return ""
        }
    }

    /// What became of a page that a client holds; the page was read before.
    ///
    /// - Parameters:
    ///   - held: What the client holds; nil for what is not known any more.
    ///   - question: What the page answers.
    /// - Returns: What became of it.
    func fate(of held: WindowToken?, _ question: PageQuestion) -> PageFate {
        guard let held, held.list == mark, !page.windowName.isEmpty else { return .expired }
        // How many columns a table has depends on whether anything can be done with a row.
        let hasOtherColumns = held.traits.contains(.hasActions) != page.hasActions
        guard question.shown == nil || !hasOtherColumns else { return .expired }
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
