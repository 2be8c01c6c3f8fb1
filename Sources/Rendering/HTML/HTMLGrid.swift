import Bytes
import Listings

extension HTMLWriter {
    mutating func grid(
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext
    ) {
        markup("<div id=\"list\" data-layout=\"grid\"")
        if context.layout == .board {
            markup(" class=\"board\"")
            if let column = page.boardColumn(in: context) {
                attribute("data-column", page.schema.columns[column].id)
            }
        }
        following(page, in: context)
        markup(">\n")
        for index in page.sections.indices {
            cards(ofSection: index, of: page, layout, in: context) { writer in
                let isTitled = page.sections[index].isTitled
                for row in page.sections[index].rows {
                    writer.card(
                        row,
                        of: page,
                        layout,
                        in: context,
                        isTitled: isTitled
                    )
                }
            }
        }
        markup("</div>\n")
    }

    mutating func cards(
        ofSection index: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext,
        rows: (inout HTMLWriter) -> Void
    ) {
        let title = texts.title(of: page.sections[index].info, in: page)
        cardsHead(page.sections[index], title, of: page, layout.templates, in: context)
        if !page.sections[index].rows.isEmpty {
            // Some screen readers ignore a list without bullets unless it has the role.
            markup("<ul class=\"grid\" role=\"list\">\n")
            rows(&self)
            markup("</ul>\n")
        }
        sectionFooter(
            page.sections[index],
            title,
            aggregates: texts.aggregates(page.sections[index].aggregates, of: page),
            layout.templates,
            in: context,
            open: { $0.markup("<div class=\"sf\">") },
            close: "</div>\n"
        )
        markup("</section>\n")
    }

    private mutating func cardsHead(
        _ section: PageSection,
        _ title: String,
        of page: borrowing Page,
        _ templates: TemplateSet,
        in context: RenderContext
    ) {
        let id = section.info.id.rawValue
        markup("<section")
        if context.layout == .board, page.boardColumn(in: context) != nil,
            case .value(let value) = section.info.key
        {
            var json = ByteBuffer()
            JSONWriter.write(to: &json) { $0.value(value) }
            attribute("data-value", json.text())
        }
        anchor(" id=\"s-", id)
        guard !title.isEmpty else { return markup("\">\n") }
        anchor("\" aria-labelledby=\"h-", id)
        anchor("\">\n<h2 class=\"sh\" id=\"h-", id)
        markup("\">")
        sectionTitle(section, title, templates, in: context)
        markup("</h2>\n")
    }

    mutating func card(
        _ row: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext,
        isTitled: Bool
    ) {
        markup("<li")
        identity(ofRow: row, of: page)
        switch page.span(ofRow: row) ?? 1 {
        case ...1: markup(" class=\"card\">")
        case 2: markup(" class=\"card w2\">")
        case 3: markup(" class=\"card w3\">")
        default: markup(" class=\"card w4\">")
        }
        let failure = page.failures[row]
        if failure == nil, let template = layout.template(page.kind(ofRow: row)) {
            markup("<div>")
            self.template(template, ofRow: row, of: page, in: context)
            markup("</div>")
        } else {
            markup(isTitled ? "<h3>" : "<h2>")
            heading(ofRow: row, of: page, layout, in: context)
            markup(isTitled ? "</h3>" : "</h2>")
            if let failure {
                element("<p class=\"failed\">", texts(failure.text), "</p>")
            } else {
                fields(ofRow: row, of: page, layout, in: context)
            }
        }
        if failure == nil, !page.actions(ofRow: row).isEmpty {
            markup("<div class=\"acts\">")
            actions(ofRow: row, of: page, in: context)
            markup("</div>")
        }
        markup("</li>\n")
    }

    private mutating func fields(
        ofRow row: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext
    ) {
        var isFirst = true
        let labels = page.schema.labels.first == layout.header ? page.schema.labels : []
        for field in layout.fields where !labels.contains(field.column) {
            guard let cell = page.cell(row: row, column: field.column),
                page.cells.showsSomething(cell)
            else { continue }
            if isFirst { markup("<dl>") }
            isFirst = false
            element("<div><dt>", page.schema.columns[field.column].label, "</dt><dd>")
            value(cell, inColumn: field.column, ofRow: row, of: page, in: context)
            markup("</dd></div>")
        }
        if !isFirst { markup("</dl>") }
    }
}

extension Page {
    /// Returns the column whose value a card takes from the section that it is dragged to.
    fileprivate func boardColumn(in context: RenderContext) -> Int? {
        guard let grouping = query.grouping, grouping.part == .value, let rules = context.bulkRules,
            rules.operations.contains(.update), rules.givenColumns.contains(grouping.column)
        else { return nil }
        return grouping.column
    }
}

extension PageSection {
    var isTitled: Bool { !(info.header ?? "").isEmpty }
}
