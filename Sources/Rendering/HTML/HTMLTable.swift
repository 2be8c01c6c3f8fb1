import Bytes
import Listings

extension HTMLWriter {
    mutating func table(
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        caption: String,
        in context: RenderContext
    ) {
        if layout.hidesColumns {
            markup("<label class=\"all\"><input type=\"checkbox\" id=\"all\"> ")
            element("", texts("Show all \(page.shownColumns.count) columns"), "</label>\n")
        }
        // Scrollable content must be reachable by keyboard.
        markup("<div class=\"wide\" role=\"region\" tabindex=\"0\"")
        attribute("aria-label", caption)
        markup(">\n<table id=\"list\"")
        if page.shownColumns.count > 8 { markup(" class=\"many\"") }
        following(page, in: context)
        columnWidths(of: page, layout, in: context)
        if page.total != nil { markup(" aria-describedby=\"count\"") }
        element(">\n<caption class=\"vh\">", caption, "</caption>\n<thead><tr>")
        if layout.hasBoxes {
            element(
                "<th scope=\"col\" class=\"pick\"><span class=\"vh\">",
                texts("Select"),
                "</span></th>"
            )
        }
        fragment(.columnHeaders, in: context) { writer in
            for column in page.shownColumns { writer.columnHeader(column, of: page, in: context) }
        }
        if page.shownColumns.isEmpty { element("<th scope=\"col\">", texts("ID"), "</th>") }
        if layout.hasActions {
            element("<th scope=\"col\"><span class=\"vh\">", texts("Actions"), "</span></th>")
        }
        markup("</tr></thead>\n")
        for index in page.sections.indices {
            section(index, of: page, layout, in: context) { writer in
                page.sections[index].rows.writeRows(
                    encode: { writer.rows($0, of: page, layout) },
                    write: { writer.row($0, of: page, layout, in: context) }
                )
            }
        }
        markup("</table>\n</div>\n")
        SelectionForm(layout.bulkActions, in: context).write(of: page, to: &self)
    }

    private mutating func columnHeader(
        _ index: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        let column = page.schema.columns[index]
        let sort = page.query.sort
        let location = sort.firstIndex { $0.field == .column(index) }
        markup("<th scope=\"col\"")
        attribute("data-c", column.id)
        if let description = column.notes.description { attribute("title", description) }
        // One column is sorted for screen readers.
        if location == 0 {
            markup(" aria-sort=\"")
            markup(sort[0].direction == .ascending ? "ascending\"" : "descending\"")
        }
        // The first column names the rows, and begins at their names.
        if index == page.shownColumns.first {
            markup(" class=\"key\"")
        } else {
            classes(of: column, isLabel: context.references[index] != nil)
        }
        markup(">")
        if column.isSortable {
            markup("<a")
            href(.sorted([page.query.toggledSort(byColumn: index)]), context)
            element(">", column.label, "")
            if let location {
                arrow(sort[location].direction, location: sort.count > 1 ? location + 1 : nil)
            }
            markup("</a>")
        } else {
            text(column.label)
        }
        markup("</th>")
    }

    mutating func section(
        _ index: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext,
        rows: (inout HTMLWriter) -> Void
    ) {
        let title = texts.title(of: page.sections[index].info, in: page)
        sectionHead(index, title, of: page, layout, in: context)
        rows(&self)
        let values = page.sections[index].aggregates
        sums(values, of: page, layout)
        let shown = page.shownColumns
        sectionFooter(
            page.sections[index],
            title,
            aggregates: texts.aggregates(values, of: page) { !shown.contains($0) },
            layout.templates,
            in: context,
            open: { writer in
                writer.markup("<tr class=\"sf\"><td colspan=\"")
                writer.text { $0.append(decimal: layout.columnCount) }
                writer.markup("\">")
            },
            close: "</td></tr>\n"
        )
        markup("</tbody>\n")
    }

