import Bytes
import Listings

/// Writes the values of rows as the cells of a table in HTML.
struct HTMLRowFormat: RowFormat {
    /// A place in a row where something differs from row to row.
    ///
    /// Flat: values of cases are packed into few bits, which takes a dozen instructions to undo.
    struct Slot: BitwiseCopyable {
        enum Kind: BitwiseCopyable {
            case nothing, id
            /// The first letters of the row's title.
            case initials
            /// A cell that is shown as the row's name; the id where it shows nothing.
            case name
            /// A cell below the name; nothing where it shows nothing.
            case secondary
            /// A cell under a column.
            case cell
        }

        let kind: Kind
        /// The type of the column.
        let type: ColumnType
        /// The place of the cell among those of the row.
        let place: Int32

        init(_ kind: Kind, _ place: Int = 0, _ type: ColumnType = .text) {
            self.kind = kind
            self.type = type
            self.place = Int32(place)
        }
    }

    static var nothing: Slot { Slot(.nothing) }

    let values: HTMLValueFormat
    /// The columns that make the title, as ``Page/title(ofRow:)`` reads them.
    let title: [TitlePart]

    /// A column of the title.
    struct TitlePart {
        /// The place of its cells; nil where the kind has none.
        let place: Int?
        /// Whether further columns follow; else it is the title alone, where those before show nothing.
        let isLasting: Bool
    }

    /// A text is escaped in the initials, below the name, and twice in a link.
    static var textFactor: Int { 4 * HTMLEscape.longest }

    static func idCount(_ slot: Slot) -> Int {
        switch slot.kind {
        case .id, .initials, .name: 1
        case .nothing, .secondary, .cell: 0
        }
    }

    func longest(_ slot: Slot) -> Int {
        switch slot.kind {
        case .nothing, .id: 0
        case .initials, .name, .secondary, .cell: values.longest
        }
    }

    @inline(__always)
    func write(
        _ slot: Slot,
        of row: RowSource,
        _ page: borrowing Page,
        _ cells: borrowing Span<CellBuffer.Slot>,
        _ texts: borrowing PaddedSpan,
        _ ids: borrowing PaddedSpan,
        to room: inout ByteWriter
    ) {
        switch slot.kind {
        case .nothing: return
        case .id: room.append(row.idStart, count: row.idCount, of: ids)
        case .initials: room = writing(slot, ofRow: row.row, row.firstCell, of: page, to: room)
        case .name, .secondary, .cell:
            let cell = cells[row.firstCell &+ Int(slot.place)]
            guard cell.kind == .text, !cell.hasDisplay, cell.textCount > 0, slot.type != .email,
                slot.type != .link
            else {
                room = writing(slot, ofRow: row.row, row.firstCell, of: page, to: room)
                return
            }
            let isSecondary = slot.kind == .secondary
            // The stylesheet cuts what is too long; addresses stay on one line.
            let isLong = slot.type == .text && cell.textCount > 32 && !isSecondary
            if isSecondary { room.append(" <span class=\"sub\">" as StaticString) }
            if isLong { room.append("<span class=\"long\">" as StaticString) }
            HTMLEscape.write(cell.textStart, count: cell.textCount, of: texts, to: &room)
            if isSecondary || isLong { room.append("</span>" as StaticString) }
        }
    }

    /// Appends what is no plain text.
    ///
    /// Handed over and taken back, the room stays in registers.
    @inline(never)
    private func writing(
        _ slot: Slot,
        ofRow row: Int,
        _ firstCell: Int,
        of page: borrowing Page,
        to room: consuming ByteWriter
    ) -> ByteWriter {
        let index = firstCell + Int(slot.place)
        switch slot.kind {
        case .initials:
            room.append("<span class=\"av\" aria-hidden=\"true\">" as StaticString)
            page.cells.withCells { writeInitials(of: row, firstCell, page, $0, $1, to: &room) }
            room.append("</span>" as StaticString)
        case .name where page.cells.showsSomething(index):
            write(index, of: page, .text, to: &room)
        case .id, .name: page.withID(ofRow: row) { room.append($0) }
        case .secondary where page.cells.showsSomething(index):
            room.append(" <span class=\"sub\">" as StaticString)
            values.write(index, of: page.cells, to: &room)
            room.append("</span>" as StaticString)
        case .nothing, .secondary: break
        case .cell: write(index, of: page, slot.type, to: &room)
        }
        return room
    }

    private func write(
        _ index: Int,
        of page: borrowing Page,
        _ type: ColumnType,
        to room: inout ByteWriter
    ) {
        let isLong = type == .text && page.cells.isLong(index)
        if isLong { room.append("<span class=\"long\">" as StaticString) }
        values.write(index, of: page.cells, type: type, to: &room)
        if isLong { room.append("</span>" as StaticString) }
    }

    /// Appends the first letters of the first and the last word of the title.
    private func writeInitials(
        of row: Int,
        _ firstCell: Int,
        _ page: borrowing Page,
        _ cells: borrowing Span<CellBuffer.Slot>,
        _ texts: borrowing PaddedSpan,
        to room: inout ByteWriter
    ) {
        var first: Range<Int>?
        var last: Range<Int>?
        for part in title {
            guard part.isLasting || first == nil else { break }
            guard let place = part.place, page.cells.showsSomething(firstCell &+ place) else {
                continue
            }
            let cell = cells[firstCell &+ place]
            let range = cell.textStart..<cell.textStart &+ cell.textCount
            guard cell.kind == .text, !cell.hasDisplay,
                let letters = texts.withSpan(range, { $0.initials })
            else {
                first = nil
                break
            }
            let offset = cell.textStart
            let start = offset + letters.first.lowerBound..<offset + letters.first.upperBound
            let end = letters.last.map { offset + $0.lowerBound..<offset + $0.upperBound }
            last = end ?? (first == nil ? nil : start)
            first = first ?? start
            guard part.isLasting else { break }
        }
        guard let first else {
            let letters = page.title(ofRow: row).initials
            return HTMLEscape.write(letters.utf8.span, to: &room)
        }
        texts.withSpan(first) { HTMLEscape.write($0, to: &room) }
        if let last { texts.withSpan(last) { HTMLEscape.write($0, to: &room) } }
    }
}

extension Span<UInt8> {
    /// The first characters of the first and of the last word, as ranges of bytes; the second is nil
    /// where there is one word.
    ///
    /// - Returns: The ranges; nil where a word begins with a character that is not of one or two
    ///   bytes, or that may be combined with the next one.
    fileprivate var initials: (first: Range<Int>, last: Range<Int>?)? {
        let blank = UInt8(ascii: " ")
        guard self[0] != blank, self[count - 1] != blank, let first = character(at: 0) else {
            return nil
        }
        var index = count - 1
        while index > 0, self[index] != blank { index -= 1 }
        guard index > 0 else { return (first, nil) }
        return character(at: index + 1).map { (first, $0) }
    }

    /// The bytes of a character below U+0300, where the next one does not combine with it: combining
    /// characters begin there (Unicode Standard, chapter 7.9).
    private func character(at index: Int) -> Range<Int>? {
        let length = self[index] < 0x80 ? 1 : 2
        let end = index + length
        guard isSimple(self[index]), end <= count, end == count || isSimple(self[end]) else {
            return nil
        }
        return index..<end
    }

    /// Whether a byte begins a printed character below U+0300.
    private func isSimple(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F || byte >= 0xC3 && byte < 0xCC
    }
}
