import Bytes
import Listings

/// Writes the values of rows as JSON.
struct JSONRowFormat: RowFormat {
    /// A place in a row where something differs from row to row.
    enum Slot {
        case id
        /// The member `etag`; nothing where no revision is kept.
        case etag
        /// A value, by its place among the cells of the row.
        case cell(Int)
        /// The member `display`; nothing where all values are read as they are.
        case displays
    }

    /// A column whose cells are shown.
    struct Shown {
        /// Its name, with the colon.
        let key: JSONKey
        let place: Int
    }

    /// The columns that rows of the kind have, in their order.
    let shown: [Shown]

    static var textFactor: Int { JSONEscape.longest }

    static func idCount(_ slot: Slot) -> Int {
        switch slot {
        case .id, .etag: 1
        case .cell, .displays: 0
        }
    }

    func longest(_ slot: Slot) -> Int {
        switch slot {
        case .id: 0
        case .etag: 48
        case .cell: JSONSpelling.longest
        case .displays: shown.reduce(32) { $0 + $1.key.bytes.count + 4 }
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
        case .etag:
            guard let revision = row.revision else { return }
            room.append(",\"etag\":\"\\\"" as StaticString)
            room.append(row.id, of: ids)
            room.append(UInt8(ascii: "-"))
            room.append(decimal: revision)
            room.append("\\\"\"" as StaticString)
        case .cell(let place):
            let cell = cells[row.firstCell &+ place]
            switch cell.kind {
            case .text:
                room.append(UInt8(ascii: "\""))
                JSONEscape.write(cell.textStart, count: cell.textCount, of: texts, to: &room)
                room.append(UInt8(ascii: "\""))
            case .null: JSONSpelling.writeNull(to: &room)
            case .integer: JSONSpelling.write(cell.integer, to: &room)
            case .real, .boolean, .date, .decimal, .timestamp, .json, .bytes:
                JSONSpelling.writePlain(row.firstCell &+ place, of: page.cells, to: &room)
            }
        case .displays:
            var isFirst = true
            for column in shown where cells[row.firstCell &+ column.place].hasDisplay {
                room.append(isFirst ? ",\"display\":{" : "," as StaticString)
                isFirst = false
                room.append(column.key.bytes.span)
                page.cells.withDisplay(row.firstCell &+ column.place) {
                    JSONSpelling.write($0, to: &room)
                }
            }
            if !isFirst { room.append(UInt8(ascii: "}")) }
        }
    }
}
