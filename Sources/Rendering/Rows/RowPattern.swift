import Bytes
import Listings

/// Rows of one kind that are texts and whole numbers, with all that stands around their ids and
/// values ready to be copied.
///
/// Most rows of most lists are such rows. Whether their texts are short and need no escape is asked
/// of many rows at once; each is then copied part by part, without a branch that depends on a length.
final class RowPattern {
    /// What differs from row to row.
    enum Value {
        /// The id of the row.
        case id
        /// The revision of its model.
        case revision
        /// The text of a cell, by its place among those of the row.
        case text(Int)
        /// The whole number of a cell.
        case integer(Int)
    }

    /// The cells of such rows.
    struct Cells {
        /// How many there are; at least one.
        let count: Int
        /// The places of whole numbers, a bit each, the first cell's lowest; all others are texts.
        private(set) var integers: UInt64 = 0

        /// The cells that a kind of row has on a page; nil where some are meant for other values.
        init?(ofKind kind: Int, of page: borrowing Page) {
            count = page.kinds[kind].cellCount
            guard count > 0, count <= UInt64.bitWidth else { return nil }
            for (column, cell) in zip(page.schema.columns, page.kinds[kind].cellOfColumn) {
                guard let cell, !column.type.isText else { continue }
                guard column.type == .integer else { return nil }
                integers |= 1 << UInt64(cell)
            }
            let texts = ~integers & (~0 >> UInt64(UInt64.bitWidth - count))
            outerTexts =
                texts == 0
                ? nil : texts.trailingZeroBitCount...UInt64.bitWidth - 1 - texts.leadingZeroBitCount
        }

        /// The places of the first and the last text; nil where there is none.
        let outerTexts: ClosedRange<Int>?

        /// What is expected at a place.
        func value(_ place: Int) -> Value {
            integers >> UInt64(place) & 1 == 1 ? .integer(place) : .text(place)
        }
    }

    /// The rows that are asked at once at first, and behind one that looks otherwise: where many do,
    /// no more than these are asked in vain for each.
    private static let fewestAtOnce = 8
    /// The most of them: twice as many each time.
    private static let mostAtOnce = 64
    /// The most bytes for which room is made for rows that are asked at once, if they are several.
    private static let mostRoom = 64 * 1024
    /// The most bytes of a row's texts: room is made for as many escapes.
    private static let longestTexts = 4_096

    private let kind: Int
    private let cells: Cells
    /// Whether its rows have revisions; nil where nothing is told of those.
    private let hasRevision: Bool?
    /// The places of the cells without which a row looks otherwise.
    private let filled: [Int]
    /// The most bytes of a text that is drawn as others are.
    private let longestText: UInt32
    private let template: ByteTemplate<Value>

    /// Creates a pattern.
    ///
    /// - Parameters:
    ///   - kind: The kind of the rows, by its place on the page.
    ///   - cells: The cells that its rows have.
    ///   - hasRevision: Whether its rows have revisions; nil where nothing is told of those.
    ///   - filled: The places of the cells that are not empty.
    ///   - longestText: The most bytes of a text that is drawn as others are.
    ///   - write: Appends what stands around the values, and calls a closure for each in turn.
    init(
        kind: Int,
        cells: Cells,
        hasRevision: Bool?,
        filled: [Int] = [],
        longestText: UInt32 = .max,
        _ write: (inout ByteBuffer, (Value, borrowing ByteBuffer) -> Void) -> Void
    ) {
        self.kind = kind
        self.cells = cells
        self.hasRevision = hasRevision
        self.filled = filled
        self.longestText = longestText
        template = ByteTemplate(write)
    }

    /// Whether it draws rows that are lent to a page.
    func draws(_ stretch: PlainStretch) -> Bool {
        follows(stretch) && filled.allSatisfy { stretch.filled >> UInt64($0) & 1 == 1 }
    }

    /// Appends rows of a page as far as they follow the pattern.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - page: The page, which is flat.
    ///   - escape: How their texts are written.
    ///   - buffer: What they are appended to.
    /// - Returns: The first row that does not follow the pattern, before which all are appended.
    func write<Escape: BlockEscape>(
        _ rows: Range<Int>,
        of page: borrowing Page,
        escape: Escape.Type,
        to buffer: inout ByteBuffer
    ) -> Int {
        if page.hasLentRows { return copyLent(rows, to: page, onto: &buffer) }
        let most = max(1, min(Self.mostAtOnce, Self.mostRoom / template.longest))
        let fewest = min(Self.fewestAtOnce, most)
        var start = rows.lowerBound
        var count = fewest
        while start < rows.upperBound {
            let areInert = page.stretch(ofRow: start)?.areInert == true
            let end = min(start + (areInert ? most : count), rows.upperBound)
            start = writeShort(start..<end, of: page, escape, to: &buffer)
            guard start < end else {
                count = min(count * 2, most)
                continue
            }
            count = fewest
            guard writeEscaped(start, of: page, escape, to: &buffer) else { return start }
            start += 1
        }
        return start
    }

