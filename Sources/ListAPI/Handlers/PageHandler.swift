import Bytes
import Database
import HTTP
import Listings
import Rendering
import System

/// Responds with pages and exports of rows.
struct PageHandler {
    let service: Service
    private var rows: RowHandler { RowHandler() }
    private var changes: ChangesHandler { ChangesHandler(service: service) }
    private var schemas: SchemaHandler { SchemaHandler(service: service) }

    func respond(
        to request: borrowing HTTPRequest,
        at route: Route,
        _ captures: RouteCaptures,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        if route == .view, FormatSuffix(captures[1]).name == "narrow" {
            return try redirectToPage(captures, request, in: &context, with: &response)
        }
        let target = try ListResource(at: route, captures, request, in: &context)
        if target.place == .changes {
            return try changes.respond(to: request, at: target, in: &context, with: &response)
        }
        let choice = try context.choose(among: target.formats, suffix: target.suffix, request)
        var parameters = ListParameters(request, at: target)
        let reader = EmbeddingReader(
            service.relations,
            of: target.endpoint.definition.name,
            for: context.caller
        )
        let parsed = ListRequest(parsing: &parameters, at: target, as: choice, embedding: reader)
        guard let parsed else { throw context.problem(of: parameters, request, target) }
        let prepared = context.prepare(
            parsed,
            of: target,
            sent: parameters.sent,
            followsPreference: parameters.followsPreference
        )
        let notice = choice.format == .html ? parameters.notice : nil
        if let notice { prepared.notices = service.options.notices.texts(of: notice) }
        (prepared.trace, prepared.callerScope) = (context.trace.again, context.callerScope)
        if let id = parsed.around {
            return try redirect(toPageAround: id, prepared, request, in: &context, with: &response)
        }
        try respond(prepared, request, in: &context, with: &response)
        if let notice { service.options.notices.remove(notice) }
        if parameters.notice == nil, prepared.isReusable { context.prepared = prepared }
    }

    func respond(
        again prepared: PreparedRequest,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        prepared.keepFragments()
        context.trace = prepared.trace
        context.language = prepared.language
        let endpoint = prepared.target.endpoint
        endpoint.view = context.caller?.view(of: endpoint.definition.name) ?? ListView()
        try respond(prepared, request, in: &context, with: &response)
        context.prepared = prepared
    }

    private func respond(
        _ prepared: PreparedRequest,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        do {
            switch prepared.target.place {
            case .row(let id):
                try rows.respond(id, prepared, request, in: &context, with: &response)
            case .schema: schemas.respond(prepared, in: context, with: &response)
            case .list, .section, .sections, .children, .cell, .changes:
                try respondWithRows(prepared, request, in: &context, with: &response)
            }
        } catch let error as SourceError {
            throw try problem(of: error, prepared, request, in: context)
        }
        if prepared.request.isPretty {
            response.body = JSONIndentation.lines(of: response.body)
        }
    }

    private func respondWithRows(
        _ prepared: PreparedRequest,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let endpoint = prepared.target.endpoint
        // A page brings its version; only conditional requests and exports read it beforehand.
        let isConditional = prepared.notices.isEmpty && request.field(.ifNoneMatch) != nil
        let others = try endpoint.versions(of: prepared.query)
        if isConditional || prepared.request.isExport {
            let version = try endpoint.reader.version()
            let tag = prepared.entityTag(version, others, isStale: endpoint.reader.isStale)
            if isConditional, CodedTag.isKnown(tag, to: request) {
                DocumentFields.add(for: prepared, to: &response)
                response.addField(.etag) { tag.write(into: &$0) }
                return response.setNotModified()
            }
            if prepared.request.isExport {
                let tag = endpoint.isUnnamed(version) ? nil : tag
                return try export(prepared, tag, in: context, with: &response)
            }
        }
        // One borrow of the page avoids an exclusivity check for each later access.
        let tag = try readAndRender(
            &endpoint.page,
            prepared,
            labelledBy: others,
            in: &context,
            with: &response
        )
        // The cache compares the version of one list.
        guard service.options.pageCacheBytes > 0, prepared.notices.isEmpty, others.isEmpty,
            endpoint.page.isCacheable, !endpoint.page.isUnfinished, prepared.suggestions != nil
        else { return }
        context.cacheable = CacheableResponse(
            tag: tag,
            list: endpoint.definition.name,
            segment: endpoint.segment,
            version: endpoint.page.version,
            trace: context.trace.again
        )
    }

