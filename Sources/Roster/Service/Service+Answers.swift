import Bytes
import Database
import HTTP
import Listings
import Rendering
import System

extension Service {
    /// Responds with the requested part of a list, or with 304 before any row is read.
    func show(
        _ answer: PreparedRequest,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        let endpoint = answer.target.endpoint
        switch answer.target.place {
        case .row(let id): return try showRow(id, answer, request, with: &response)
        case .schema: return showSchema(answer, with: &response)
        case .list, .section, .sections, .children, .cell, .changes: break
        }
        // A page brings its version; only conditional requests and exports read it beforehand.
        let isConditional = answer.notices.isEmpty && request.field(.ifNoneMatch) != nil
        if isConditional || answer.isExport || request.hasField(.ifMatch) {
            let version = try endpoint.reader.version()
            let tag = answer.entityTag(version, isStale: endpoint.reader.isStale)
            try requireMatch(tag, request, answer)
            if isConditional, isKnown(tag, request) {
                addFields(for: answer.representation, to: &response)
                response.addField(.etag) { tag.write(into: &$0) }
                return sayNotModified(with: &response)
            }
            if answer.isExport { return try showExport(answer, tag, with: &response) }
        }
        let tag = try showPage(answer, with: &response)
        guard options.pageCacheBytes > 0, answer.notices.isEmpty, endpoint.page.isCacheable else {
            return
        }
        cacheable = CacheableResponse(
            tag: tag,
            endpoint: endpoint,
            version: endpoint.page.version,
            trace: trace.again
        )
    }

    /// Refuses a request whose If-Match names another state (RFC 9110 §13.1.1).
    ///
    /// - Throws: ``Refusal``, 412.
    private func requireMatch(
        _ tag: EntityTag,
        _ request: borrowing HTTPRequest,
        _ answer: PreparedRequest
    ) throws(Refusal) {
        guard let field = request.field(.ifMatch),
            EntityTagCondition(parsing: field)?.matchesStrongly(tag) != true
        else { return }
        let detail =
            tag.isWeak
            ? "If-Match compares strong tags, and the tag here is weak: only * holds."
            : "The state is another one than If-Match names."
        throw Refusal(
            problem: problem(.preconditionFailed, detail),
            suffix: answer.representation.suffix
        )
    }

    /// Responds with 304, without fields that describe content (RFC 9110 §15.4.5).
    func sayNotModified(with response: inout HTTPResponse) {
        response.status = .notModified
        response.removeField(.contentType)
    }

    /// Whether the client has the state that a tag names.
    func isKnown(_ tag: EntityTag, _ request: borrowing HTTPRequest) -> Bool {
        guard let field = request.field(.ifNoneMatch) else { return false }
        return CodedTag.known(field, of: tag) != nil
    }

    /// Responds with the requested page.
    ///
    /// - Returns: The entity tag of the page.
    private func showPage(
        _ answer: PreparedRequest,
        with response: inout HTTPResponse
    ) throws -> EntityTag {
        let endpoint = answer.target.endpoint
        // One borrow of the page avoids an exclusivity check for each later access.
        return try show(&endpoint.page, of: endpoint, answer, with: &response)
    }

    private func show(
        _ page: inout Page,
        of endpoint: ServedList,
        _ answer: PreparedRequest,
        with response: inout HTTPResponse
    ) throws -> EntityTag {
        let start = MonotonicTime.now
        try endpoint.read(answer.shownQuery, into: &page)
        let reading = start.age
        let tag = show(&page, answer, readIn: reading, with: &response)
        trace.drawing = start.age - reading
        return tag
    }

    private func show(
        _ page: inout Page,
        _ answer: PreparedRequest,
        readIn nanoseconds: Int,
        with response: inout HTTPResponse
    ) -> EntityTag {
        note(page, after: nanoseconds, counting: answer.query.counting)
        let context = answer.context(duration: nanoseconds / 1_000)
        if answer.isFollowed {
            page.nameWindow(list: answer.target.endpoint.mark, question: answer.questionMark)
        }
        let tag = answer.entityTag(page.version, isStale: page.isStale)
        if answer.notices.isEmpty {
            addFields(for: answer.representation, to: &response)
            response.addField(.etag) { tag.write(into: &$0) }
        } else {
            // A notice is shown once, so that its page must not be cached.
            addFields(for: answer.representation, caching: "no-store", to: &response)
        }
        addLinks(answer, next: page.next, previous: page.previous, to: &response)
        if answer.followsPreference {
            let applied = "count=\(answer.query.counting.rawValue)"
            response.addField("Preference-Applied", applied)
        }
        if let rows = rowRenderer(for: answer) {
            rows.renderStart(of: page, to: &response.body)
            rows.renderRows(of: page, to: &response.body)
        } else {
            draw(answer.representation.format, into: &response) {
                $0.render(page, in: context, to: &$1)
            }
        }
        trace.counting = page.countingTime.map { Int($0 / .nanoseconds(1)) }
        return tag
    }

    private func showExport(
        _ answer: PreparedRequest,
        _ tag: EntityTag,
        with response: inout HTTPResponse
    ) throws {
        guard let renderer = rowRenderer(for: answer) else { return }
        let stream = ExportStream(answer.query, of: answer.target.endpoint, with: renderer, workers)
        // The first rows are read now, so that a read error is a problem instead of a broken
        // export.
        try stream.prepare()
        addFields(for: answer.representation, to: &response)
        response.addField(.etag) { tag.write(into: &$0) }
        addLinks(answer, next: nil, previous: nil, to: &response)
        response.stream = stream
        response.waitsForPieces = true
    }

    private func rowRenderer(for answer: PreparedRequest) -> (any RowRenderer)? {
        switch answer.representation.format {
        case .csv: CSVRowRenderer(formulas: options.formulas)
        case .ndjson: NDJSONRowRenderer(links: answer.links.links)
        case .html, .json: nil
        }
    }

    private func showRow(
        _ id: String,
        _ answer: PreparedRequest,
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
        try requireMatch(tag, request, answer)
        addFields(for: answer.representation, to: &response)
        response.addField(.etag) { tag.write(into: &$0) }
        if isKnown(tag, request) { return sayNotModified(with: &response) }
        draw(answer.representation.format, into: &response) {
            $0.renderRow(of: endpoint.page, in: answer.context(), to: &$1)
        }
    }

    /// Returns the entity tag of a row.
    ///
    /// The whole row as JSON has a strong tag, which writes can name in If-Match (RFC 9110
    /// §13.1.1). All other representations have weak tags.
    private func rowTag(of page: borrowing Page, _ answer: PreparedRequest) -> EntityTag {
        guard let tag = tag(ofRowOf: page) else {
            return answer.entityTag(page.version, isStale: page.isStale)
        }
        guard answer.representation.format != .json || answer.query.columns != nil else {
            return tag
        }
        return EntityTag("\(tag.opaque)-\(answer.addressHash)", isWeak: true)
    }

    /// Returns the strong tag of the page's row; nil where rows have no revisions.
    func tag(ofRowOf page: borrowing Page) -> EntityTag? {
        guard let revision = page.revision(ofRow: 0) else { return nil }
        var quoted = ByteBuffer(minimumCapacity: 64)
        page.withID(ofRow: 0) { RowETag.write(id: $0, revision: revision, to: &quoted) }
        return EntityTag(String(quoted.text().dropFirst().dropLast()), isWeak: false)
    }
}