    /// Appends rows as far as their texts are short and none needs an escape.
    private func writeShort<Escape: BlockEscape>(
        _ rows: Range<Int>,
        of page: borrowing Page,
        _: Escape.Type,
        to buffer: inout ByteBuffer
    ) -> Int {
        guard let stretch = page.stretch(ofRow: rows.lowerBound), follows(stretch),
            page.withIDs({ $0.isPadded }), page.cells.withTexts({ $0.isPadded })
        else { return rows.lowerBound }
        let rows = rows.clamped(to: stretch.rows)
        let end =
            stretch.areInert
            ? rows.upperBound : firstEscaped(rows, of: stretch, on: page, Escape.self)
        return end > rows.lowerBound
            ? copy(rows.lowerBound..<end, of: stretch, on: page, to: &buffer) : end
    }

    /// The first of rows whose id or texts need an escape, which is asked of all of them at once; the
    /// end of the rows where none do.
    private func firstEscaped<Escape: BlockEscape>(
        _ rows: Range<Int>,
        of stretch: PlainStretch,
        on page: borrowing Page,
        _: Escape.Type
    ) -> Int {
        let ids = page.placesOfIDs(ofRows: rows)
        let idsEnd = page.withIDs { $0.firstMarked(by: { PlainName.marks(in: $0) }, in: ids) }
        func texts(ofRow row: Int, _ outer: ClosedRange<Int>) -> Range<Int> {
            let first = stretch.cells(ofRow: row).lowerBound
            return page.cells.text(first + outer.lowerBound)
                .lowerBound..<page.cells.text(first + outer.upperBound).upperBound
        }
        var (textsEnd, arePlain) = (Int.max, idsEnd == ids.upperBound)
        if let outer = cells.outerTexts {
            let all =
                texts(ofRow: rows.lowerBound, outer)
                .lowerBound..<texts(ofRow: rows.upperBound - 1, outer).upperBound
            textsEnd = page.cells.withTexts {
                $0.firstMarked(by: { Escape.marks(in: $0) }, in: all)
            }
            arePlain = arePlain && textsEnd == all.upperBound
        }
        if arePlain { return rows.upperBound }
        return rows.first { row in
            page.placeOfID(ofRow: row).upperBound > idsEnd
                || cells.outerTexts.map { texts(ofRow: row, $0).upperBound > textsEnd } == true
        } ?? rows.upperBound
    }

    /// Appends rows of a stretch that need no escape, as far as they follow the pattern otherwise.
    private func copy(
        _ rows: Range<Int>,
        of stretch: PlainStretch,
        on page: borrowing Page,
        to buffer: inout ByteBuffer
    ) -> Int {
        let all =
            stretch.cells(ofRow: rows.lowerBound)
            .lowerBound..<stretch.cells(ofRow: rows.upperBound - 1).upperBound
        return page.withPaddedIDs { ids in
            page.cells.withShort(all) { cells, texts in
                buffer.append(atMost: rows.count * template.longest) { lent in
                    // What is lent stays in memory, what is owned in registers.
                    var room = lent
                    var (row, first) = (rows.lowerBound, 0)
                    // All rows of a file have one revision.
                    var known = (revision: UInt64(0), text: ShortBytes(decimal: 0))
                    while row < rows.upperBound, isFilled(all.lowerBound &+ first, of: page) {
                        if hasRevision == true {
                            guard let revision = page.countedRevision(ofRow: row),
                                revision < ShortBytes.decimalEnd
                            else { break }
                            if known.revision != revision {
                                known = (revision, ShortBytes(decimal: revision))
                            }
                        }
                        let place = page.placeOfID(ofRow: row)
                        append(
                            ids.short(at: place.lowerBound, count: place.count),
                            known.text,
                            cells,
                            from: first,
                            texts,
                            from: 0,
                            to: &room
                        )
                        row &+= 1
                        first &+= self.cells.count
                    }
                    lent = room
                    return row
                }
            }
        }
    }

