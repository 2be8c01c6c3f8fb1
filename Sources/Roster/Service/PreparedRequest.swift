import Bytes
import Database
import HTTP
import Listings
import Rendering

/// A request for a part of a list, after its path, parameters and negotiation were read.
///
/// The ``ResponseCache`` keeps it for requests of the same key.
final class PreparedRequest {
    /// The trace of the request before its list is read.
    var trace = RequestTrace()
    /// The scope of its caller; see ``Caller/scope``.
    var callerScope: UInt64 = 0
    let target: ListTarget
    let representation: Representation
    let query: ListQuery
    /// The question as pages for people ask it, who are shown more than they asked for.
    let shownQuery: ListQuery
    /// How a page shows the rows.
    let layout: PageLayout
    /// The parameters as they were sent.
    let sent: [QueryItems.Item]
    /// Names the program and the files it draws pages with.
    let fingerprint: String
    /// The language that pages for people are in.
    let language: PageLanguage
    /// What came of the action that led here, said once.
    var notices: [String] = []
    /// Whether rows are counted as the client prefers, rather than as the address asks.
    let followsPreference: Bool
    /// The addresses around the answer.
    let links: CachedLinks
    /// A fingerprint of the question, the format and the program.
    private(set) lazy var addressHash = makeAddressHash()
    /// A number that names the question, in whatever format it is answered.
    private(set) lazy var questionMark = makeQuestionMark()
    /// The tag made last, and what it names.
    private var knownTag: (version: ListVersion, isStale: Bool, tag: EntityTag)?
    /// Whether the rows are in the list's own order and all of them are there, so that they may be
    /// moved.
    private lazy var isInListOrder = makeIsInListOrder()
    /// What the renderers need to know that does not change with the list.
    private lazy var ownContext = makeContext()

    init(
        addresses: Address,
        target: ListTarget,
        representation: Representation,
        query: ListQuery,
        layout: PageLayout = .table,
        sent: [QueryItems.Item],
        fingerprint: String,
        language: PageLanguage,
        followsPreference: Bool = false
    ) {
        self.target = target
        self.representation = representation
        self.query = query
        shownQuery =
            representation.format == .html && target.place != .sections
            ? query.shown(of: target.endpoint.schema) : query
        self.layout = layout
        self.sent = sent
        self.fingerprint = fingerprint
        self.language = language
        self.followsPreference = followsPreference
        let isTable = representation.format.isTable
        let isExport = isTable && query.isExported(sent)
        var links = ListLinks(
            addresses: addresses,
            list: target.endpoint.definition.name,
            schema: target.endpoint.schema,
            place: target.place,
            query: query,
            cursorKeys: target.endpoint.cursorKeys,
            suffix: representation.suffix,
            format: representation.format,
            namesLimit: isTable && !isExport,
            segment: target.endpoint.segment,
            layout: layout
        )
        links.linksCells = target.endpoint.cellReader != nil
        self.links = CachedLinks(links)
    }

    /// What the renderers need to know besides the page that is drawn next.
    ///
    /// - Parameter duration: How long its rows took to read, in microseconds; nil where that is not
    ///   said.
    /// - Returns: The one context of the answer, as it is to be for that page.
    func context(duration: Int? = nil) -> ListingContext {
        let context = ownContext
        // Nothing else shows people how to move rows.
        if representation.format == .html {
            context.canMove = isInListOrder && target.endpoint.actingReader?.offersMoves ?? false
        }
        context.notices = notices
        context.duration = duration
        return context
    }

    /// Keeps the fragments of pages from here on, as the request comes again.
    func keepFragments() { ownContext.keepFragments() }

    private func makeContext() -> ListingContext {
        let context = ListingContext(
            title: target.endpoint.definition.title,
            links: links,
            groupings: target.endpoint.groupings,
            layout: layout,
            rowLayouts: target.endpoint.rowLayouts
        )
        context.layouts = PageLayout.allCases
        context.segments = segments
        if target.isWritable {
            context.isWritable = true
            if target.place == .list { context.newRowAddress = links.links.newRowAddress }
        }
        context.parent = query.parent
        context.isRefreshable = target.endpoint.refreshableReader != nil
        context.canCollapse = target.accepted.contains(.folding)
        context.collapsed = query.collapsed
        return context
    }

