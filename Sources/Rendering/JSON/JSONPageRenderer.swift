package import Bytes
import ListDiff
package import Listings

/// A renderer of pages as JSON, with typed values and links.
///
/// Members always have the same order, so that equal pages have equal bytes.
package struct JSONPageRenderer: PageRenderer {
    package init() {}

    package func render(
        _ page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let layout = context.rowLayouts.json(of: page, in: context)
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                list(of: page, in: context, to: &writer)
                writer.fragment(.columns, in: context) { $0.columns(of: page) }
                writer.array("sections") { writer in
                    sections(of: page, layout, in: context, to: &writer)
                }
                location(of: page, in: context, to: &writer)
                writer.key("total")
                writer.count(page.total)
                if page.uncounted != nil { writer.member("counting", true) }
                writer.aggregates(page.aggregates, of: page)
                statistics(of: page, to: &writer)
                facets(of: page, in: context, to: &writer)
                suggestions(of: page, in: context, to: &writer)
                index(of: page, in: context, to: &writer)
                if let text = EmptyStateText(page, in: context) { emptiness(text, to: &writer) }
                if page.isStale { writer.member("stale", true) }
                links(of: page, in: context, to: &writer)
            }
        }
    }

    package func renderRow(
        of page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let layout = JSONRowLayout(page)
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.object("list") { writer in
                    writer.member("id", page.list)
                    writer.member("title", context.title)
                }
                writer.columns(of: page)
                if let id = page.sections.first?.info.id {
                    writer.object("section") { writer in
                        writer.section(0, of: page)
                        writer.object("links") { writer in
                            writer.link("self", .section(id), context)
                        }
                    }
                }
                writer.key("row")
                row(0, of: page, layout, in: context, to: &writer)
                context.related.write(to: &writer)
                if page.isStale { writer.member("stale", true) }
                writer.object("links") { writer in
                    writer.link("self", .current, context)
                    writer.link("list", .list, context)
                    writer.link("html", .alternate(.html), context)
                }
            }
        }
    }

    package func renderRowAlone(
        of page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let layout = JSONRowLayout(page)
        JSONWriter.write(to: &buffer) { row(0, of: page, layout, in: context, to: &$0) }
    }

    private func list(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        writer.object("list") { writer in
            writer.fragment(.list, in: context) { writer in
                writer.member("id", page.list)
                writer.member("title", context.title)
            }
            if page.windowName.isEmpty {
                writer.string("version") { page.writeVersion(to: &$0) }
            } else {
                writer.key("version")
                writer.plainString(page.windowName)
            }
            writer.fragment(.order, in: context) { $0.order(of: page) }
        }
    }

    private func sections(
        of page: borrowing Page,
        _ layout: JSONRowLayout,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        for index in page.sections.indices {
            writer.object { writer in
                writer.head(ofSection: index, of: page)
                writer.array("rows") { writer in
                    page.sections[index].rows.writeRows(
                        encode: { rows in
                            context.hasEmbedded
                                ? rows.lowerBound : writer.rows(rows, of: page, layout)
                        },
                        write: { row($0, of: page, layout, in: context, to: &writer) }
                    )
                }
                writer.links(ofSection: index, of: page, in: context)
            }
        }
    }

    func row(
        _ row: Int,
        of page: borrowing Page,
        _ layout: JSONRowLayout,
        in context: RenderContext,
        to writer: inout JSONWriter,
        and further: (inout JSONWriter) -> Void = { _ in }
    ) {
        writer.object { writer in
            writer.key("id")
            page.withID(ofRow: row) { writer.string($0) }
            if let code = page.failures[row] {
                writer.failure(code)
                return further(&writer)
            }
            writer.member("kind", page.kind(ofRow: row))
            if let revision = page.revision(ofRow: row) {
                writer.string("etag") { etag in
                    page.withID(ofRow: row) { id in
                        RowETag.write(id: id, revision: revision, to: &etag)
                    }
                }
            }
            var hasDisplay = false
            writer.object("cells") { writer in
                hasDisplay = writer.cells(
                    ofRow: row,
                    of: page,
                    layout,
                    context.links,
                    omitsMissing: true
                )
            }
            if hasDisplay { writer.display(ofRow: row, of: page, layout) }
            if context.hasEmbedded { context.embedded[row].write(to: &writer) }
            writer.extras(ofRow: row, of: page, in: context)
            further(&writer)
        }
    }

    func location(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        writer.object("page") { writer in
            writer.lead("\"limit\":")
            switch page.query.shape {
            case .flow(let limit), .peek(let limit, _): writer.integer(Int64(limit))
            }
            writer.lead(",\"rows\":")
            writer.integer(Int64(page.rowCount))
            writer.cursor("after", page.next, context)
            writer.cursor("before", page.previous, context)
        }
    }

    private func emptiness(_ emptiness: EmptyStateText, to writer: inout JSONWriter) {
        writer.object("empty") { writer in
            writer.member("reason", emptiness.reason.rawValue)
            writer.member("title", emptiness.title)
            writer.member("message", emptiness.message)
        }
    }

    private func index(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let index = page.sectionIndex
        guard !index.isEmpty else { return }
        let sections = page.sections
        writer.array("index") { writer in
            for entry in index {
                writer.object { writer in
                    writer.member("title", entry.title)
                    writer.member("section", entry.section)
                    writer.link("href", .section(sections[entry.section].info.id), context)
                }
            }
        }
    }

    private func links(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        writer.object("links") { writer in
            writer.fragment(.firstLinks, in: context) { writer in
                writer.link("self", .current, context)
                writer.link("first", .first, context)
                let canReverse = page.schema.abilities.contains(.reversing)
                writer.link("last", canReverse ? .last : nil, context)
            }
            writer.link("prev", page.previous.map { .before($0) }, context)
            writer.link("next", page.next.map { .after($0) }, context)
            if !page.windowName.isEmpty {
                writer.fragment(.changes, in: context) { $0.beginChanges(in: context) }
                writer.endChanges(since: page)
            }
            writer.fragment(.furtherLinks, in: context) {
                $0.furtherLinks(of: page, in: context)
            }
        }
    }
}

