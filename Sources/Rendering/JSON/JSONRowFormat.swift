import Bytes
import Listings

/// Writes the values of rows as JSON.
struct JSONRowFormat: RowFormat {
    /// A place in a row where something differs from row to row.
    ///
    /// Flat: values of cases are packed into few bits, which takes a dozen instructions to undo.
    struct Slot: BitwiseCopyable {
        enum Kind: BitwiseCopyable {
            case nothing, id
            /// The member `etag`; nothing without a revision.
            case etag
            /// A value.
            case cell
            /// The member `display`; nothing where all values of the row are read as they are.
            case displays
        }

        let kind: Kind
        /// The place of the cell among those of the row.
        let place: Int32

        init(_ kind: Kind, _ place: Int = 0) {
            self.kind = kind
            self.place = Int32(place)
        }
    }

    static var nothing: Slot { Slot(.nothing) }

    /// The columns that rows of the kind have, in their order, as places of their names in `keys` and
    /// of their cells; empty where all values are read as they are.
    var shown: [(key: Range<Int>, place: Int)] = []
    /// Names of columns, with colons.
    var keys: [UInt8] = []

    static var textFactor: Int { JSONEscape.longest }

    static func idCount(_ slot: Slot) -> Int {
        switch slot.kind {
        case .id, .etag: 1
        case .nothing, .cell, .displays: 0
        }
    }

    func longest(_ slot: Slot) -> Int {
        switch slot.kind {
        case .nothing, .id: 0
        case .etag: 48
        case .cell: JSONValueEncoder.longest
        case .displays: shown.reduce(32) { $0 + $1.key.count + 4 }
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
        case .cell:
            let cell = cells[row.firstCell &+ Int(slot.place)]
            if cell.kind == .text {
                room.append(UInt8(ascii: "\""))
                JSONEscape.write(cell.textStart, count: cell.textCount, of: texts, to: &room)
                room.append(UInt8(ascii: "\""))
            } else {
                room = Self.writingPlain(row.firstCell &+ Int(slot.place), of: page, to: room)
            }
        case .nothing: return
        case .id: room.append(row.idStart, count: row.idCount, of: ids)
        case .etag:
            guard let revision = row.revision else { return }
            room.append(",\"etag\":\"\\\"" as StaticString)
            room.append(row.idStart, count: row.idCount, of: ids)
            room.append(UInt8(ascii: "-"))
            room.append(decimal: revision)
            room.append("\\\"\"" as StaticString)
        case .displays: room = writingDisplays(from: row.firstCell, of: page, to: room)
        }
    }

    // Handed over and taken back, a room stays in registers.
    @inline(never)
    private static func writingPlain(
        _ index: Int,
        of page: borrowing Page,
        to room: consuming ByteWriter
    ) -> ByteWriter {
        JSONValueEncoder.writePlain(index, of: page.cells, to: &room)
        return room
    }

    @inline(never)
    private func writingDisplays(
        from firstCell: Int,
        of page: borrowing Page,
        to room: consuming ByteWriter
    ) -> ByteWriter {
        var isFirst = true
        for column in shown where page.cells.hasDisplay(firstCell + column.place) {
            room.append(isFirst ? ",\"display\":{" : "," as StaticString)
            isFirst = false
            room.append(keys.span.extracting(column.key))
            page.cells.withDisplay(firstCell + column.place) {
                JSONValueEncoder.write($0, to: &room)
            }
        }
        if !isFirst { room.append(UInt8(ascii: "}")) }
        return room
    }
}
