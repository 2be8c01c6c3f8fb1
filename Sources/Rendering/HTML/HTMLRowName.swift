import Listings

extension HTMLWriter {
    mutating func heading(
        ofRow row: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext
    ) {
        let outline = page.outline(ofRow: row)
        if let outline {
            markup("<span class=\"ol\">")
            indent(outline)
            disclosure(ofRow: row, outline, of: page, in: context)
        }
        if let template = context.template(ofColumn: layout.header, ofRow: row, of: page) {
            // It has a link of its own, if any.
            self.template(template, ofRow: row, of: page, in: context)
        } else if let key = layout.header, context.references[key] != nil,
            let cell = page.cell(row: row, column: key), page.cells.hasDisplay(cell)
        {
            // The label leads to the row that it names, as in any other column.
            let name = values.open(page.id(ofRow: row))
            if beginLink(ofRow: row, of: page, name: name, in: context) { markup("⤢</a> ") }
            value(cell, inColumn: key, ofRow: row, of: page, in: context)
        } else {
            let isLink = beginLink(ofRow: row, of: page, in: context)
            if !isLink { markup("<bdi>") }
            if context.layout != .table, page.schema.labels.first == layout.header {
                text(page.title(ofRow: row))
            } else {
                name(ofRow: row, of: page, layout)
            }
            markup(isLink ? "</a>" : "</bdi>")
        }
        guard let outline else { return }
        if outline.level > 0 {
            element(" <span class=\"vh\">", values.level("\(outline.level)"), "</span>")
        }
        if let below = page.below(row: row) { self.below(below, row: row, of: page, in: context) }
        markup("</span>")
    }

    private mutating func below(
        _ below: ChildRows,
        row: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        guard below.shown < below.count else {
            return element(" <span class=\"n\">", texts.number(below.count), "</span>")
        }
        markup(" <a href=\"")
        page.withID(ofRow: row) { id in text { context.links.writeChildren(ofRow: id, to: &$0) } }
        element("\">", values.allBelow(texts.number(below.count)), "</a>")
    }

    /// Appends the start tag of the link to a row's target, which may have a name instead of a text.
    ///
    /// - Returns: Whether the row has a target.
    private mutating func beginLink(
        ofRow row: Int,
        of page: borrowing Page,
        name: String? = nil,
        in context: RenderContext
    ) -> Bool {
        let link = page.link(ofRow: row)
        switch link {
        case .own, .address: break
        case .absent, .closed: return false
        }
        markup("<a dir=\"auto\" href=\"")
        self.address(ofRow: row, link, of: page, in: context)
        markup("\"")
        if let name {
            attribute("class", "open")
            attribute("aria-label", name)
            attribute("title", name)
        }
        markup(">")
        return true
    }

    mutating func address(
        ofRow row: Int,
        _ link: RowLink,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        switch link {
        case .own: page.withID(ofRow: row) { id in text { context.links.writeRow(id, to: &$0) } }
        case .address(let address): text { context.links.writeAddress(address, to: &$0) }
        case .absent, .closed: break
        }
    }

    private static var deepestIndent: Int { 8 }

    private mutating func indent(_ outline: RowOutline) {
        for _ in 0..<max(0, min(outline.level, Self.deepestIndent)) {
            markup("<span class=\"in\"></span>")
        }
    }

    private mutating func disclosure(
        ofRow row: Int,
        _ outline: RowOutline,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        guard let isExpanded = outline.isExpanded else { return }
        let label = isExpanded ? texts("Hide what is below") : texts("Show what is below")
        guard outline.toggle != nil || page.canExpand(row: row) else {
            markup("<span class=\"in\" aria-hidden=\"true\">")
            return markup(isExpanded ? "▾</span>" : "▸</span>")
        }
        markup("<a class=\"in\" href=\"")
        if let toggle = outline.toggle {
            text { context.links.writeAddress(toggle, to: &$0) }
        } else {
            page.withID(ofRow: row) { id in text { context.links.writeToggle(ofRow: id, to: &$0) } }
        }
        markup("\"")
        attribute("aria-label", label)
        markup(isExpanded ? ">▾</a>" : ">▸</a>")
    }

    mutating func name(ofRow row: Int, of page: borrowing Page, _ layout: HTMLRowLayout) {
        if let header = layout.header, let cell = page.cell(row: row, column: header),
            page.cells.showsSomething(cell)
        {
            plain(cell, of: page.cells)
        } else {
            page.withID(ofRow: row) { text($0) }
        }
    }
}
