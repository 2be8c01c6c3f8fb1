package import Bytes
package import Listings

/// A renderer of pages as HTML that works without scripts, because all actions are links or forms.
package final class HTMLPageRenderer: PageRenderer {
    let site: SiteAssets
    let templates: TemplateSet
    private let live: HTMLMarkup
    var texts: PageText { site.texts }

    package init(site: SiteAssets, templates: TemplateSet = TemplateSet()) {
        self.site = site
        self.templates = templates
        live = HTMLMarkup(in: site.language) { HTMLKeys.live(to: &$0) }
    }

    package func render(
        _ page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let caption =
            context.parent.map { texts("Below \($0)") }
            ?? texts.caption(context.title, page.query, page.schema)
        let emptiness = EmptyStateText(page, in: context, texts)
        HTMLDocument(
            site: site,
            title: caption,
            steps: steps(of: context),
            hasList: emptiness == nil || !page.sections.isEmpty,
            context: context
        ).write(
            to: &buffer,
            head: { writer in
                writer.relation("prev", page.previous.map { .before($0) }, context)
                writer.relation("next", page.next.map { .after($0) }, context)
                writer.fragment(.alternateRelations, in: context) {
                    $0.alternateRelations(context.alternates)
                }
            },
            main: { writer in
                writer.heading(of: page, in: context)
                if context.parent == nil { HTMLAbout(context.about).write(to: &writer) }
                writer.staleness(of: page, in: context)
                for notice in context.notices.texts {
                    writer.element("<p class=\"note\" role=\"status\">", notice, "")
                    if let address = context.notices.addedRow {
                        writer.markup(" · ")
                        writer.link(writer.texts("Show"), to: address)
                    }
                    writer.markup("</p>\n")
                }
                writer.segments(context.segments)
                if context.parent == nil, page.emptyState == nil {
                    writer.toolbar(of: page, in: context)
                }
                HTMLStatistics(page)?.write(to: &writer, in: context)
                if !page.facets.isEmpty {
                    writer.markup("<div class=\"sides\">\n")
                    HTMLFacets(context: context).write(of: page, to: &writer)
                    writer.markup("<div>\n")
                }
                if let emptiness { writer.emptiness(emptiness, of: page, in: context) }
                // Permanent sections are shown even if they have no rows.
                if emptiness == nil || !page.sections.isEmpty {
                    let layout = context.rowLayouts.html(
                        of: page,
                        templates,
                        in: context,
                        site.language
                    )
                    switch context.layout {
                    case .table: writer.table(of: page, layout, caption: caption, in: context)
                    case .grid, .board: writer.grid(of: page, layout, in: context)
                    }
                }
                writer.pageLinks(of: page, in: context)
                if !page.facets.isEmpty { writer.markup("</div></div>\n") }
                writer.markup(live)
            },
            footer: { writer in
                if context.isWritable, let notice = texts.databaseNotice(of: context.about) {
                    writer.element("<p>", notice, "</p>")
                }
            }
        )
    }
}

extension HTMLPageRenderer {
    private func steps(of context: RenderContext) -> [HTMLDocument.Step] {
        guard let parent = context.parent else {
            return [HTMLDocument.Step(title: context.title, address: nil)]
        }
        var address = ByteBuffer()
        context.links.writeRow(parent.utf8.span, to: &address)
        return [
            HTMLDocument.Step(title: context.title, address: context.address(of: .list)),
            HTMLDocument.Step(title: parent, address: address.text()),
            HTMLDocument.Step(title: texts("Below"), address: nil),
        ]
    }
}

extension HTMLWriter {
    fileprivate mutating func relation(
        _ name: StaticString,
        _ link: PageLink?,
        _ context: RenderContext
    ) {
        guard let link else { return }
        markup("<link rel=\"")
        markup(name)
        markup("\"")
        href(link, context)
        markup(">\n")
    }

    mutating func alternateRelations(_ alternates: [Alternate]) {
        for alternate in alternates {
            markup("<link rel=\"alternate\" type=\"")
            markup(alternate.format.mediaType)
            markup("\"")
            attribute("href", alternate.address)
            markup(">\n")
        }
    }

