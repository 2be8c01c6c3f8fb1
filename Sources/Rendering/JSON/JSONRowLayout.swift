import Bytes
import Listings

final class JSONRowLayout {
    struct Field {
        let column: Int
        let key: Range<Int>
    }

    private(set) var text = ByteBuffer(minimumCapacity: 512)
    private(set) var fields: [Field] = []
    private var encoders: [RowEncoder<JSONRowFormat>] = []

    init(_ page: borrowing Page, in context: RenderContext? = nil) {
        let columns = page.schema.columns
        let shown = page.shownColumns
        fields.reserveCapacity(shown.count)
        for column in shown {
            let start = text.count
            JSONValueEncoder.write(columns[column].id.utf8.span, to: &text)
            text.append(UInt8(ascii: ":"))
            fields.append(Field(column: column, key: start..<text.count))
        }
        // Room for a row is made for each of its cells once.
        let isShownOnce = page.query.columns == nil || Set(shown).count == shown.count
        var stem = ByteBuffer(minimumCapacity: 64)
        guard let context, page.isFlat, isShownOnce, context.links.writeRowStem(to: &stem) else {
            return
        }
        for kind in page.kinds.indices {
            encoders.append(encoder(ofKind: kind, of: page, stem: stem))
        }
    }

    /// Appends rows up to the first that the encoder of the first of them cannot encode.
    ///
    /// - Returns: That row; the end of the range where all rows are appended.
    func encode(
        _ rows: Range<Int>,
        of page: borrowing Page,
        to buffer: inout ByteBuffer
    ) -> Int {
        guard !encoders.isEmpty, let first = rows.first, let bare = page.plainRow(first) else {
            return rows.lowerBound
        }
        return encoders[bare.kind].encode(rows, of: page, to: &buffer)
    }

    private func encoder(
        ofKind position: Int,
        of page: borrowing Page,
        stem: borrowing ByteBuffer
    ) -> RowEncoder<JSONRowFormat> {
        let kind = page.kinds[position]
        var format = JSONRowFormat()
        if page.cells.hasDisplays {
            format.keys = text.array()
            format.shown = fields.compactMap { field in
                kind.cellOfColumn[field.column].map { (field.key, $0) }
            }
        }
        return RowEncoder(kind: position, cellCount: kind.cellCount, format: format) { row, slot in
            row.append("{\"id\":\"")
            slot(.init(.id), row)
            row.append("\",\"kind\":")
            JSONValueEncoder.write(kind.name.utf8.span, to: &row)
            slot(.init(.etag), row)
            row.append(",\"cells\":{")
            var isFirst = true
            for field in fields {
                guard let location = kind.cellOfColumn[field.column] else { continue }
                if !isFirst { row.append(",") }
                isFirst = false
                row.append(field.key, of: text)
                slot(.init(.cell, location), row)
            }
            row.append("}")
            if !format.shown.isEmpty { slot(.init(.displays), row) }
            row.append(",\"links\":{\"self\":\"")
            stem.withBytes { JSONEscape.write($0, to: &row) }
            slot(.init(.id), row)
            row.append("\"}},")
        }
    }
}

extension JSONWriter {
    /// Appends rows up to the first that has more than its cells.
    ///
    /// - Returns: That row; the end of the range where all rows are appended.
    mutating func rows(
        _ rows: Range<Int>,
        of page: borrowing Page,
        _ layout: JSONRowLayout
    ) -> Int {
        let (start, follows) = (buffer.count, needsComma)
        separate()
        let next = layout.encode(rows, of: page, to: &buffer)
        if next > rows.lowerBound {
            // A comma stands behind each of them.
            buffer.truncate(to: buffer.count - 1)
        } else {
            buffer.truncate(to: start)
            needsComma = follows
        }
        return next
    }
}

extension JSONWriter {
    mutating func value(_ index: Int, of cells: borrowing CellBuffer) {
        separate()
        JSONValueEncoder.write(index, of: cells, to: &buffer)
    }

