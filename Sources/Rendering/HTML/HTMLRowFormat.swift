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
            /// A cell that is shown as the row's name; the id where it shows nothing.
            case name
            /// A cell under a column; nothing where it has no value.
            case cell
        }

        let kind: Kind
        /// The type of the column.
        let type: ColumnType
        /// The place of the cell among those of the row.
        let place: Int32
        /// Whether large numbers have marks between groups of digits.
        let groupsDigits: Bool

        init(_ kind: Kind, _ place: Int = 0, _ column: Column? = nil) {
            self.kind = kind
            type = column?.type ?? .text
            groupsDigits = column?.groupsDigits ?? false
            self.place = Int32(place)
        }
    }

    static var nothing: Slot { Slot(.nothing) }

    let values: HTMLValueFormat
    /// A text is escaped twice in a link.
    static var textFactor: Int { 2 * HTMLEscape.longest }

    static func idCount(_ slot: Slot) -> Int {
        switch slot.kind {
        case .id, .name: 1
        case .nothing, .cell: 0
        }
    }

    func longest(_ slot: Slot) -> Int {
        switch slot.kind {
        case .nothing, .id: 0
        case .name, .cell: values.longest
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
        case .name, .cell:
            let cell = cells[row.firstCell &+ Int(slot.place)]
            guard cell.kind == .text, !cell.hasDisplay, cell.textCount > 0, slot.type != .email,
                slot.type != .link
            else {
                room = writing(slot, ofRow: row.row, row.firstCell, of: page, to: room)
                return
            }
            HTMLEscape.write(cell.textStart, count: cell.textCount, of: texts, to: &room)
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
        case .id: page.withID(ofRow: row) { room.append($0) }
        case .name where !page.cells.showsSomething(index):
            page.withID(ofRow: row) { room.append($0) }
        case .name: values.write(index, of: page.cells, to: &room)
        case .cell where page.cells.showsSomething(index):
            values.write(
                index,
                of: page.cells,
                type: slot.type,
                groupsDigits: slot.groupsDigits,
                to: &room
            )
        // An empty text is no missing value.
        case .cell where page.cells[index] != .null: room.append("<br>" as StaticString)
        case .nothing, .cell: break
        }
        return room
    }
}