extension JSONPageRenderer {
    /// Appends the changes of a page as an object: stages, their rows and sections, and the page's
    /// position in the list.
    package func render(
        _ changes: PageChanges,
        of page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let layout = JSONRowLayout(page)
        let rows = changes.html.map {
            $0.context.rowLayouts.html(
                of: page,
                $0.renderer.templates,
                in: $0.context,
                $0.renderer.site.language
            )
        }
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("list", page.list)
                writer.member("from", changes.since)
                writer.string("to") { $0.append(page.windowName) }
                writer.array("stages") { writer in
                    for stage in changes.difference.stages { writer.stage(stage) }
                }
                writer.object("rows") { writer in
                    for row in changes.difference.rowsToSend {
                        writer.key(JSONKey(page.id(ofRow: row)))
                        self.row(row, of: page, layout, in: context, to: &writer) { writer in
                            guard let html = changes.html, let rows else { return }
                            writer.string("html") {
                                html.render(row, of: page, rows, to: &$0)
                            }
                        }
                    }
                }
                writer.object("sections") { writer in
                    for index in changes.difference.sectionsToSend {
                        writer.key(JSONKey(page.sections[index].info.id.rawValue))
                        writer.object { writer in
                            writer.head(ofSection: index, of: page)
                            writer.links(ofSection: index, of: page, in: context)
                            guard let html = changes.html, let rows else { return }
                            writer.string("html") {
                                html.render(section: index, of: page, rows, to: &$0)
                            }
                        }
                    }
                }
                writer.key("total")
                writer.count(page.total)
                if let html = changes.html, page.total != nil {
                    writer.string("html") { html.renderCount(of: page, to: &$0) }
                }
                location(of: page, in: context, to: &writer)
                if page.isStale { writer.member("stale", true) }
                writer.object("links") { writer in
                    writer.changes(since: page, in: context)
                    writer.link("reload", .alternate(.json), context)
                }
            }
        }
    }

    package func renderReset(in context: RenderContext, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("reason", "version-expired")
                writer.link("reload", .current, context)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func matches(_ matches: [ListDirectory.Match]) {
        array("matches") { writer in
            for match in matches {
                writer.object { writer in
                    writer.member("title", match.title)
                    if let snippet = match.snippet { writer.member("snippet", snippet.text) }
                    writer.object("links") { $0.member("self", match.address) }
                }
            }
        }
    }
}