    fileprivate mutating func heading(of page: borrowing Page, in context: RenderContext) {
        let title = context.parent.map { texts("Below \($0)") } ?? context.title
        element("<div class=\"head\"><h1>", title, "</h1>")
        count(of: page, in: context)
        markup("<span id=\"live\" hidden=\"hidden\"></span><div class=\"ways\">")
        if let address = context.newRowAddress {
            markup("<a class=\"btn go\"")
            attribute("href", address)
            markup(">")
            HTMLIcon.add.write(to: &self)
            element("", texts("Add"), "</a>")
        }
        if context.isRefreshable {
            markup("<form method=\"post\"")
            attribute("action", context.address(of: .refresh))
            element("><button class=\"btn\">", texts("Refresh"), "</button></form>")
        }
        if let address = context.previewAddress { ImportForm.write(to: address, &self) }
        fragment(.alternates, in: context) { $0.formats(in: context) }
        markup("</div></div>\n")
    }

    /// Appends the menus of the other formats: files for people, and the rest for developers.
    private mutating func formats(in context: RenderContext) {
        let files: Set<PageFormat> = [.csv, .xlsx]
        beginMenu(texts("Export"), icon: .export)
        markup("<ul>")
        formats(context.alternates.filter { files.contains($0.format) })
        markup("</ul>")
        endMenu()
        markup("<details class=\"menu\" name=\"view\"><summary")
        attribute("aria-label", texts("More"))
        markup(">⋯</summary><div><p class=\"n\">API</p><ul>")
        formats(context.alternates.filter { !files.contains($0.format) })
        markup("<li>")
        link(texts("Columns and parameters"), to: .schema, context)
        markup("</li><li class=\"own\">")
        markup("<button id=\"help\" class=\"btn\" disabled=\"disabled\">")
        element("", texts("Keys"), "</button></li></ul></div>")
        endMenu()
    }

    private mutating func formats(_ alternates: [Alternate]) {
        for alternate in alternates {
            markup("<li>")
            link(to: alternate)
            markup("</li>")
        }
    }

    mutating func count(of page: borrowing Page, in context: RenderContext) {
        let counting = page.query.counting
        let isUncounted = page.total == nil && page.rowCount > 0 && counting != .off
        guard page.total != nil || isUncounted || page.uncounted != nil else { return }
        markup("<p id=\"count\"")
        if page.uncounted != nil { markup(" data-counting") }
        let missing =
            page.uncounted != nil ? texts("Still counting") : texts("Counting took too long")
        element(">", page.total.map(texts.rows) ?? missing, "")
        if page.uncounted != nil, page.total != nil { element(" · ", missing, "") }
        if counting != .exact, isUncounted || page.total.map({ $0.relation != .exact }) ?? false {
            markup(" · ")
            link(texts("count all"), to: .counted(.exact), context)
        }
        // A list with one section shows its aggregates below the rows.
        let isOne = page.sections.count == 1 && page.sections[0].info.key == .whole
        let aggregates = isOne ? "" : texts.aggregates(page.aggregates, of: page)
        if !aggregates.isEmpty { element(" · ", aggregates, "") }
        markup("</p>")
    }

    mutating func staleness(of page: borrowing Page, in context: RenderContext) {
        if page.isStale {
            element(
                "<p class=\"stale\" role=\"status\">",
                texts("These rows may be out of date: their source cannot be read now."),
                "</p>\n"
            )
        }
        if context.isWritable { editNotice(of: context.about) }
    }

    mutating func editNotice(of about: ListAbout) {
        guard let text = texts.editNotice(of: about) else { return }
        element("<p class=\"n\">", text, "</p>\n")
    }

    fileprivate mutating func emptiness(
        _ emptiness: EmptyStateText,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        element("<div class=\"empty\" role=\"status\"><h2>", emptiness.title, "</h2>")
        let takesRows = emptiness.reason == .noData && context.newRowAddress != nil
        var message = emptiness.message
        if takesRows, page.emptyState == nil {
            message = texts(
                context.previewAddress == nil
                    ? "Add the first row."
                    : "Add the first row, or import a file with the button above."
            )
        }
        element("<p>", message, "</p>")
        switch emptiness.reason {
        case .noData:
            if let address = context.newRowAddress {
                markup("<a class=\"btn go\"")
                attribute("href", address)
                element(">", texts("Add"), "</a>")
            } else if context.suggestsWrites, page.emptyState == nil {
                let example = "roster \(page.list)=people.csv --allow-anonymous-writes"
                element("<pre><code>", example, "</code></pre>")
            }
        case .noMatch:
            // The first page of a query without rows would be this page itself.
            let hasStart = page.query.start != .beginning
            if page.query.isNarrowed, !hasStart {
                actionLink(texts("Show all rows"), .narrowed([], nil), in: context)
            } else {
                actionLink(texts("Back to the start"), hasStart ? .first : .list, in: context)
            }
        case .loading, .failed:
            actionLink(texts("Load again"), .current, in: context)
        }
        markup("</div>\n")
    }

