import Bytes
import Listings

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
        /// Whether texts are shown as they are, unless they are addresses.
        let isPlain: Bool
        let location: Int32
        let column: Int32

        init(_ kind: Kind, _ location: Int = 0, column: Int = 0, isPlain: Bool = true) {
            self.kind = kind
            self.isPlain = isPlain
            self.location = Int32(location)
            self.column = Int32(column)
        }
    }

    static var nothing: Slot { Slot(.nothing) }

    let values: HTMLValueFormat
    let styles: [CellStyle]
    let location: CellLocation
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
        case .name: values.longest
        case .cell: values.longest + styles[Int(slot.column)].longest
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
            let cell = cells[row.firstCell &+ Int(slot.location)]
            guard cell.kind == .text, !cell.hasDisplay, cell.textCount > 0, slot.isPlain,
                slot.kind == .name
                    || cell.textCount <= HTMLValueFormat.longestLine
                        && texts.isUnmarked(
                            cell.textStart..<cell.textStart &+ cell.textCount,
                            by: Self.marks
                        )
            else {
                room = writing(slot, ofRow: row.row, row.firstCell, of: page, to: room)
                return
            }
            HTMLEscape.write(cell.textStart, count: cell.textCount, of: texts, to: &room)
        }
    }

    @inline(__always)
    private static func marks(in block: SIMD16<UInt8>) -> ByteMask {
        (block .== SIMD16(repeating: UInt8(ascii: ":")))
            .| (block .== SIMD16(repeating: UInt8(ascii: "@")))
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
        let index = firstCell + Int(slot.location)
        switch slot.kind {
        case .id: page.withID(ofRow: row) { room.append($0) }
        case .name where !page.cells.showsSomething(index):
            page.withID(ofRow: row) { room.append($0) }
        case .name: values.write(index, of: page.cells, to: &room)
        case .cell where page.cells.showsSomething(index):
            values.write(index, of: page.cells, styles[Int(slot.column)], in: location, to: &room)
        // An empty text is no missing value.
        case .cell where page.cells[index] != .null: room.append("<br>" as StaticString)
        case .nothing, .cell: break
        }
        return room
    }
}