    private func makeIsInListOrder() -> Bool {
        target.place == .list && query.parent == nil && !query.isNarrowed && query.scope.isEmpty
            && query.sort == target.endpoint.schema.defaultSort
            && query.grouping == target.endpoint.schema.defaultGrouping
    }

    /// The lists that stand under the address.
    private var segments: [ListingContext.Segment] {
        let endpoint = target.endpoint
        return target.segments.enumerated().map { position, segment in
            let id = position == 0 ? nil : segment.id
            let address = links.links.address(ofSegment: id)
            return .init(segment.title, address: address, isCurrent: id == endpoint.segment)
        }
    }

    /// Whether all rows are asked for, as a table or line by line.
    var isExport: Bool { representation.format.isTable && query.isExported(sent) }

    /// Names this representation of a state of the list (RFC 9110 §8.8.1: weak, as equal tags
    /// promise the same rows and not the same bytes).
    ///
    /// Rows that are out of date say so, which is another representation of the same state.
    func entityTag(_ version: ListVersion, isStale: Bool) -> EntityTag {
        if let known = knownTag, known.version == version, known.isStale == isStale {
            return known.tag
        }
        let opaque = "\(version)-\(addressHash)\(isStale ? "-stale" : "")"
        let tag = EntityTag(opaque, isWeak: true)
        knownTag = (version, isStale, tag)
        return tag
    }

    /// Whether it is worth keeping: pages of rows are requested again, single rows rarely.
    var isReusable: Bool {
        switch target.place {
        case .list, .section, .sections: query.expanded.isEmpty
        case .row, .children, .cell, .schema, .changes: false
        }
    }

    /// Whether a request of the same key is understood alike: by callers of one scope, as long as the
    /// list has the same definition.
    func holds(for scope: UInt64) -> Bool {
        scope == callerScope && !target.endpoint.isRetired
    }

    private func makeAddressHash() -> String {
        var address = ByteBuffer()
        links.write(.current, to: &address)
        var mark = Mark()
        mark.add(address)
        mark.add(representation.format.rawValue)
        if representation.format == .html { mark.add(language.rawValue) }
        mark.add(mark: target.endpoint.mark)
        addCaller(to: &mark)
        // A new program may draw the same rows otherwise.
        mark.add(fingerprint)
        return String(mark.value, radix: 16)
    }

    /// What is shown depends on what who asks may see and do.
    private func addCaller(to mark: inout Mark) {
        for filter in query.scope { mark.add("\(filter)") }
        if target.endpoint.writer != nil, !target.isWritable { mark.add("read-only") }
    }

    private func makeQuestionMark() -> UInt32 {
        var address = ByteBuffer()
        links.write(.changes, to: &address)
        var mark = Mark()
        mark.add(address)
        for filter in query.scope { mark.add("\(filter)") }
        return mark.value
    }

    /// Whether what is shown can be followed: rows of the list, page by page.
    var isFollowed: Bool {
        switch target.place {
        case .list, .section: !representation.format.isTable && target.endpoint.reader.canBeFollowed
        case .sections, .row, .children, .cell, .schema, .changes: false
        }
    }
}

extension PageFormat {
    /// Whether rows are sent one after the other, with nothing around them.
    var isTable: Bool {
        switch self {
        case .html, .json: false
        case .csv, .ndjson: true
        }
    }
}

extension ListQuery {
    /// The question with what pages for people show besides.
    fileprivate func shown(of schema: ListSchema) -> ListQuery {
        var query = self
        query.wantsLetters = true
        if query.facets.isEmpty, let grouping = schema.defaultGrouping,
            schema.columns[grouping.column].isFacet, grouping.part == .value
        {
            query.facets = [grouping.column]
        }
        return query
    }

    /// Whether a table of the answers has all rows, by the parameters as they were sent.
    fileprivate func isExported(_ sent: [QueryItems.Item]) -> Bool {
        shape.pagesRows && start.leadsToTheEnd && !sent.contains { $0.name == "limit" }
    }
}

extension ListQuery.Start {
    /// Whether everything from here on can be asked for: a page before a position, or one with a
    /// number, is one page.
    fileprivate var leadsToTheEnd: Bool {
        switch self {
        case .beginning, .after, .letter: true
        case .before, .offset: false
        }
    }
}
