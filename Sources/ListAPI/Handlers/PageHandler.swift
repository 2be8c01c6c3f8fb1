import Bytes
import Database
import HTTP
import Listings
import Rendering
import System

enum PageHandler {
    static func respond(to call: inout Call) throws {
        if call.route == .view, FormatSuffix(call.captures[1]).name == "narrow" {
            return try redirectToPage(in: &call)
        }
        let target = try ListResource(in: &call)
        if target.place == .changes {
            return try ChangesHandler.respond(to: &call, at: target)
        }
        let choice = try call.choose(among: target.formats, suffix: target.suffix)
        var parameters = ListParameters(call.request, at: target)
        let reader = EmbeddingReader(
            call.service.relations,
            of: target.endpoint.definition.name,
            for: call.caller
        )
        let parsed = ListRequest(parsing: &parameters, at: target, as: choice, embedding: reader)
        guard let parsed else { throw call.problem(of: parameters, target) }
        let prepared = call.prepare(
            parsed,
            of: target,
            sent: parameters.sent,
            followsPreference: parameters.followsPreference
        )
        let notice = choice.format == .html ? parameters.notice : nil
        if let notice { prepared.notices = call.service.options.notices.notices(of: notice) }
        (prepared.trace, prepared.callerScope) = (call.trace.again, call.callerScope)
        if let id = parsed.around {
            return try redirect(toPageAround: id, prepared, in: &call)
        }
        try respond(prepared, in: &call)
        if let notice { call.service.options.notices.remove(notice) }
        if parameters.notice == nil, prepared.isReusable { call.prepared = prepared }
    }

    static func respond(again prepared: PreparedRequest, in call: inout Call) throws {
        prepared.keepFragments()
        call.trace = prepared.trace
        call.language = prepared.language
        let endpoint = prepared.target.endpoint
        endpoint.view = call.caller.view(of: endpoint.definition.name)
        try respond(prepared, in: &call)
        call.prepared = prepared
    }

    private static func respond(_ prepared: PreparedRequest, in call: inout Call) throws {
        do {
            switch prepared.target.place {
            case .row(let id):
                try RowHandler.respond(id, prepared, in: &call)
            case .schema: SchemaHandler.respond(prepared, in: &call)
            case .list, .section, .sections, .children, .cell, .changes:
                try respondWithRows(prepared, in: &call)
            }
        } catch let error as SourceError {
            throw try problem(of: error, prepared, in: call)
        }
        if prepared.request.isPretty {
            call.response.body = JSONIndentation.lines(of: call.response.body)
        }
    }

    private static func respondWithRows(_ prepared: PreparedRequest, in call: inout Call) throws {
        let endpoint = prepared.target.endpoint
        // A page brings its version; only conditional requests and exports read it beforehand.
        let isConditional =
            prepared.notices.texts.isEmpty && call.request.field(.ifNoneMatch) != nil
        let others = try endpoint.versions(of: prepared.query)
        if isConditional || prepared.request.isExport {
            let version = try endpoint.reader.version()
            let tag = prepared.entityTag(version, others, isStale: endpoint.reader.isStale)
            if isConditional, CodedTag.isKnown(tag, to: call.request) {
                DocumentFields.add(for: prepared, to: &call.response)
                call.response.addField(.etag) { tag.write(into: &$0) }
                return call.response.setNotModified()
            }
            if prepared.request.isExport {
                let tag = endpoint.isUnnamed(version) ? nil : tag
                return try export(prepared, tag, in: &call)
            }
        }
        // One borrow of the page avoids an exclusivity check for each later access.
        let tag = try readAndRender(&endpoint.page, prepared, labelledBy: others, in: &call)
        // The cache compares the version of one list.
        guard call.service.options.pageCacheBytes > 0, prepared.notices.texts.isEmpty,
            others.isEmpty,
            endpoint.page.isCacheable, !endpoint.page.isUnfinished, prepared.suggestions != nil
        else { return }
        call.cacheable = CacheableResponse(
            tag: tag,
            list: endpoint.definition.name,
            segment: endpoint.segment,
            version: endpoint.page.version,
            trace: call.trace.again
        )
    }

