import Bytes
import Database
import HTTP
import Listings
import Rendering

/// A request for something of a list, understood.
///
/// What all answers to it have in common is made once: see ``KnownQuestions``.
final class ListAnswer {
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
    let links: KnownLinks
    /// What the Link field says of them.
    private(set) lazy var linkField = PageLinkField(
        links,
        alternates: target.formats.filter { $0 != representation.format }
    )
    /// Whether it is the same for whoever asks, and often asked.
    private(set) lazy var isForAll = makeIsForAll()
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
        let links = ListLinks(
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
        self.links = KnownLinks(links)
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

    private func makeContext() -> ListingContext {
        let context = ListingContext(
            title: target.endpoint.definition.title,
            links: links,
            groupings: target.endpoint.groupings,
            layout: layout
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

    private func makeIsForAll() -> Bool {
        switch target.place {
        case .list, .section, .sections: query.scope.isEmpty && query.expanded.isEmpty
        case .row, .children, .schema, .changes: false
        }
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
        case .sections, .row, .children, .schema, .changes: false
        }
    }
}

extension Service {
    /// Shows what is asked for, or says that the client has it already, before any row is read.
    func show(
        _ answer: ListAnswer,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        let endpoint = answer.target.endpoint
        switch answer.target.place {
        case .row(let id): return try showRow(id, answer, request, with: &response)
        case .schema: return showSchema(answer, with: &response)
        case .list, .section, .sections, .children, .changes: break
        }
        // A page tells its own version: it is asked for before only where nothing may be read then.
        let isConditional = answer.notices.isEmpty && request.field(.ifNoneMatch) != nil
        if isConditional || answer.isExport {
            let version = try endpoint.reader.version()
            let tag = answer.entityTag(version, isStale: endpoint.reader.isStale)
            if isConditional, isKnown(tag, request) {
                addFields(for: answer.representation, to: &response)
                response.addField(.etag) { tag.write(into: &$0) }
                return sayNotModified(with: &response)
            }
            if answer.isExport { return try showExport(answer, tag, with: &response) }
        }
        let tag = try showPage(answer, with: &response)
        guard answer.notices.isEmpty, endpoint.page.isWhole else { return }
        let version = endpoint.page.version
        shown = ShownPage(
            tag: tag,
            state: PageCache.State(endpoint: endpoint, version: version, trace: trace.again)
        )
    }

    /// Says that the client has the state already; what describes content is left out of such an
    /// answer (RFC 9110 §15.4.5).
    private func sayNotModified(with response: inout HTTPResponse) {
        response.status = .notModified
        response.removeField(.contentType)
    }

    /// Whether the client has the state that a tag names.
    func isKnown(_ tag: EntityTag, _ request: borrowing HTTPRequest) -> Bool {
        guard let field = request.field(.ifNoneMatch) else { return false }
        return CodedTag.known(field, of: tag) != nil
    }

    /// Shows the page that is asked for.
    ///
    /// - Returns: Its tag.
    private func showPage(
        _ answer: ListAnswer,
        with response: inout HTTPResponse
    ) throws -> EntityTag {
        let endpoint = answer.target.endpoint
        let start = ContinuousClock.now
        try endpoint.read(answer.shownQuery)
        let end = ContinuousClock.now
        let duration = end - start
        note(endpoint.page, after: duration, counting: answer.query.counting)
        if answer.isFollowed {
            endpoint.page.nameWindow(list: endpoint.mark, question: answer.questionMark)
        }
        let context = answer.context(duration: Int(duration / .microseconds(1)))
        let tag = answer.entityTag(endpoint.page.version, isStale: endpoint.page.isStale)
        if answer.notices.isEmpty {
            addFields(for: answer.representation, to: &response)
            response.addField(.etag) { tag.write(into: &$0) }
        } else {
            // What is said once is not to be said again from a cache.
            addFields(for: answer.representation, caching: "no-store", to: &response)
        }
        addLinks(answer, next: endpoint.page.next, previous: endpoint.page.previous, to: &response)
        if answer.followsPreference {
            let applied = "count=\(answer.query.counting.rawValue)"
            response.addField("Preference-Applied", applied)
        }
        if let rows = rowRenderer(for: answer.representation.format) {
            rows.renderStart(of: endpoint.page, to: &response.body)
            rows.renderRows(of: endpoint.page, to: &response.body)
        } else {
            draw(answer.representation.format, into: &response) {
                $0.render(endpoint.page, in: context, to: &$1)
            }
        }
        trace.counting = endpoint.page.countingTime
        trace.drawing = ContinuousClock.now - end
        return tag
    }

    private func showExport(
        _ answer: ListAnswer,
        _ tag: EntityTag,
        with response: inout HTTPResponse
    ) throws {
        guard let renderer = rowRenderer(for: answer.representation.format) else { return }
        let stream = ExportStream(answer.query, of: answer.target.endpoint, with: renderer, workers)
        // The first rows are read now, so that what cannot be read is a problem and not a table
        // that breaks off.
        try stream.prepare()
        addFields(for: answer.representation, to: &response)
        response.addField(.etag) { tag.write(into: &$0) }
        addLinks(answer, next: nil, previous: nil, to: &response)
        response.stream = stream
        response.waitsForPieces = true
    }

    private func rowRenderer(for format: PageFormat) -> (any RowRenderer)? {
        switch format {
        case .csv: CSVRowRenderer(formulas: options.formulas)
        case .ndjson: NDJSONRowRenderer()
        case .html, .json: nil
        }
    }

    private func showRow(
        _ id: String,
        _ answer: ListAnswer,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        let endpoint = answer.target.endpoint
        guard try endpoint.readRow(id) else {
            throw Refusal(
                problem: noRow(id, in: endpoint.definition),
                suffix: answer.representation.suffix
            )
        }
        guard endpoint.page.link(ofRow: 0) != .closed else {
            throw Refusal(
                problem: problem(.forbidden, "Row '\(id)' cannot be opened."),
                suffix: answer.representation.suffix
            )
        }
        endpoint.page.show(columns: answer.query.columns)
        let tag = rowTag(of: endpoint.page, answer)
        addFields(for: answer.representation, to: &response)
        response.addField(.etag) { tag.write(into: &$0) }
        if isKnown(tag, request) { return sayNotModified(with: &response) }
        draw(answer.representation.format, into: &response) {
            $0.renderRow(of: endpoint.page, in: answer.context(), to: &$1)
        }
    }

    /// Names a representation of a row: strongly the whole row as JSON, by its revision, so that a
    /// write can ask for it (RFC 9110 §13.1.1); weakly what is drawn from it.
    private func rowTag(of page: borrowing Page, _ answer: ListAnswer) -> EntityTag {
        guard let revision = page.revision(ofRow: 0) else {
            return answer.entityTag(page.version, isStale: page.isStale)
        }
        var quoted = ByteBuffer(minimumCapacity: 64)
        page.withID(ofRow: 0) { RowETag.write(id: $0, revision: revision, to: &quoted) }
        let opaque = String(quoted.text().dropFirst().dropLast())
        guard answer.representation.format != .json || answer.query.columns != nil else {
            return EntityTag(opaque, isWeak: false)
        }
        return EntityTag("\(opaque)-\(answer.addressHash)", isWeak: true)
    }
}

extension PageFormat {
    /// Whether rows are sent one after the other, with nothing around them.
    fileprivate var isTable: Bool {
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