    /// Reads the requested page, and renders it.
    ///
    /// - Returns: The entity tag of the page.
    private func readAndRender(
        _ page: inout Page,
        _ prepared: PreparedRequest,
        labelledBy others: [ListVersion],
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws(SourceError) -> EntityTag {
        let start = MonotonicTime.now
        try prepared.target.endpoint.read(prepared.renderedQuery, into: &page)
        if let lists = prepared.query.embedding?.lists {
            let endpoint = prepared.target.endpoint
            prepared.embedded = try endpoint.embedded(lists, inRowsOf: page, context.addresses)
        }
        let reading = start.age
        if let sample = prepared.sample {
            prepared.suggestions = try prepared.target.endpoint.suggestedFacets(
                of: sample,
                page.version,
                isHint: !prepared.query.suggestsFacets
            )
        }
        context.trace.note(page, after: reading, counting: prepared.query.counting)
        // Only workers finish counts later.
        if context.loop != nil { page.uncounted = nil }
        context.uncounted = page.uncounted.map { query in
            let endpoint = prepared.target.endpoint
            return UncountedPage(
                list: endpoint.definition.name,
                segment: endpoint.segment,
                query: query
            )
        }
        let tag = render(
            &page,
            prepared,
            labelledBy: others,
            in: context,
            with: &response
        )
        context.trace.counting = page.countingTime.map { Int($0 / .nanoseconds(1)) }
        context.trace.rendering = start.age - reading
        return tag
    }

    private func render(
        _ page: inout Page,
        _ prepared: PreparedRequest,
        labelledBy others: [ListVersion],
        in context: borrowing RequestContext,
        with response: inout HTTPResponse
    ) -> EntityTag {
        let renderContext = prepared.context()
        if prepared.isFollowed {
            page.nameWindow(list: prepared.target.endpoint.mark, question: prepared.queryHash)
        }
        let tag = prepared.entityTag(page.version, others, isStale: page.isStale)
        let isComplete =
            !page.isUnfinished && prepared.suggestions != nil
            && !prepared.target.endpoint.isUnnamed(page.version)
        if prepared.notices.isEmpty, isComplete {
            DocumentFields.add(for: prepared, to: &response)
            response.addField(.etag) { tag.write(into: &$0) }
        } else {
            // A notice is shown once, counts follow, and rows may change, so that the page must not
            // be cached.
            DocumentFields.add(for: prepared, caching: "no-store", to: &response)
        }
        LinkField.add(prepared, next: page.next, previous: page.previous, to: &response)
        if prepared.followsPreference {
            let applied = "count=\(prepared.query.counting.rawValue)"
            response.addField("Preference-Applied", applied)
        }
        let splitsSections =
            page.schema.isGrouped(page.query)
            && page.sections.count <= XLSXRowRenderer.maximumSections
        if prepared.request.shape != nil, let total = page.total {
            response.addField("X-Total-Count", "\(total.value)")
            if total.relation != .exact {
                response.addField("X-Total-Relation", total.relation.rawValue)
            }
        }
        if var rows = rowRenderer(for: prepared, splitsSections: splitsSections) {
            addDisposition(of: prepared, to: &response)
            rows.renderStart(of: page, to: &response.body)
            rows.renderRows(of: page, to: &response.body)
            rows.renderEnd(to: &response.body)
        } else {
            context.render(prepared.representation.format, into: &response) {
                $0.render(page, in: renderContext, to: &$1)
            }
        }
        return tag
    }

    private func export(
        _ prepared: PreparedRequest,
        _ tag: EntityTag?,
        in context: borrowing RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let endpoint = prepared.target.endpoint
        let splitsSections =
            try prepared.representation.format == .xlsx && endpoint.fitsSheets(prepared.query)
        guard let renderer = rowRenderer(for: prepared, splitsSections: splitsSections) else {
            return
        }
        let stream = ExportStream(
            prepared.query,
            of: endpoint,
            with: renderer,
            // The loop itself reads lists in memory.
            context.loop != nil && endpoint.isImmediate ? nil : context.lists.workers
        )
        // The first rows are read now, so that a read error is a problem instead of a broken
        // export.
        try stream.prepare()
        DocumentFields.add(for: prepared, caching: tag == nil ? "no-store" : nil, to: &response)
        if let tag { response.addField(.etag) { tag.write(into: &$0) } }
        LinkField.add(prepared, next: nil, previous: nil, to: &response)
        addDisposition(of: prepared, to: &response)
        response.stream = stream
        response.waitsForPieces = true
    }

    private func rowRenderer(
        for prepared: PreparedRequest,
        splitsSections: Bool
    ) -> (any RowRenderer)? {
        if let shape = prepared.request.shape {
            return JSONRowsRenderer(shape, links: prepared.links)
        }
        var rendering = RowRendering()
        rendering.formulas = service.options.formulas
        rendering.hasByteOrderMark = prepared.request.hasByteOrderMark
        rendering.splitsSections = splitsSections
        rendering.links = prepared.links
        rendering.deflate = ZipWriter.deflated
        return prepared.representation.format.rowRenderer(rendering)
    }

    private func addDisposition(of prepared: PreparedRequest, to response: inout HTTPResponse) {
        guard prepared.representation.format.isTable else { return }
        let name = prepared.target.endpoint.definition.name
        let suffix = prepared.representation.format.rawValue
        response.addField(.contentDisposition, ContentDisposition.attachment(name, suffix: suffix))
    }

    /// Returns the problem of a request whose target is missing.
    ///
    /// - Throws: The other errors.
    private func problem(
        of error: SourceError,
        _ prepared: PreparedRequest,
        _ request: borrowing HTTPRequest,
        in context: borrowing RequestContext
    ) throws(SourceError) -> Problem {
        let target = prepared.target
        var parameters = ListParameters(request, at: target)
        parameters.readRequest()
        guard parameters.errors.isEmpty else {
            return context.problem(of: parameters, request, target)
        }
        let cursor = parameters.has(.before) ? "before" : "after"
        switch error {
        case .unknownSection(let id): parameters.refuse(.unknownSection(id))
        case .invalidCursor: parameters.refuse(.invalidCursor(cursor))
        case .expiredCursor: parameters.refuse(.expiredCursor(cursor))
        case .unknownRow(let id):
            return context.noRow(id, in: target.endpoint.definition)
        default: throw error
        }
        return context.problem(of: parameters, request, target)
    }

    private func redirect(
        toPageAround id: String,
        _ prepared: PreparedRequest,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        do throws(SourceError) {
            let start = try prepared.target.endpoint.start(around: id, of: prepared.query)
            var link = PageLink.first
            if case .after(let cursor) = start { link = .after(cursor) }
            var address = ByteBuffer()
            prepared.links.write(link, to: &address)
            // Browsers scroll to the row.
            address.append("#r-")
            PercentEncoding.encode(id, for: .pathSegment, into: &address)
            response.status = .seeOther
            response.addField(.location, address.text())
            response.addField(.cacheControl, "no-cache" as StaticString)
        } catch {
            throw try problem(of: error, prepared, request, in: context)
        }
    }

    /// Redirects a form of a page to the list with the parameters that its fields stand for.
    ///
    /// Forms also send empty fields, which the list would refuse.
    private func redirectToPage(
        _ captures: RouteCaptures,
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let suffix = FormatSuffix(captures[1]).format
        let endpoint = try context.requireEndpoint(captures[0], request)
        let target = ListResource(endpoint, .list, suffix, in: context)
        let parameters = ListParameters(request, at: target, accepted: [])
        guard !parameters.errors.contains(where: { $0.code == "malformed-encoding" }) else {
            throw context.problem(of: parameters, request, target)
        }
        let name = endpoint.definition.name
        let shown = suffix ?? (FormatSuffix(name).format == nil ? nil : .html)
        let path = context.addresses.list(shown.map { "\(name).\($0.rawValue)" } ?? name)
        let items = ToolbarItems(parameters.sent, endpoint.schema, context.language).items
        response.status = .seeOther
        response.addField(.location, SuggestedURL.make(path: path, items: items))
        response.addField(.cacheControl, "no-cache" as StaticString)
    }
}

extension CodedTag {
    /// Whether a client has the state that a tag names.
    static func isKnown(_ tag: EntityTag, to request: borrowing HTTPRequest) -> Bool {
        guard let field = request.field(.ifNoneMatch) else { return false }
        return known(field, of: tag) != nil
    }
}

extension RequestContext {
    /// Refuses to read a state that If-Match does not name (RFC 9110 §13.1.1).
    ///
    /// - Throws: 412.
    func requireMatch(
        _ request: borrowing HTTPRequest,
        of response: inout HTTPResponse
    ) throws(Problem) {
        guard let field = request.field(.ifMatch), response.deferral == nil,
            response.status.code < 300 || response.status == .notModified
        else { return }
        let tag = response.field(.etag)
        switch EntityTagCondition(parsing: field) {
        case .any: return
        case .tags(let tags): if tags.contains(where: { !$0.isWeak && $0.value == tag }) { return }
        case nil: break
        }
        response.reset()
        let detail =
            tag?.hasPrefix("\"") == true
            ? "The state is another one than If-Match names."
            : "If-Match compares strong tags, and there is none here: only * holds."
        throw Problem(.preconditionFailed, detail)
    }
}