    private mutating func actionLink(_ label: String, _ link: PageLink, in context: RenderContext) {
        markup("<p><a class=\"btn\"")
        href(link, context)
        element(">", label, "</a></p>")
    }

    fileprivate mutating func segments(_ segments: [RenderContext.Segment]) {
        guard segments.count > 1 else { return }
        markup("<nav class=\"view\"")
        attribute("aria-label", texts("Lists under this address"))
        markup(">")
        for segment in segments {
            markup("<a class=\"btn\"")
            attribute("href", segment.address)
            if segment.isCurrent { markup(" aria-current=\"true\"") }
            element(">", segment.title, "</a>")
        }
        markup("</nav>\n")
    }

    fileprivate mutating func pageLinks(of page: borrowing Page, in context: RenderContext) {
        guard page.startsLater || page.next != nil else { return }
        markup("<nav class=\"pages\"")
        attribute("aria-label", texts("Pages"))
        markup(">")
        if let first = page.firstRowNumber(in: context) {
            let last = first + page.rowCount - page.rowsBelowCount - 1
            var range = "\(texts.number(first))–\(texts.number(last))"
            if let total = page.total { range = texts("\(range) of \(texts.count(total))") }
            element("<span class=\"n\">", range, "</span> ")
        }
        step(page.startsLater ? .first : nil, "first", texts("First"), context)
        step(page.previousLink(in: context), "prev", texts("Previous"), context)
        let count = page.pageCount
        if page.hasPageNumbers, count ?? .max > 2 {
            beginForm("", keeping: .first, context)
            element("<label>", texts("Page"), " <input type=\"number\" name=\"page\" min=\"1\"")
            if let count { attribute("max", "\(count)") }
            if let number = page.pageNumber(in: context) { attribute("value", "\(number)") }
            markup("></label></form>")
        }
        step(page.nextLink(in: context), "next", texts("Next"), context)
        // A database would pass over all rows before a late page with a number.
        let isEarly = page.total.map { $0.value <= ListQuery.countCap } ?? false
        let last = count.flatMap { isEarly ? PageLink.page($0) : nil } ?? .last
        let canReverse = page.schema.abilities.contains(.reversing)
        step(canReverse ? page.next.map { _ in last } : nil, "last", texts("Last"), context)
        markup("</nav>\n")
    }

    private mutating func step(
        _ link: PageLink?,
        _ relation: StaticString,
        _ label: String,
        _ context: RenderContext
    ) {
        guard let link else {
            return element("<span class=\"btn\" aria-disabled=\"true\">", label, "</span>")
        }
        markup("<a class=\"btn\" rel=\"")
        markup(relation)
        markup("\"")
        href(link, context)
        element(">", label, "</a>")
    }
}

extension Page {
    /// Returns the number of the page's first row among all rows, from 1, or nil if it is unknown.
    ///
    /// Behind a cursor it is the number that the link knew, unless the page is the first or last.
    fileprivate func firstRowNumber(in context: RenderContext) -> Int? {
        guard case .flow = query.shape, rowCount > 0 else { return nil }
        let count = rowCount - rowsBelowCount
        if case .offset(let offset) = query.start { return offset + 1 }
        if !startsLater { return 1 }
        if next == nil, let total, total.relation == .exact { return total.value - count + 1 }
        let first: Int? =
            switch query.start {
            case .beginning, .end, .offset, .letter: nil
            case .after: context.rowsBefore.map { $0 + 1 }
            case .before: context.rowsBefore.map { $0 - count + 1 }
            }
        return first.flatMap { $0 > 0 ? $0 : nil }
    }

    fileprivate var startsLater: Bool {
        previous != nil
            || (query.start.cursor != nil && !schema.abilities.contains(.reversing))
    }

    fileprivate func nextLink(in context: RenderContext) -> PageLink? {
        let first = firstRowNumber(in: context)
        return next.map { .after($0, rows: first.map { $0 + rowCount - rowsBelowCount - 1 }) }
    }

