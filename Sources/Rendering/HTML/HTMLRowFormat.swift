import Bytes
import Listings

/// Writes the values of rows as the cells of a table in HTML.
struct HTMLRowFormat: RowFormat {
    /// A place in a row where something differs from row to row.
    enum Slot {
        case id
        /// The first letters of the row's title.
        case initials
        /// The first cell that is shown, or the id where it shows nothing.
        case name
        /// A cell below the name, by its place among the cells of the row; nothing where it shows
        /// nothing.
        case secondary(Int)
        /// A cell under a column of a type, by its place.
        case cell(Int, ColumnType)
    }

    let values: HTMLValueFormat
    /// The place of the cell that heads the row; nil where its kind has none.
    let header: Int?
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
        switch slot {
        case .id, .initials, .name: 1
        case .secondary, .cell: 0
        }
    }

    func longest(_ slot: Slot) -> Int {
        switch slot {
        case .id: 0
        case .initials, .name, .secondary, .cell: values.longest
        }
    }

    @inline(__always)
    func write(
        _ slot: Slot,
        of row: RowSource,
        _ page: borrowing Page,
        _ cells: borrowing Span<CellBuffer.Slot>,
        _ texts: borrowing PaddedBytes,
        _ ids: borrowing PaddedBytes,
        to room: inout ByteRoom
    ) {
        switch slot {
        case .id: room.append(row.id, of: ids)
        case .initials:
            room.append("<span class=\"av\" aria-hidden=\"true\">" as StaticString)
            writeInitials(of: row, page, cells, texts, to: &room)
            room.append("</span>" as StaticString)
        case .name:
            if let header, page.cells.showsSomething(row.firstCell &+ header) {
                write(header, .text, isName: true, of: row, page, cells, texts, to: &room)
            } else {
                room.append(row.id, of: ids)
            }
        case .secondary(let place):
            guard page.cells.showsSomething(row.firstCell &+ place) else { return }
            room.append(" <span class=\"sub\">" as StaticString)
            values.write(row.firstCell &+ place, of: page.cells, to: &room)
            room.append("</span>" as StaticString)
        case .cell(let place, let type):
            write(place, type, isName: false, of: row, page, cells, texts, to: &room)
        }
    }

    @inline(__always)
    private func write(
        _ place: Int,
        _ type: ColumnType,
        isName: Bool,
        of row: RowSource,
        _ page: borrowing Page,
        _ cells: borrowing Span<CellBuffer.Slot>,
        _ texts: borrowing PaddedBytes,
        to room: inout ByteRoom
    ) {
        let cell = cells[row.firstCell &+ place]
        if cell.kind == .text, !cell.hasDisplay, cell.textCount <= 32, type != .email, type != .link
        {
            HTMLEscape.write(cell.textStart, count: cell.textCount, of: texts, to: &room)
            return
        }
        // The stylesheet cuts what is too long; addresses stay on one line.
        let isLong = type == .text && page.cells.isLong(row.firstCell &+ place)
        if isLong { room.append("<span class=\"long\">" as StaticString) }
        if isName {
            values.write(row.firstCell &+ place, of: page.cells, to: &room)
        } else {
            values.write(row.firstCell &+ place, of: page.cells, type: type, to: &room)
        }
        if isLong { room.append("</span>" as StaticString) }
    }

    /// Appends the first letters of the first and the last word of the title.
    private func writeInitials(
        of row: RowSource,
        _ page: borrowing Page,
        _ cells: borrowing Span<CellBuffer.Slot>,
        _ texts: borrowing PaddedBytes,
        to room: inout ByteRoom
    ) {
        var first: Range<Int>?
        var last: Range<Int>?
        for part in title {
            guard part.isLasting || first == nil else { break }
            guard let place = part.place, page.cells.showsSomething(row.firstCell &+ place) else {
                continue
            }
            let cell = cells[row.firstCell &+ place]
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
            let letters = page.title(ofRow: row.row).initials
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
