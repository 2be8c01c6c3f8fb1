import Bytes
import Listings

extension HTMLWriter {
    mutating func row(
        _ row: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext
    ) {
        markup("<tr")
        identity(ofRow: row, of: page)
        if layout.canMove {
            markup(" data-move=\"")
            moveAddress(ofRow: row, of: page, in: context)
            markup("\"")
        }
        markup(">")
        if layout.hasBoxes { checkBox(ofRow: row, of: page, in: context) }
        if let code = page.failures[row] {
            failure(code, row, of: page, layout, in: context)
        } else if let template = layout.template(page.kind(ofRow: row)) {
            markup("<td class=\"tpl\" colspan=\"")
            text("\(layout.width)")
            markup("\">")
            self.template(template, ofRow: row, of: page, in: context)
            markup("</td>")
        } else {
            cells(ofRow: row, of: page, layout, in: context)
        }
        if layout.hasActions, page.failures[row] == nil {
            markup("<td class=\"acts\">")
            if layout.canMove { moves(ofRow: row, of: page, in: context) }
            actions(ofRow: row, of: page, in: context)
            markup("</td>")
        }
        markup("</tr>\n")
    }

    /// Appends rows up to the first one that has more than its cells.
    ///
    /// - Returns: That row, or the end of the range if all rows are appended.
    mutating func rows(
        _ rows: Range<Int>,
        of page: borrowing Page,
        _ layout: HTMLRowLayout
    ) -> Int {
        guard !layout.encoders.isEmpty, let first = rows.first, let bare = page.plainRow(first)
        else { return rows.lowerBound }
        return self.rows(rows, of: page, layout.encoders[bare.kind])
    }

    /// Appends the cell that selects a row, which is empty if nothing can be done with the row.
    private mutating func checkBox(
        ofRow row: Int,
        of page: borrowing Page,
        in context: RenderContext
    ) {
        let isWritable = context.bulkRules != nil
        guard isWritable || page.actions(ofRow: row).contains(where: { $0.method == .post }) else {
            return markup("<td class=\"acts\"></td>")
        }
        markup("<td><input form=\"act\" type=\"checkbox\" name=\"id\" value=\"")
        page.withID(ofRow: row) { text($0) }
        markup("\"")
        attribute(
            "aria-label",
            values.select(isWritable ? page.id(ofRow: row) : page.title(ofRow: row))
        )
        markup("></td>")
    }

    mutating func identity(ofRow row: Int, of page: borrowing Page) {
        markup(" id=\"r-")
        page.withID(ofRow: row) { id in
            text { PercentEncoding.encode(id, for: .scriptComponent, into: &$0) }
        }
        markup("\" data-kind=\"")
        text(page.kind(ofRow: row))
        markup("\"")
    }

    private mutating func cells(
        ofRow row: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext
    ) {
        markup("<th scope=\"row\">")
        heading(ofRow: row, of: page, layout, in: context)
        fields(ofRow: row, of: page, layout, in: context)
    }

    private mutating func fields(
        ofRow row: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext
    ) {
        markup("</th>")
        for field in layout.fields {
            let cell = page.cell(row: row, column: field.column)
            markup(field.open, of: layout.text)
            if let cell, page.cells.showsSomething(cell) {
                value(cell, inColumn: field.column, ofRow: row, of: page, in: context)
            } else if let cell, page.cells[cell] != .null {
                // An empty text is no missing value.
                markup("<br>")
            }
            markup("</td>")
        }
    }

    private mutating func failure(
        _ code: RowFailure.Code,
        _ row: Int,
        of page: borrowing Page,
        _ layout: HTMLRowLayout,
        in context: RenderContext
    ) {
        markup("<th scope=\"row\">")
        heading(ofRow: row, of: page, layout, in: context)
        let rest = layout.columnCount - (layout.hasBoxes ? 2 : 1)
        if rest > 0 {
            markup("</th><td class=\"failed\" colspan=\"")
            text("\(rest)")
            element("\">", texts(code.text), "</td>")
        } else {
            element(" <span class=\"failed\">", texts(code.text), "</span></th>")
        }
    }
}