    fileprivate func previousLink(in context: RenderContext) -> PageLink? {
        let first = firstRowNumber(in: context)
        return previous.map { .before($0, rows: first.map { $0 - 1 }) }
    }

    fileprivate var hasPageNumbers: Bool {
        if case .flow = query.shape { schema.abilities.contains(.skipping) } else { false }
    }

    fileprivate var pageCount: Int? {
        guard case .flow(let limit) = query.shape, let total, total.relation == .exact else {
            return nil
        }
        return (total.value + limit - 1) / limit
    }

    fileprivate func pageNumber(in context: RenderContext) -> Int? {
        guard case .flow(let limit) = query.shape, let first = firstRowNumber(in: context),
            first % limit == 1 || limit == 1
        else { return nil }
        return (first - 1) / limit + 1
    }
}

extension HTMLPageRenderer {
    package func render(_ schema: SchemaDocument, to buffer: inout ByteBuffer) {
        let title = texts("\(schema.title): columns and parameters")
        HTMLDocument(
            site: site,
            title: title,
            steps: [
                HTMLDocument.Step(title: schema.title, address: schema.listAddress),
                HTMLDocument.Step(title: texts("Columns and parameters"), address: nil),
            ]
        ).write(
            to: &buffer,
            head: { $0.alternateRelations(schema.alternates) },
            main: { writer in
                writer.element("<div class=\"head\"><h1>", title, "</h1></div>\n")
                HTMLSchema(schema: schema).writeColumns(to: &writer)
                HTMLSchema(schema: schema).writeParameters(to: &writer)
                if let writing = schema.writing {
                    writer.element("<h2>", texts("Writing"), "</h2>\n<p>")
                    writer.element("", self.text(of: writing, schema.listAddress), "</p>\n")
                }
            },
            footer: { $0.alternates(schema.alternates, of: texts("Columns and parameters")) }
        )
    }

    private func text(of writing: SchemaDocument.Writing, _ list: String) -> String {
        var sentences = [
            texts(
                "POST \(list) creates a row, PUT, PATCH and DELETE \(list)/ID replace, change and "
                    + "remove one, POST \(writing.rowsAddress) takes an array of rows."
            )
        ]
        if !writing.required.isEmpty {
            let required = writing.required.joined(separator: ", ")
            sentences.append(texts("Every row needs \(required)."))
        }
        if writing.requiresCondition {
            sentences.append(texts("A change names the row's entity tag in If-Match."))
        }
        return sentences.joined(separator: " ")
    }

    package func render(_ problem: Problem, to buffer: inout ByteBuffer) {
        let translated = texts.translation(of: Text(problem.kind.title))
        let title = translated ?? problem.kind.title
        HTMLDocument(
            site: site,
            title: title,
            steps: [HTMLDocument.Step(title: title, address: nil)],
            hasEnglishTitle: translated == nil
        ).write(
            to: &buffer,
            main: { $0.problem(problem, home: site.directory) },
            footer: { writer in
                writer.element("<p>", texts("Status \(problem.kind.status)"), "</p>")
                guard let instance = problem.instance else { return }
                writer.element("<p>", texts("Request"), " <code>")
                writer.element("", instance, "</code></p>")
            }
        )
    }
}

private struct HTMLSchema {
    let schema: SchemaDocument

    func writeColumns(to writer: inout HTMLWriter) {
        let texts = writer.texts
        start(
            texts("Columns"),
            [texts("Name"), texts("Label"), texts("Type"), texts("Sortable"), texts("Groupable")],
            to: &writer
        )
        for column in schema.columns {
            writer.element("<tr><th scope=\"row\"><code>", column.id, "</code></th>")
            writer.element("<td>", column.label, "")
            if let text = column.notes.description {
                writer.element("<br><small>", text, "</small>")
            }
            writer.markup("</td>")
            writer.element("<td><code>", column.type.rawValue, "</code>")
            if let format = column.format {
                writer.element(" <small><code>", format.text, "</code></small>")
            }
            for reference in schema.references where reference.column == column.id {
                writer.markup(" → ")
                writer.link(reference.list, to: reference.address)
            }
            writer.markup("</td>")
            writer.element("<td>", texts.word(column.isSortable), "</td>")
            writer.element("<td>", texts.word(column.isGroupable), "</td></tr>\n")
        }
        writer.markup("</tbody></table></div>\n")
    }

