import Bytes
import HTTP
import Listings
import Rendering

enum RowHandler {
    static func respond(_ id: String, _ prepared: PreparedRequest, in call: inout Call) throws {
        let endpoint = prepared.target.endpoint
        guard try endpoint.readRow(id) else { throw call.noRow(id, in: endpoint.definition) }
        guard endpoint.page.link(ofRow: 0) != .closed else {
            throw Problem(.forbidden, "Row '\(id)' cannot be opened.")
        }
        let order = prepared.renderedQuery.displayOrder
        endpoint.page.show(columns: prepared.query.columns, inOrder: order)
        try endpoint.label(&endpoint.page, prepared.query.lookups)
        let isPage = prepared.representation.format == .html
        // A client that chooses columns gets only these.
        var related =
            prepared.query.columns == nil
            ? try call.relatedRows(of: endpoint, withCells: isPage) : []
        if isPage,
            let changes = try HistoryHandler.entries(ofRow: id, of: endpoint, in: call)
        {
            related.append(changes)
        }
        DocumentFields.add(for: prepared, to: &call.response)
        // The revision does not name labels, embedded rows and related rows.
        let isAlone =
            prepared.query.lookups.isEmpty && related.isEmpty
            && prepared.query.embedding == nil
        if isAlone {
            let tag = rowTag(of: endpoint.page, prepared, call.addresses)
            call.response.addField(.etag) { tag.write(into: &$0) }
            if CodedTag.isKnown(tag, to: call.request) { return call.response.setNotModified() }
        }
        prepared.embedded = try endpoint.embedded(
            prepared.query.embedding?.lists ?? [],
            inRowsOf: endpoint.page,
            call.addresses
        )
        let renderContext = prepared.context()
        renderContext.related = related
        renderContext.wayBack = wayBack(of: call, to: endpoint)
        call.render(prepared.representation.format) {
            $0.renderRow(of: endpoint.page, in: renderContext, to: &$1)
        }
        guard !isAlone, prepared.isWholeRow else { return }
        var content = FNV1a()
        content.add(call.response.body)
        content.add(mark: prepared.request.isPretty ? 1 : 0)
        let tag =
            EntityTag.ofRow(of: endpoint.page)?.with("\(content.value)")
            ?? EntityTag("\(content.value)", isWeak: true)
        call.response.addField(.etag) { tag.write(into: &$0) }
    }

    /// The query of the page that the request comes from, to which forms return; else empty.
    private static func wayBack(of call: borrowing Call, to endpoint: ServedList) -> String {
        let path = call.addresses.list(endpoint.definition.name)
        guard let sender = call.request.field(.referer), let mark = sender.firstIndex(of: "?"),
            sender[..<mark].hasSuffix(path), !sender.contains("notice=")
        else { return "" }
        return String(sender[mark...])
    }

    /// The whole row as JSON has a strong tag, which writes name in If-Match (RFC 9110 §13.1.1).
    private static func rowTag(
        of page: borrowing Page,
        _ prepared: PreparedRequest,
        _ addresses: Address
    ) -> EntityTag {
        guard let tag = EntityTag.ofRow(of: page) else {
            return prepared.entityTag(page.version, isStale: page.isStale)
        }
        guard prepared.isWholeRow else {
            return EntityTag("\(tag.opaque)-\(prepared.addressHash)", isWeak: true)
        }
        // Links in the row have the prefix and the suffix of its address.
        let isPlain =
            addresses == .root && prepared.representation.suffix == nil
            && !prepared.request.isPretty
        return isPlain ? tag : tag.with(prepared.addressHash)
    }

    static func respondWithCell(in call: inout Call) throws {
        let (id, name) = (FormatSuffix.name(ofInner: call.captures[1]), call.captures[2])
        let endpoint = try call.requireEndpoint(call.captures[0])
        let target = ListResource(endpoint, .cell(id, column: name), in: call)
        let parameters = ListParameters(call.request, at: target)
        guard parameters.errors.isEmpty else {
            throw call.problem(of: parameters, target)
        }
        guard let column = endpoint.schema.index(of: name) else {
            throw noColumn(name, of: endpoint, call.addresses)
        }
        var bytes: [UInt8]?
        guard try endpoint.readRow(id, bytesOf: column, &bytes) else {
            throw call.noRow(id, in: endpoint.definition)
        }
        guard endpoint.page.link(ofRow: 0) != .closed else {
            throw Problem(.forbidden, "Row '\(id)' cannot be opened.")
        }
        let value = endpoint.page.value(row: 0, column: column)
        guard !value.isNull, value.kind != .bytes || bytes != nil else {
            let what = value.isNull ? "no value" : "bytes that cannot be read"
            throw Problem(.notFound, "Row '\(id)' has \(what) in column '\(name)'.")
        }
        call.response.addField(.cacheControl, "no-cache" as StaticString)
        call.response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        call.response.addField(.vary, "Accept-Encoding" as StaticString)
        if let tag = EntityTag.ofRow(of: endpoint.page) {
            call.response.addField(.etag) { tag.write(into: &$0) }
            if CodedTag.isKnown(tag, to: call.request) { return call.response.setNotModified() }
        }
        if value.kind == .bytes {
            let file = "\(endpoint.definition.name)-\(id)-\(name)".inFileName
            call.response.addField(.contentType, "application/octet-stream" as StaticString)
            call.response.addField(.contentDisposition, "attachment; filename=\"\(file).bin\"")
            call.response.body.append(bytes ?? [])
        } else {
            call.response.addField(.contentType, "text/plain; charset=utf-8" as StaticString)
            call.response.body.append(value.plainText)
        }
    }

    private static func noColumn(
        _ name: String,
        of endpoint: ServedList,
        _ addresses: Address
    ) -> Problem {
        let list = endpoint.definition.name
        let near = Suggestion.nearest(to: name, among: endpoint.schema.columns.map(\.id))
        let hint: Text = near.map { "; the nearest is '\($0)'" } ?? ""
        let address = addresses.schema(of: list)
        let link = Problem.Link("schema", label: "All columns", address: address)
        return Problem(.notFound, "No column '\(name)' in \(list)" + hint + ".", links: [link])
    }
}

extension EntityTag {
    /// Returns the strong tag of the page's row; nil where rows have no revisions.
    fileprivate static func ofRow(of page: borrowing Page) -> EntityTag? {
        guard let revision = page.revision(ofRow: 0) else { return nil }
        return page.withID(ofRow: 0) { row($0, revision: revision) }
    }
}