extension JSONPageRenderer {
    package func render(_ directory: ListDirectory, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("title", directory.title)
                writer.array("lists") { writer in
                    for entry in directory.entries {
                        writer.object { writer in
                            writer.member("id", entry.name)
                            writer.member("title", entry.title)
                            if let text = entry.description { writer.member("description", text) }
                            writer.key("total")
                            writer.count(entry.count)
                            if let matches = entry.matches { writer.matches(matches) }
                            writer.object("links") { $0.member("self", entry.address) }
                        }
                    }
                }
                if !directory.failures.isEmpty {
                    writer.array("failures") { writer in
                        for failure in directory.failures {
                            writer.object { writer in
                                writer.member("source", failure.source)
                                writer.member("reason", failure.reason)
                            }
                        }
                    }
                }
                writer.object("links") { writer in
                    writer.member("self", directory.address)
                    writer.alternates(directory.alternates)
                }
            }
        }
    }

    package func render(_ schema: SchemaDocument, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.object("list") { writer in
                    writer.member("id", schema.list)
                    writer.member("title", schema.title)
                    if let text = schema.about.description { writer.member("description", text) }
                    if let text = schema.about.source { writer.member("source", text) }
                    if let text = schema.about.license { writer.member("license", text) }
                }
                writer.object("id") { $0.member("type", schema.idType.rawValue) }
                writer.array("columns") { writer in
                    for (column, operators) in zip(schema.columns, schema.operators) {
                        writer.column(column, operators: operators)
                    }
                }
                if let shown = schema.defaultColumns {
                    writer.array("show") { writer in
                        for id in shown { writer.string(id) }
                    }
                }
                writer.references(of: schema)
                writer.array("parameters") { writer in
                    for parameter in schema.parameters { writer.parameter(parameter) }
                }
                if let writing = schema.writing { writer.writing(writing, of: schema) }
                writer.object("links") { writer in
                    writer.member("self", schema.address)
                    writer.member("list", schema.listAddress)
                    writer.alternates(schema.alternates)
                }
            }
        }
    }

    /// Appends a problem in the format of RFC 9457 §3.
    package func render(_ problem: Problem, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("type", problem.type)
                writer.member("title", problem.kind.title)
                writer.member("status", problem.kind.status)
                writer.member("detail", problem.detail.description)
                if let instance = problem.instance { writer.member("instance", instance) }
                if !problem.faults.isEmpty { writer.faults(problem.faults) }
                if let order = problem.order {
                    writer.array("order") { writer in
                        for id in order { writer.string(id) }
                    }
                }
                if let row = problem.currentRow {
                    writer.key("row")
                    writer.drawn(row)
                }
                if !problem.links.isEmpty {
                    writer.object("links") { writer in
                        for link in problem.links {
                            writer.key(JSONKey(link.relation))
                            writer.string(link.address)
                        }
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func alternates(_ alternates: [Alternate]) {
        for alternate in alternates {
            key(JSONKey(alternate.format.rawValue))
            string(alternate.address)
        }
    }

    fileprivate mutating func writing(
        _ writing: SchemaDocument.Writing,
        of schema: SchemaDocument
    ) {
        object("writes") { writer in
            writer.array("required") { writer in
                for column in writing.required { writer.string(column) }
            }
            writer.member("requiresIfMatch", writing.requiresCondition)
            writer.object("links") { writer in
                writer.member("create", schema.listAddress)
                writer.member("rows", writing.rowsAddress)
                if let address = writing.importAddress { writer.member("import", address) }
            }
        }
    }

    fileprivate mutating func references(of schema: SchemaDocument) {
        guard !schema.references.isEmpty else { return }
        array("references") { writer in
            for reference in schema.references {
                writer.object { writer in
                    writer.member("name", reference.name)
                    writer.member("column", reference.column)
                    writer.member("list", reference.list)
                    writer.member("key", reference.key)
                    writer.array("labels") { writer in
                        for label in reference.labels { writer.string(label) }
                    }
                    writer.object("links") { $0.member("list", reference.address) }
                }
            }
        }
    }

    fileprivate mutating func parameter(_ parameter: SchemaDocument.Parameter) {
        object { writer in
            writer.member("name", parameter.name)
            writer.member("summary", parameter.summary.description)
            writer.member("example", parameter.example)
            if let value = parameter.defaultValue { writer.member("default", value) }
            if let maximum = parameter.maximum { writer.member("maximum", maximum) }
        }
    }

    package mutating func faults(_ faults: [Problem.Fault], _ name: StaticString = "errors") {
        array(name) { writer in
            for fault in faults { writer.fault(fault) }
        }
    }

    private mutating func fault(_ fault: Problem.Fault) {
        object { writer in
            switch fault.location {
            case .parameter(let name): writer.member("parameter", name)
            case .pointer(let pointer): writer.member("pointer", pointer)
            case .field(let name): writer.member("header", name)
            case .file(let line, let column, let field):
                writer.member("line", line)
                writer.member("column", column)
                if let field { writer.member("field", field) }
            case nil: break
            }
            writer.member("code", fault.code)
            writer.member("detail", fault.detail.description)
            if let suggestion = fault.suggestion { writer.member("suggestion", suggestion) }
            for member in fault.members {
                writer.key(JSONKey(member.name))
                writer.value(member.value)
            }
        }
    }
}

extension JSONPageRenderer {
    func facets(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let facets = page.facets
        guard !facets.isEmpty else { return }
        let query = page.query
        let schema = page.schema
        writer.array("facets") { writer in
            for facet in facets {
                writer.object { writer in
                    writer.member("column", schema.columns[facet.column].id)
                    writer.member("complete", facet.isComplete)
                    writer.array("values") { writer in
                        for value in facet.values {
                            writer.object { writer in
                                self.value(value, of: facet, page, to: &writer)
                                let choice = query.choosing(
                                    value.value,
                                    column: facet.column,
                                    of: schema
                                )
                                writer.link("href", choice, context)
                            }
                        }
                    }
                }
            }
        }
    }

    func suggestions(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        guard page.query.suggestsFacets else { return }
        guard let suggestions = context.suggestions else {
            writer.key("suggestions")
            return writer.null()
        }
        writer.array("suggestions") { writer in
            for suggestion in suggestions {
                writer.object { writer in
                    writer.member("column", suggestion.facet)
                    writer.member("label", suggestion.label)
                    writer.key("values")
                    writer.count(suggestion.values)
                    writer.link("href", .facet(suggestion.facet), context)
                }
            }
        }
    }

    private func value(
        _ value: Facet.Value,
        of facet: Facet,
        _ page: borrowing Page,
        to writer: inout JSONWriter
    ) {
        writer.key("value")
        writer.value(value.value)
        let texts = PageLanguage.english.texts
        let label = texts.label(of: value.value, inColumn: facet.column, of: page)
        writer.member("label", label)
        writer.key("count")
        if let count = value.count { writer.integer(Int64(count.value)) } else { writer.null() }
        if value.count?.relation == .atLeast { writer.member("relation", "gte") }
        let isSelected = page.query.selects(value.value, column: facet.column, page.schema)
        writer.member("selected", isSelected)
    }
}

extension ListQuery {
    func selects(_ value: CellValue, column: Int, _ schema: ListSchema) -> Bool {
        filters.contains { schema.column(of: $0) == column && $0.selects(value) }
    }

    func choosing(_ value: CellValue, column: Int, of schema: ListSchema) -> PageLink {
        let others = filters.filter { schema.column(of: $0) != column }
        let isChosen = selects(value, column: column, schema)
        let all = isChosen ? others : others + [.showing(value, column: column, of: schema)]
        return .narrowed(all, search)
    }

    func dropping(_ filter: Filter) -> PageLink {
        .narrowed(filters.filter { $0 != filter }, search)
    }
}

extension JSONPageRenderer {
    package func render(_ progress: ProgressDocument, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("list", progress.list)
                writer.member("state", progress.state.rawValue)
                writer.object("rows") { writer in
                    writer.member("read", progress.rows.read)
                    writer.member("inserted", progress.rows.inserted)
                    writer.member("replaced", progress.rows.replaced)
                    writer.member("unchanged", progress.rows.unchanged)
                    writer.member("refused", progress.rows.refused)
                }
                writer.object("bytes") { writer in
                    writer.member("read", progress.bytes)
                    writer.member("total", progress.totalBytes)
                }
                if let rate = progress.rowsPerSecond { writer.member("rowsPerSecond", rate) }
                if let seconds = progress.secondsLeft { writer.member("secondsLeft", seconds) }
                if let detail = progress.detail { writer.member("detail", detail.description) }
                if !progress.columns.isEmpty { writer.preview(of: progress) }
                writer.faults(progress.faults, "faults")
                writer.object("links") { writer in
                    writer.member("self", progress.address)
                    writer.member("list", progress.listAddress)
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func preview(of progress: ProgressDocument) {
        array("columns") { writer in
            for column in progress.columns {
                writer.object { writer in
                    writer.member("name", column.name)
                    if let label = column.label { writer.member("label", label) }
                    if let type = column.type { writer.member("type", type.rawValue) }
                }
            }
        }
    }
}