    func writeParameters(to writer: inout HTMLWriter) {
        let texts = writer.texts
        start(
            texts("Parameters"),
            [
                texts("Name"), texts("Example"), texts("Meaning"), texts("Default"),
                texts("Maximum"),
            ],
            to: &writer
        )
        for parameter in schema.parameters {
            writer.element("<tr><th scope=\"row\"><code>", parameter.name, "</code></th>")
            writer.element("<td><code>", parameter.example, "</code></td>")
            writer.translation("<td", of: parameter.summary, "</td>")
            writer.markup("<td>")
            if let value = parameter.defaultValue { writer.element("<code>", value, "</code>") }
            writer.markup("</td>")
            let maximum = parameter.maximum.map { texts.number($0) } ?? ""
            writer.element("<td>", maximum, "</td></tr>\n")
        }
        writer.markup("</tbody></table></div>\n")
    }

    private func start(_ title: String, _ labels: [String], to writer: inout HTMLWriter) {
        writer.element("<h2>", title, "</h2>\n<div class=\"wide\" role=\"region\" tabindex=\"0\"")
        writer.attribute("aria-label", title)
        writer.markup("><table class=\"plain\">")
        writer.element("<caption class=\"vh\">", title, "</caption>\n<thead><tr>")
        for label in labels { writer.element("<th scope=\"col\">", label, "</th>") }
        writer.markup("</tr></thead>\n<tbody>\n")
    }
}

extension HTMLWriter {
    fileprivate mutating func problem(_ problem: Problem, home: String) {
        markup("<div class=\"head\">")
        translation("<h1", of: Text(problem.kind.title), "</h1></div>\n")
        let detail = problem.pageDetail ?? problem.detail
        translation("<p class=\"lead\"", of: detail, "</p>\n")
        faults(problem.faults)
        let links =
            problem.links.isEmpty ? [.init("home", label: "Lists", address: home)] : problem.links
        markup("<p class=\"ways\">")
        for link in links {
            markup(" <a class=\"btn\"")
            attribute("href", link.address)
            translation("", of: link.label, "</a>")
        }
        markup("</p>\n")
    }

    mutating func faults(_ faults: [Problem.Fault]) {
        guard !faults.isEmpty else { return }
        markup("<ul class=\"faults\">\n")
        for fault in faults { self.fault(fault) }
        markup("</ul>\n")
    }

    private mutating func fault(_ fault: Problem.Fault) {
        markup("<li>")
        if case .file(let line, let column, _) = fault.location {
            element("", texts("Line \(line), character \(column):"), " ")
        }
        if let name = fault.location?.name, !name.isEmpty { element("<code>", name, "</code> ") }
        translation("<span", of: fault.detail, "</span>")
        if let suggestion = fault.suggestion {
            element(" ", texts("Did you mean"), " ")
            if let correction = fault.correction {
                link(suggestion, to: correction)
            } else {
                element("<code>", suggestion, "</code>")
            }
            markup("?")
        } else if let correction = fault.correction {
            markup(" ")
            link(texts("Correct the address"), to: correction)
        }
        markup("</li>\n")
    }
}

extension HTMLPageRenderer {
    package func render(_ progress: ProgressDocument, to buffer: inout ByteBuffer) {
        let title = texts("Import into \(progress.title)")
        HTMLDocument(
            site: site,
            title: title,
            steps: [
                HTMLDocument.Step(title: progress.title, address: progress.listAddress),
                HTMLDocument.Step(title: texts("Import"), address: nil),
            ]
        ).write(
            to: &buffer,
            head: { writer in
                if progress.state.isRunning {
                    writer.markup("<meta http-equiv=\"refresh\" content=\"2\">\n")
                }
            },
            main: { writer in
                writer.element("<div class=\"head\"><h1>", title, "</h1></div>\n")
                writer.element(
                    "<p class=\"lead\" role=\"status\">",
                    texts(progress.state.text),
                    "</p>\n"
                )
                if let detail = progress.detail {
                    writer.translation("<p", of: detail, "</p>\n")
                }
                ImportForm.write(progress, to: &writer)
                guard !progress.mayBegin else { return }
                writer.markup("<p class=\"ways\"><a class=\"btn\"")
                writer.attribute("href", progress.listAddress)
                writer.element(">", progress.title, "</a></p>\n")
            },
            footer: { _ in }
        )
    }
}
