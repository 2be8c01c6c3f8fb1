import Bytes
import Listings

extension JSONWriter {
    /// Appends a row of which all but its id, its revision and its values is known before: in a
    /// quarter of the instructions that member after member takes.
    ///
    /// - Returns: false for a row that has more than its cells or an id that is not the same in JSON,
    ///   tags and addresses; nothing is appended then.
    mutating func bareRow(
        _ row: Int,
        of page: borrowing Page,
        _ layout: borrowing JSONRowLayout
    ) -> Bool {
        guard let beforeLink = layout.beforeLink, let bare = page.bareRow(row) else { return false }
        let isPlain = page.withID(ofRow: row) { PlainName.holds($0) }
        guard isPlain else { return false }
        separate()
        buffer.append("{\"id\":\"" as StaticString)
        page.withID(ofRow: row) { buffer.append($0) }
        let kind = layout.kinds[bare.kind]
        buffer.append(kind.afterID, of: layout.text)
        if let revision = bare.revision {
            buffer.append(",\"etag\":\"\\\"" as StaticString)
            page.withID(ofRow: row) { buffer.append($0) }
            buffer.append(UInt8(ascii: "-"))
            buffer.append(decimal: revision)
            buffer.append("\\\"\"" as StaticString)
        }
        if values(of: bare, cells: kind.firstCell, of: page, layout) {
            needsComma = true
            display(ofRow: row, of: page, layout)
        }
        buffer.append(beforeLink, of: layout.text)
        page.withID(ofRow: row) { buffer.append($0) }
        buffer.append("\"}}" as StaticString)
        needsComma = true
        return true
    }

    /// Appends the values of a bare row with their names.
    ///
    /// - Returns: Whether any cell shows people another text than its value.
    private mutating func values(
        of row: BareRow,
        cells first: Int,
        of page: borrowing Page,
        _ layout: borrowing JSONRowLayout
    ) -> Bool {
        var hasDisplay = false
        for index in 0..<layout.fields.count {
            let field = layout.fields[index]
            let offset = layout.cells[first + index]
            guard offset >= 0 else {
                buffer.append(field.lead, of: layout.text)
                needsComma = false
                null()
                continue
            }
            let cell = row.firstCell + offset
            if page.cells.isText(cell) {
                buffer.append(field.textLead, of: layout.text)
                page.cells.withText(cell) { JSONEscape.write($0, to: &buffer) }
                buffer.append(UInt8(ascii: "\""))
            } else {
                buffer.append(field.lead, of: layout.text)
                needsComma = false
                value(cell, of: page.cells)
            }
            hasDisplay = hasDisplay || page.cells.hasDisplay(cell)
        }
        buffer.append(UInt8(ascii: "}"))
        return hasDisplay
    }
}
