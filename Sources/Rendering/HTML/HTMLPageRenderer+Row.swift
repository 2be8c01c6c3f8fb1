package import Bytes
package import Listings

extension HTMLPageRenderer {
    /// Appends a page that lists the cells of a row.
    package func renderRow(
        of page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let title = page.title(ofRow: 0)
        let alternates = [Alternate(.json, address: context.address(of: .alternate(.json)))]
        HTMLDocument(
            site: site,
            title: "\(title) · \(context.title)",
            steps: [
                HTMLDocument.Step(title: context.title, address: context.address(of: .list)),
                HTMLDocument.Step(title: title, address: nil),
            ]
        ).write(
            to: &buffer,
            head: { $0.alternateRelations(alternates) },
            main: { writer in
                writer.element("<div class=\"head\"><h1><bdi>", title, "</bdi></h1>")
                if let section = page.sections.first?.info { writer.section(section, context) }
                writer.markup("</div>\n")
                writer.staleness(of: page)
                if let template = template(ofRowOf: page) {
                    writer.markup("<div class=\"tpl\">")
                    writer.template(template, ofRow: 0, of: page, in: context)
                    writer.markup("</div>\n")
                } else {
                    writer.cells(of: page, in: context)
                }
                writer.children(of: page, in: context)
                if context.isWritable { writer.rowForms(of: page, in: context) }
                if page.hasActions {
                    writer.markup("<div class=\"acts\">")
                    writer.actions(ofRow: 0, of: page, in: context)
                    writer.markup("</div>\n")
                }
            },
            footer: { $0.alternates(alternates, of: title) }
        )
    }

    /// Returns the template of a page's row, or nil if the row shows its cells or chosen columns.
    private func template(ofRowOf page: borrowing Page) -> RowTemplate? {
        guard page.query.columns == nil, page.failures[0] == nil else { return nil }
        return templates.row(page.kind(ofRow: 0)).map { RowTemplate($0, page.schema) }
    }
}

extension HTMLWriter {
    fileprivate mutating func section(_ section: SectionInfo, _ context: RenderContext) {
        guard let header = section.header, !header.isEmpty else { return }
        markup("<p>")
        link(header, to: .section(section.id), context)
        markup("</p>")
    }

    fileprivate mutating func children(of page: borrowing Page, in context: RenderContext) {
        guard page.canExpand(row: 0) else { return }
        markup("<p><a class=\"btn\" href=\"")
        page.withID(ofRow: 0) { id in text { context.links.writeChildren(ofRow: id, to: &$0) } }
        element("\">", texts.below, "</a></p>\n")
    }

    /// Appends links to the forms that change and remove the row.
    fileprivate mutating func rowForms(of page: borrowing Page, in context: RenderContext) {
        markup("<p class=\"ways\">")
        for (name, label) in [("edit", texts.edit), ("delete", texts.remove)] {
            markup(" <a class=\"btn\" href=\"")
            page.withID(ofRow: 0) { id in
                text { context.links.writeAction(name, ofRow: id, to: &$0) }
            }
            element("\">", label, "</a>")
        }
        markup("</p>\n")
    }

    fileprivate mutating func cells(of page: borrowing Page, in context: RenderContext) {
        if let code = page.failures[0] {
            return element("<p class=\"failed\">", texts.failure(code), "</p>\n")
        }
        element("<dl class=\"row\">\n<div><dt>", texts.id, "</dt><dd>")
        page.withID(ofRow: 0) { text($0) }
        markup("</dd></div>\n")
        for index in page.shownColumns where index != page.schema.idColumn {
            let column = page.schema.columns[index]
            guard let cell = page.cell(row: 0, column: index) else { continue }
            element("<div><dt>", column.label, "</dt><dd>")
            value(cell, inColumn: index, ofRow: 0, of: page, links: .whole, in: context)
            markup("</dd></div>\n")
        }
        markup("</dl>\n")
    }
}

extension Page {
    /// Returns the name of a row: the leading texts of columns that are never hidden, or else its
    /// id.
    borrowing func title(ofRow row: Int) -> String {
        var words: [String] = []
        for index in titleColumns {
            let column = schema.columns[index]
            guard column.priority == 1 || words.isEmpty else { break }
            guard let cell = cell(row: row, column: index), cells.showsSomething(cell) else {
                continue
            }
            words.append(cells.display(cell) ?? cells.value(cell).plainText)
            guard column.priority == 1 else { break }
        }
        return words.isEmpty ? id(ofRow: row) : words.joined(separator: " ")
    }

    /// The columns for the name of a row: the text columns shown first.
    var titleColumns: [Int] {
        let (columns, idColumn) = (schema.columns, schema.idColumn)
        return Array(
            shownColumns.filter { $0 != idColumn }.prefix { columns[$0].type == .text }
        )
    }
}
