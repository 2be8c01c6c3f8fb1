import Listings

extension HTMLWriter {
    /// Appends a row of the table.
    mutating func row(
        _ row: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: ListingContext
    ) {
        markup("<tr id=\"r-")
        page.withID(ofRow: row) { id in text { PercentEncoding.write(id, to: &$0) } }
        markup("\" data-kind=\"")
        text(page.kind(ofRow: row))
        markup("\"><th scope=\"row\"><a href=\"")
        page.withID(ofRow: row) { id in text { context.links.writeRow(id, to: &$0) } }
        markup("\"><bdi>")
        name(ofRow: row, of: page, layout)
        markup("</bdi></a>")
        if let code = page.failures[row] { return failure(code, layout) }
        if let secondary = layout.secondary,
            let cell = page.cell(row: row, column: secondary), page.cells.showsSomething(cell)
        {
            markup(" <span class=\"sub\">")
            plain(cell, of: page.cells)
            markup("</span>")
        }
        markup("</th>")
        for field in layout.fields {
            markup(field.open)
            if let cell = page.cell(row: row, column: field.column) {
                // Addresses stay on one line; the stylesheet cuts what is too long.
                clamped(field.type == .text && page.cells.isLong(cell)) { writer in
                    writer.value(cell, of: page.cells, type: field.type)
                }
            }
            markup("</td>")
        }
        markup("</tr>\n")
    }

    /// Appends what heads a row: its first cell, or its id where that shows nothing.
    private mutating func name(ofRow row: Int, of page: borrowing Page, _ layout: HTMLRowLayout) {
        if let header = layout.header, let cell = page.cell(row: row, column: header),
            page.cells.showsSomething(cell)
        {
            clamped(page.cells.isLong(cell)) { $0.plain(cell, of: page.cells) }
        } else {
            page.withID(ofRow: row) { text($0) }
        }
    }

    /// Appends something that is cut after two lines on the screen if it is long.
    private mutating func clamped(_ isLong: Bool, _ body: (inout HTMLWriter) -> Void) {
        guard isLong else { return body(&self) }
        markup("<span class=\"long\">")
        body(&self)
        markup("</span>")
    }

    private mutating func failure(_ code: RowFailure.Code, _ layout: HTMLRowLayout) {
        if layout.width > 1 {
            markup("</th><td class=\"failed\" colspan=\"")
            text("\(layout.width - 1)")
            element("\">", PageText.failure(code), "</td></tr>\n")
        } else {
            element(" <span class=\"failed\">", PageText.failure(code), "</span></th></tr>\n")
        }
    }
}

extension CellBuffer {
    /// Whether a cell's text would take the room of all other columns.
    fileprivate func isLong(_ index: Int) -> Bool {
        hasDisplay(index)
            ? withDisplay(index) { $0.count > 32 } : withText(index) { $0.count > 32 }
    }

    /// Whether a cell has a value or text that can be seen.
    func showsSomething(_ index: Int) -> Bool {
        switch self[index] {
        case .null: hasDisplay(index)
        case .text: !withText(index) { $0.isEmpty }
        case .integer, .real, .boolean, .date: true
        }
    }
}