    /// Appends the aggregates of a section, each below its column.
    private mutating func sums(
        _ values: [CellValue?],
        of page: borrowing Page,
        _ layout: HTMLRowLayout
    ) {
        let aggregates = page.query.aggregates
        guard aggregates.contains(where: { page.shownColumns.contains($0.column) }) else { return }
        markup("<tr class=\"sf sums\">")
        if layout.hasBoxes { markup("<td></td>") }
        for index in page.shownColumns {
            let column = page.schema.columns[index]
            markup("<td")
            classes(of: column, isLabel: !column.type.isNumber)
            markup(">")
            for (aggregate, value) in zip(aggregates, values) where aggregate.column == index {
                element("<div><span class=\"n\">", texts(aggregate.function.text), "</span> ")
                element(
                    "<bdi>",
                    value.map { [texts] in texts.text(of: $0, column) } ?? "…",
                    "</bdi></div>"
                )
            }
            markup("</td>")
        }
        if layout.hasActions { markup("<td class=\"acts\"></td>") }
        markup("</tr>\n")
    }

    private mutating func sectionHead(
        _ index: Int,
        _ title: String,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext
    ) {
        let section = page.sections[index]
        let id = section.info.id.rawValue
        anchor("<tbody id=\"s-", id)
        markup("\"")
        if !title.isEmpty {
            anchor(" aria-labelledby=\"h-", id)
            markup("\">\n<tr class=\"sh\"><th scope=\"rowgroup\" colspan=\"")
            text { $0.append(decimal: layout.columnCount) }
            anchor("\" id=\"h-", id)
            markup("\">")
            sectionTitle(section, title, layout.templates, in: context)
            if page.showsSectionsOnly, let count = section.count {
                bar(count, of: page.sections.reduce(1) { max($0, $1.count?.value ?? 0) })
            }
            markup("</th></tr>\n")
        } else {
            markup(">\n")
        }
    }

    mutating func sectionTitle(
        _ section: PageSection,
        _ title: String,
        _ templates: TemplateSet,
        in context: RenderContext
    ) {
        folding(section, in: context)
        if let template = templates.header(section.info.id) {
            self.template(template, titled: title, of: section, in: context)
        } else {
            markup("<a")
            href(.section(section.info.id), context)
            element("><bdi>", title, "</bdi></a>")
            if let count = section.count {
                element(" <span class=\"n\">", texts.count(count), "</span>")
            }
        }
        if section.isContinued {
            element(" <span class=\"cont\">", texts("continued"), "</span>")
        }
        if section.info.isCollapsed {
            element(" <span class=\"cont\">", texts("hidden"), "</span>")
        }
    }

    /// Appends a bar that screen readers skip, because the number is beside it.
    mutating func bar(_ count: Count, of most: Int) {
        markup("<svg class=\"bar\" viewBox=\"0 0 1000 1\" preserveAspectRatio=\"none\"")
        markup(" aria-hidden=\"true\"><rect height=\"1\" width=\"")
        text("\(count.value * 1_000 / max(most, 1))")
        markup("\"></rect></svg>")
    }

    private mutating func folding(_ section: PageSection, in context: RenderContext) {
        let isFolded = context.collapsed.contains(section.info.key)
        // Sections that the list itself collapses stay collapsed.
        guard context.canCollapse, isFolded || !section.info.isCollapsed else { return }
        markup("<a class=\"in\"")
        href(.foldingSection(section.info.key), context)
        attribute(
            "aria-label",
            isFolded
                ? texts("Show the rows of this section") : texts("Hide the rows of this section")
        )
        markup(isFolded ? ">▸</a>" : ">▾</a>")
    }

    mutating func sectionFooter(
        _ section: PageSection,
        _ title: String,
        aggregates: String,
        _ templates: TemplateSet,
        in context: RenderContext,
        open: (inout HTMLWriter) -> Void,
        close: StaticString
    ) {
        let footer = section.info.footer ?? ""
        // A list without sections continues by the links below the table.
        let next = title.isEmpty ? nil : section.next
        guard !footer.isEmpty || !aggregates.isEmpty || next != nil else { return }
        open(&self)
        if !footer.isEmpty, let template = templates.footer(section.info.id) {
            self.template(template, titled: footer, of: section, in: context)
        } else {
            text(footer)
        }
        if !aggregates.isEmpty {
            element(footer.isEmpty ? "<span>" : " <span>", aggregates, "</span>")
        }
        if let next {
            markup(footer.isEmpty && aggregates.isEmpty ? "<a" : " <a")
            href(.sectionAfter(section.info.id, next), context)
            element(">", texts("More in \(title)"), "</a>")
        }
        markup(close)
    }
}