    private static func readAndRender(
        _ page: inout Page,
        _ prepared: PreparedRequest,
        labelledBy others: [ListVersion],
        in call: inout Call
    ) throws(SourceError) -> EntityTag {
        let start = MonotonicTime.now
        try prepared.target.endpoint.read(prepared.renderedQuery, into: &page)
        if let lists = prepared.query.embedding?.lists {
            let endpoint = prepared.target.endpoint
            prepared.embedded = try endpoint.embedded(lists, inRowsOf: page, call.addresses)
        }
        let reading = start.age
        if let sample = prepared.sample {
            prepared.suggestions = try prepared.target.endpoint.suggestedFacets(
                of: sample,
                page.version,
                isHint: !prepared.query.suggestsFacets
            )
        }
        call.trace.note(page, after: reading, counting: prepared.query.counting)
        // Only workers finish counts later.
        if call.loop != nil { page.uncounted = nil }
        call.uncounted = page.uncounted.map { query in
            let endpoint = prepared.target.endpoint
            return UncountedPage(
                list: endpoint.definition.name,
                segment: endpoint.segment,
                query: query
            )
        }
        let tag = render(&page, prepared, labelledBy: others, in: &call)
        call.trace.counting = page.countingTime.map { Int($0 / .nanoseconds(1)) }
        call.trace.rendering = start.age - reading
        return tag
    }

    private static func render(
        _ page: inout Page,
        _ prepared: PreparedRequest,
        labelledBy others: [ListVersion],
        in call: inout Call
    ) -> EntityTag {
        let renderContext = prepared.context()
        if prepared.isFollowed {
            page.nameWindow(list: prepared.target.endpoint.mark, query: prepared.queryHash)
        }
        let tag = prepared.entityTag(page.version, others, isStale: page.isStale)
        let isComplete =
            !page.isUnfinished && prepared.suggestions != nil
            && !prepared.target.endpoint.isUnnamed(page.version)
        if prepared.notices.texts.isEmpty, isComplete {
            DocumentFields.add(for: prepared, to: &call.response)
            call.response.addField(.etag) { tag.write(into: &$0) }
        } else {
            // A notice is shown once, counts follow, and rows may change, so that the page must not
            // be cached.
            DocumentFields.add(for: prepared, caching: "no-store", to: &call.response)
        }
        LinkField.add(prepared, next: page.next, previous: page.previous, to: &call.response)
        if prepared.followsPreference {
            let applied = "count=\(prepared.query.counting.rawValue)"
            call.response.addField("Preference-Applied", applied)
        }
        let splitsSections =
            page.schema.isGrouped(page.query)
            && page.sections.count <= XLSXRowRenderer.maximumSections
        if prepared.request.shape != nil, let total = page.total {
            call.response.addField("X-Total-Count", "\(total.value)")
            if total.relation != .exact {
                call.response.addField("X-Total-Relation", total.relation.rawValue)
            }
        }
        if var rows = rowRenderer(for: prepared, call.service, splitsSections: splitsSections) {
            addDisposition(of: prepared, to: &call.response)
            rows.renderStart(of: page, to: &call.response.body)
            rows.renderRows(of: page, to: &call.response.body)
            rows.renderEnd(to: &call.response.body)
        } else {
            call.render(prepared.representation.format) {
                $0.render(page, in: renderContext, to: &$1)
            }
        }
        return tag
    }

