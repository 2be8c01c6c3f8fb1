import Listings

extension HTMLRowLayout {
    /// Whether a page tells the widths of its columns.
    ///
    /// Else a browser lays out every cell to find them: 30,000 took it 0.8 s. With widths it lays out
    /// the rows that are seen. Menus of actions would be cut at the edge of such a row.
    func tellsWidths(of page: borrowing Page) -> Bool {
        isWide && !hasActions && header != nil && page.rowCount * width >= 10_000
    }
}

extension HTMLWriter {
    /// Appends the widths of the columns, about those that a browser gives them, for a sample of the
    /// rows; nothing on a page that does not tell them.
    mutating func columnWidths(
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: ListingContext
    ) {
        guard layout.tellsWidths(of: page) else { return }
        markup(" data-columns=\"")
        for (place, column) in page.shownColumns.enumerated() {
            var widest = TextWidth(ofWidestWordIn: page.schema.columns[column].label).digits
            if page.query.sort.first?.field == .column(column) { widest += 2 }
            for row in stride(from: 0, to: page.rowCount, by: max(1, page.rowCount / 32)) {
                let width = width { writer in
                    if place == 0 {
                        writer.name(ofRow: row, of: page, layout)
                    } else if let cell = page.cell(row: row, column: column) {
                        writer.value(cell, inColumn: column, ofRow: row, of: page, in: context)
                    }
                }
                widest = max(widest, width.digits)
            }
            if place > 0 { markup(" ") }
            let initials = place == 0 && layout.showsInitials ? 5 : 0
            // The stylesheet has 20rem for long texts; the edges of a cell are as wide as three digits.
            text("\(max(4, min(widest, 36)) + initials + 3)")
            markup("ch")
        }
        markup("\"")
    }
}
