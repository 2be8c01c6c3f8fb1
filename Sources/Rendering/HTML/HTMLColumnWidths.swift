import Listings

extension HTMLRowLayout {
    /// Whether a page sets the widths of its columns.
    ///
    /// Without widths, a browser must lay out every cell of a large table. With widths, it lays out
    /// only visible rows, but menus of actions would be cut at a row's edge.
    func tellsWidths(of page: borrowing Page) -> Bool {
        !hasActions && header != nil && page.rowCount * width >= 10_000
    }
}

extension HTMLWriter {
    /// Appends the widths of the columns, estimated from a sample of the rows.
    ///
    /// It appends nothing if the page does not set them.
    mutating func columnWidths(
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext
    ) {
        guard layout.tellsWidths(of: page) else { return }
        markup(layout.hasBoxes ? " data-columns=\"6ch " : " data-columns=\"")
        for (location, column) in page.shownColumns.enumerated() {
            var widest = TextWidth(ofWidestWordIn: page.schema.columns[column].label).digits
            if page.query.sort.first?.field == .column(column) { widest += 2 }
            for row in stride(from: 0, to: page.rowCount, by: max(1, page.rowCount / 32)) {
                let width = width { writer in
                    if location == 0 {
                        writer.name(ofRow: row, of: page, layout)
                    } else if let cell = page.cell(row: row, column: column) {
                        writer.value(cell, inColumn: column, ofRow: row, of: page, in: context)
                    }
                }
                widest = max(widest, width.digits)
            }
            if location > 0 { markup(" ") }
            // The stylesheet limits long texts to 20rem. The edges of a cell, and the button of a
            // column's menu, are five digits wide.
            text("\(max(4, min(widest, 36)) + 5)")
            markup("ch")
        }
        markup("\"")
    }
}
