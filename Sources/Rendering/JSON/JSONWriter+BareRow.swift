import Bytes
import Listings

extension JSONWriter {
    /// The most bytes of a bare row's texts: room is made for as many escapes.
    private static let longestTexts = 4_096

    /// Appends rows as far as they follow the pattern of the first of them.
    ///
    /// - Returns: The first row that does not, before which all are appended.
    mutating func rows(
        _ rows: Range<Int>,
        of page: borrowing Page,
        _ layout: borrowing JSONRowLayout
    ) -> Int {
        guard let first = rows.first, let pattern = layout.pattern(ofRow: first, of: page) else {
            return rows.lowerBound
        }
        let (start, follows) = (buffer.count, needsComma)
        separate()
        let next = pattern.write(rows, of: page, escape: JSONEscape.self, to: &buffer)
        if next > first {
            // The comma behind the last of them.
            buffer.truncate(to: buffer.count - 1)
        } else {
            buffer.truncate(to: start)
            needsComma = follows
        }
        return next
    }

    /// Appends a row of which all but its id, its revision and its values is known before: in a
    /// tenth of the instructions that member after member takes.
    ///
    /// - Returns: false for a row that has more than its cells, long texts, or an id that is not the
    ///   same in JSON, tags and addresses; nothing is appended then.
    mutating func bareRow(
        _ row: Int,
        of page: borrowing Page,
        _ layout: borrowing JSONRowLayout
    ) -> Bool {
        guard let beforeLink = layout.beforeLink, let bare = page.bareRow(row) else { return false }
        let kind = layout.kinds[bare.kind]
        let texts = page.cells.textLength(bare.firstCell..<bare.firstCell + kind.cellCount)
        return page.withID(ofRow: row) { id in
            guard texts <= Self.longestTexts, PlainName.holds(id) else { return false }
            separate()
            let longest = kind.longest + 3 * id.count + JSONEscape.longest * texts
            let hasDisplay = buffer.append(atMost: longest) { room in
                room.append("{\"id\":\"" as StaticString)
                room.append(id)
                room.append(kind.afterID, of: layout.text)
                if let revision = bare.revision {
                    room.append(",\"etag\":\"\\\"" as StaticString)
                    room.append(id)
                    room.append(UInt8(ascii: "-"))
                    room.append(decimal: revision)
                    room.append("\\\"\"" as StaticString)
                }
                let hasDisplay = Self.values(of: bare, kind, of: page, layout, to: &room)
                if !hasDisplay { Self.link(beforeLink, id, layout, to: &room) }
                return hasDisplay
            }
            if hasDisplay {
                display(ofRow: row, of: page, layout)
                Self.link(beforeLink, id, layout, to: &buffer)
            }
            return true
        }
    }

    /// Appends the values of a bare row with their names.
    ///
    /// - Returns: Whether any cell shows people another text than its value.
    private static func values(
        of row: BareRow,
        _ kind: JSONRowLayout.Kind,
        of page: borrowing Page,
        _ layout: borrowing JSONRowLayout,
        to room: inout ByteRoom
    ) -> Bool {
        var hasDisplay = false
        for index in 0..<layout.fields.count {
            room.append(layout.fields[index].lead, of: layout.text)
            let offset = layout.cells[kind.firstCell + index]
            guard offset >= 0 else {
                JSONSpelling.writeNull(to: &room)
                continue
            }
            let cell = row.firstCell + offset
            JSONSpelling.write(cell, of: page.cells, to: &room)
            hasDisplay = hasDisplay || page.cells.hasDisplay(cell)
        }
        room.append(UInt8(ascii: "}"))
        return hasDisplay
    }

    /// Appends the address of a bare row, and what ends the row.
    private static func link(
        _ before: Range<Int>,
        _ id: borrowing Span<UInt8>,
        _ layout: borrowing JSONRowLayout,
        to sink: inout some ByteSink & ~Copyable
    ) {
        layout.text.withBytes { sink.append($0.extracting(before)) }
        sink.append(id)
        sink.append("\"}}" as StaticString)
    }
}