    private static func export(
        _ prepared: PreparedRequest,
        _ tag: EntityTag?,
        in call: inout Call
    ) throws {
        let endpoint = prepared.target.endpoint
        let splitsSections =
            try prepared.representation.format == .xlsx && endpoint.fitsSheets(prepared.query)
        guard
            let renderer = rowRenderer(for: prepared, call.service, splitsSections: splitsSections)
        else {
            return
        }
        let stream = ExportStream(
            prepared.query,
            of: endpoint,
            with: renderer,
            // The loop itself reads lists in memory.
            call.loop != nil && endpoint.isImmediate ? nil : call.lists.workers
        )
        // The first rows are read now, so that a read error is a problem instead of a broken
        // export.
        try stream.prepare()
        DocumentFields.add(
            for: prepared,
            caching: tag == nil ? "no-store" : nil,
            to: &call.response
        )
        if let tag { call.response.addField(.etag) { tag.write(into: &$0) } }
        LinkField.add(prepared, next: nil, previous: nil, to: &call.response)
        addDisposition(of: prepared, to: &call.response)
        call.response.stream = stream
        call.response.waitsForPieces = true
    }

    private static func rowRenderer(
        for prepared: PreparedRequest,
        _ service: Service,
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

    private static func addDisposition(
        of prepared: PreparedRequest,
        to response: inout HTTPResponse
    ) {
        guard prepared.representation.format.isTable else { return }
        let name = prepared.target.endpoint.definition.name
        let suffix = prepared.representation.format.rawValue
        response.addField(.contentDisposition, ContentDisposition.attachment(name, suffix: suffix))
    }

    /// Throws the errors of other requests than those whose target is missing.
    private static func problem(
        of error: SourceError,
        _ prepared: PreparedRequest,
        in call: borrowing Call
    ) throws(SourceError) -> Problem {
        let target = prepared.target
        var parameters = ListParameters(call.request, at: target)
        parameters.readRequest()
        guard parameters.errors.isEmpty else {
            return call.problem(of: parameters, target)
        }
        let cursor = parameters.has(.before) ? "before" : "after"
        switch error {
        case .unknownSection(let id): parameters.refuse(.unknownSection(id))
        case .invalidCursor: parameters.refuse(.invalidCursor(cursor))
        case .expiredCursor: parameters.refuse(.expiredCursor(cursor))
        case .unknownRow(let id):
            return call.noRow(id, in: target.endpoint.definition)
        default: throw error
        }
        return call.problem(of: parameters, target)
    }

    private static func redirect(
        toPageAround id: String,
        _ prepared: PreparedRequest,
        in call: inout Call
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
            call.response.redirect(to: address.text(), caching: "no-cache")
        } catch {
            throw try problem(of: error, prepared, in: call)
        }
    }

    /// Forms also send empty fields, which the list would refuse.
    private static func redirectToPage(in call: inout Call) throws {
        let suffix = FormatSuffix(call.captures[1]).format
        let endpoint = try call.requireEndpoint(call.captures[0])
        let target = ListResource(endpoint, .list, suffix, in: call)
        let parameters = ListParameters(call.request, at: target, accepted: [])
        guard !parameters.errors.contains(where: { $0.code == "malformed-encoding" }) else {
            throw call.problem(of: parameters, target)
        }
        let name = endpoint.definition.name
        let shown = suffix ?? (FormatSuffix(name).format == nil ? nil : .html)
        let path = call.addresses.list(shown.map { "\(name).\($0.rawValue)" } ?? name)
        let items = ToolbarItems(parameters.sent, endpoint.schema, call.language).items
        let address = SuggestedURL.make(path: path, items: items)
        call.response.redirect(to: address, caching: "no-cache")
    }
}

extension CodedTag {
    static func isKnown(_ tag: EntityTag, to request: borrowing HTTPRequest) -> Bool {
        guard let field = request.field(.ifNoneMatch) else { return false }
        return known(field, of: tag) != nil
    }
}

extension Call {
    /// Refuses to read a state that If-Match does not name (RFC 9110 §13.1.1).
    mutating func requireMatch() throws(Problem) {
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
        let detail: Text =
            tag?.hasPrefix("\"") == true
            ? "The state is another one than If-Match names."
            : "If-Match compares strong tags, and there is none here: only * holds."
        throw Problem(.preconditionFailed, detail)
    }
}