    /// Appends a member for each cell of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - page: The page it stands on.
    ///   - layout: The columns shown.
    ///   - links: Have the addresses of bytes; nil writes none.
    ///   - omitsMissing: Whether cells that the kind of the row lacks are omitted, not null.
    /// - Returns: Whether any cell shows people another text than its value.
    @discardableResult
    mutating func cells(
        ofRow row: Int,
        of page: borrowing Page,
        _ layout: JSONRowLayout,
        _ links: (any PageLinks)?,
        omitsMissing: Bool = false
    ) -> Bool {
        var hasDisplay = false
        for index in 0..<layout.fields.count {
            let column = layout.fields[index].column
            if omitsMissing, page.cell(row: row, column: column) == nil { continue }
            key(layout.fields[index].key, of: layout.text)
            if let cell = page.cell(row: row, column: column) {
                if let links, links.linksCell(cell, ofRow: row, of: page) {
                    bytes(cell, inColumn: column, ofRow: row, of: page, links)
                } else {
                    value(cell, of: page.cells)
                }
                hasDisplay = hasDisplay || page.cells.hasDisplay(cell)
            } else {
                null()
            }
        }
        return hasDisplay
    }

    private mutating func bytes(
        _ cell: Int,
        inColumn column: Int,
        ofRow row: Int,
        of page: borrowing Page,
        _ links: any PageLinks
    ) {
        guard case .bytes(let count) = page.cells[cell] else { return null() }
        object { writer in
            writer.member("bytes", count)
            writer.string("href") { address in
                page.withID(ofRow: row) { links.writeCell(column: column, ofRow: $0, to: &address) }
            }
        }
    }

    /// Appends the member `display`: the texts for people, where they differ from the values.
    mutating func display(
        ofRow row: Int,
        of page: borrowing Page,
        _ layout: JSONRowLayout
    ) {
        object("display") { writer in
            for field in layout.fields {
                guard let cell = page.cell(row: row, column: field.column),
                    page.cells.hasDisplay(cell)
                else { continue }
                writer.key(field.key, of: layout.text)
                page.cells.withDisplay(cell) { writer.string($0) }
            }
        }
    }

    mutating func failure(_ code: RowFailure.Code) {
        object("error") { writer in
            writer.member("code", code.rawValue)
            writer.member("detail", code.text.description)
        }
    }
}

struct JSONRowFormat: RowFormat {
    /// A place in a row where something differs from row to row.
    ///
    /// Flat: values of cases are packed into few bits, which takes a dozen instructions to undo.
    struct Slot: BitwiseCopyable {
        enum Kind: BitwiseCopyable {
            case nothing, id
            /// The member `etag`; nothing without a revision.
            case etag
            case cell
            /// The member `display`; nothing where all values of the row are read as they are.
            case displays
        }

        let kind: Kind
        let location: Int32

        init(_ kind: Kind, _ location: Int = 0) {
            self.kind = kind
            self.location = Int32(location)
        }
    }

    static var nothing: Slot { Slot(.nothing) }

    /// The columns that rows of the kind have, in their order, as places of their names in `keys` and
    /// of their cells; empty where all values are read as they are.
    var shown: [(key: Range<Int>, location: Int)] = []
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
            let cell = cells[row.firstCell &+ Int(slot.location)]
            if cell.kind == .text {
                room.append(UInt8(ascii: "\""))
                JSONEscape.write(cell.textStart, count: cell.textCount, of: texts, to: &room)
                room.append(UInt8(ascii: "\""))
            } else {
                room = Self.writingPlain(row.firstCell &+ Int(slot.location), of: page, to: room)
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
        for column in shown where page.cells.hasDisplay(firstCell + column.location) {
            room.append(isFirst ? ",\"display\":{" : "," as StaticString)
            isFirst = false
            room.append(keys.span.extracting(column.key))
            page.cells.withDisplay(firstCell + column.location) {
                JSONValueEncoder.write($0, to: &room)
            }
        }
        if !isFirst { room.append(UInt8(ascii: "}")) }
        return room
    }
}