    /// Appends rows that are lent to a page, as far as it draws them: others are of another kind.
    ///
    /// - Returns: The first that it does not draw.
    private func copyLent(
        _ rows: Range<Int>,
        to page: borrowing Page,
        onto buffer: inout ByteBuffer
    ) -> Int {
        var start = rows.lowerBound
        while start < rows.upperBound, let stretch = page.stretch(ofRow: start),
            let lender = stretch.lender, draws(stretch)
        {
            let own = (start..<rows.upperBound).clamped(to: stretch.rows)
            copy(own, lentBy: lender, to: page, onto: &buffer)
            start = own.upperBound
        }
        return start
    }

    /// Appends rows that are lent to a page, of a stretch that it draws.
    private func copy(
        _ rows: Range<Int>,
        lentBy lender: Int,
        to page: borrowing Page,
        onto buffer: inout ByteBuffer
    ) {
        page.withLentRows(rows, of: lender) { kept, positions in
            kept.withTexts { cells, bytes in
                buffer.append(atMost: rows.count * template.longest) { lent in
                    // What is lent stays in memory, what is owned in registers.
                    var room = lent
                    var known = (revision: Int64(0), text: ShortBytes(decimal: 0))
                    for index in positions.indices {
                        let position = positions[index]
                        let record = kept.records[position]
                        if let revision = record.revision, revision != known.revision {
                            known = (revision, ShortBytes(decimal: UInt64(revision)))
                        }
                        append(
                            bytes.short(at: Int(record.start), count: Int(record.idCount)),
                            known.text,
                            cells,
                            from: position &* self.cells.count,
                            bytes,
                            from: record.startOfTexts,
                            to: &room
                        )
                    }
                    lent = room
                }
            }
        }
    }

    /// Appends a row that needs no escape.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - revision: The revision of its model.
    ///   - cells: Have its cells.
    ///   - first: The place of the first of them.
    ///   - texts: Have their texts.
    ///   - start: What the places of those are counted from.
    ///   - room: Takes the row.
    @inline(__always)
    private func append(
        _ id: ShortBytes,
        _ revision: ShortBytes,
        _ cells: borrowing Span<CellBuffer.Slot>,
        from first: Int,
        _ texts: borrowing PaddedBytes,
        from start: Int,
        to room: inout ByteRoom
    ) {
        room.append(template) { value in
            switch value {
            case .id: id
            case .revision: revision
            case .text(let place): cells[first &+ place].shortText(in: texts, from: start)
            case .integer(let place): ShortBytes(decimal: cells[first &+ place].shortInteger)
            }
        }
    }

    /// Appends a row with texts of any length, which may need escapes.
    ///
    /// - Returns: false where it does not follow the pattern; nothing is appended then.
    private func writeEscaped<Escape: TextEscape>(
        _ index: Int,
        of page: borrowing Page,
        _: Escape.Type,
        to buffer: inout ByteBuffer
    ) -> Bool {
        guard let row = page.bareRow(index), follows(row),
            page.cells.arePlain(
                cells(of: row),
                ofAtMost: longestText,
                integers: cells.integers
            ),
            page.cells.textLength(cells(of: row)) <= Self.longestTexts,
            isFilled(row.firstCell, of: page)
        else { return false }
        return page.withID(ofRow: index) { id in
            guard PlainName.holds(id) else { return false }
            // Numbers and parts take no more than with short values.
            let further = template.sum { value in
                switch value {
                case .id: id.count
                case .revision, .integer: 0
                case .text(let place):
                    page.cells.textLength(row.firstCell + place..<row.firstCell + place + 1)
                        * Escape.longest
                }
            }
            buffer.append(atMost: template.longest + further) { lent in
                var room = lent
                template.write(to: &room) { value, room in
                    switch value {
                    case .id: room.append(id)
                    case .revision: room.append(decimal: row.revision ?? 0)
                    case .integer(let place):
                        room.append(decimal: page.cells.shortInteger(row.firstCell + place))
                    case .text(let place):
                        page.cells.withText(row.firstCell + place) {
                            Escape.write($0, to: &room)
                        }
                    }
                }
                lent = room
            }
            return true
        }
    }

    @inline(__always)
    private func cells(of row: BareRow) -> Range<Int> {
        row.firstCell..<row.firstCell + cells.count
    }

    @inline(__always)
    private func follows(_ row: BareRow) -> Bool {
        row.kind == kind && (hasRevision == nil || hasRevision == (row.revision != nil))
    }

    private func follows(_ stretch: PlainStretch) -> Bool {
        stretch.kind == kind && (hasRevision == nil || hasRevision == stretch.hasRevision)
            && stretch.integers == cells.integers
    }

    @inline(__always)
    private func isFilled(_ firstCell: Int, of page: borrowing Page) -> Bool {
        for place in filled where page.cells.isEmptyText(firstCell &+ place) { return false }
        return true
    }
}
