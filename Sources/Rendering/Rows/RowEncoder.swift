import Bytes
import Listings

/// Encodes rows that are their cells and nothing else.
///
/// An encoder is compiled for a kind of rows, the columns shown and a format: the bytes that all its
/// rows share are literals, and the values of a row stand in slots between them. Rows that have more
/// than their cells are left to the general writer of the format.
final class RowEncoder<Format: RowFormat> {
    private struct Part {
        let literal: SmallBytes
        let slot: Format.Slot
    }

    private var longestTexts: Int { 4_096 }

    private let format: Format
    private let kind: Int
    private let cellCount: Int
    private let parts: [Part]
    /// The most bytes of a row without its ids and its texts.
    private let longest: Int
    private let idCount: Int

    init(
        kind: Int,
        cellCount: Int,
        format: Format,
        _ build: (inout ByteBuffer, (Format.Slot, borrowing ByteBuffer) -> Void) -> Void
    ) {
        var text = ByteBuffer(minimumCapacity: 512)
        var ends: [(end: Int, slot: Format.Slot)] = []
        ends.reserveCapacity(16)
        build(&text) { slot, text in ends.append((text.count, slot)) }
        ends.append((text.count, Format.nothing))
        var (longest, idCount) = (text.count + ByteBuffer.padding, 0)
        text.reserve(ByteBuffer.padding)
        parts = text.withPadded { text in
            var (parts, start) = ([Part](), 0)
            parts.reserveCapacity(2 * ends.count)
            for (end, slot) in ends {
                while end - start > SmallBytes.longest {
                    parts.append(Part(literal: text.short(start, count: 32), slot: Format.nothing))
                    start += 32
                }
                parts.append(Part(literal: text.short(start, count: end - start), slot: slot))
                start = end
                idCount += Format.idCount(slot)
                longest += format.longest(slot)
            }
            return parts
        }
        self.longest = longest
        self.idCount = idCount
        self.kind = kind
        self.cellCount = cellCount
        self.format = format
    }

    /// Appends rows up to the first that has more than its cells, long texts, or an id that is not
    /// the same in the format and in addresses.
    ///
    /// - Returns: That row; the end of the range where all rows are appended.
    func encode(
        _ rows: Range<Int>,
        of page: borrowing Page,
        to buffer: inout ByteBuffer
    ) -> Int {
        guard page.withIDs({ $0.isPadded }), page.cells.withTexts({ $0.isPadded }) else {
            return rows.lowerBound
        }
        return page.withPaddedIDs { ids in
            page.cells.withCells { cells, texts in
                var (row, room) = (rows.lowerBound, longest)
                while row < rows.upperBound, room > 0 {
                    (row, room) = buffer.append(atLeast: room) { lent in
                        let end = min(row + Self.rowsAtOnce, rows.upperBound)
                        let encoded = encode(row..<end, of: page, cells, texts, ids, to: lent)
                        let (row, needed) = (encoded.row, encoded.needed)
                        lent = encoded.room
                        return (row, needed)
                    }
                }
                return row
            }
        }
    }

    private static var rowsAtOnce: Int { 64 }

    private struct Encoded: ~Copyable {
        let room: ByteWriter
        let row: Int
        let needed: Int
    }

    /// Appends rows up to the first that it cannot encode or that has no room.
    ///
    /// Handed over and taken back, the room stays in registers.
    @inline(never)
    private func encode(
        _ rows: Range<Int>,
        of page: borrowing Page,
        _ cells: borrowing Span<CellBuffer.Slot>,
        _ texts: borrowing PaddedSpan,
        _ ids: borrowing PaddedSpan,
        to room: consuming ByteWriter
    ) -> Encoded {
        let allParts = self.parts
        let parts = allParts.span
        // One check of all rows is enough, because most rows have the same shape.
        let plainIDs = plainIDs(of: rows, of: page, ids)
        let (shortCells, cellLength) = shortCells(of: rows, of: page)
        for row in rows {
            guard let bare = page.plainRow(row), bare.kind == kind else {
                return Encoded(room: room, row: row, needed: 0)
            }
            let id = page.locationOfID(ofRow: row)
            let firstCell = bare.firstCell
            var textLength = cellCount &* cellLength
            if !shortCells.contains(firstCell) || firstCell &+ cellCount > shortCells.upperBound {
                textLength = page.cells.writtenLength(firstCell..<firstCell &+ cellCount)
            }
            guard textLength <= longestTexts,
                id.lowerBound >= plainIDs.lowerBound && id.upperBound <= plainIDs.upperBound
                    ? !id.isEmpty : ids.arePlain(id)
            else {
                return Encoded(room: room, row: row, needed: 0)
            }
            let needed = longest &+ idCount &* id.count &+ Format.textFactor &* textLength
            guard room.count >= needed else {
                return Encoded(room: room, row: row, needed: needed)
            }
            let source = RowSource(
                row: row,
                idStart: id.lowerBound,
                idCount: id.count,
                firstCell: firstCell,
                revision: bare.revision
            )
            for index in parts.indices {
                let part = parts[index]
                room.append(part.literal)
                format.write(part.slot, of: source, page, cells, texts, ids, to: &room)
            }
        }
        return Encoded(room: room, row: rows.upperBound, needed: longest)
    }

    /// The place of the ids of rows where all are plain; else an empty one.
    private func plainIDs(
        of rows: Range<Int>,
        of page: borrowing Page,
        _ ids: borrowing PaddedSpan
    ) -> Range<Int> {
        let start = page.locationOfID(ofRow: rows.lowerBound).lowerBound
        let end = page.locationOfID(ofRow: rows.upperBound - 1).upperBound
        return start < end && ids.arePlain(start..<end) ? start..<end : 0..<0
    }

    /// The place of the cells of rows where all are short; else an empty one.
    ///
    /// - Returns: The place, and the most bytes of the text of a cell.
    private func shortCells(
        of rows: Range<Int>,
        of page: borrowing Page
    ) -> (cells: Range<Int>, length: Int) {
        guard !page.cells.hasDisplays, cellCount > 0,
            let start = page.plainRow(rows.lowerBound)?.firstCell,
            let last = page.plainRow(rows.upperBound - 1)?.firstCell, start <= last,
            last + cellCount <= page.cells.count
        else { return (0..<0, 0) }
        let cells = start..<last + cellCount
        let length = page.cells.longestText(cells)
        return length <= longestTexts / cellCount ? (cells, length) : (0..<0, 0)
    }
}

extension Range<Int> {
    func writeRows(encode: (Range<Int>) -> Int, write: (Int) -> Void) {
        var rows = self
        while !rows.isEmpty {
            let next = encode(rows)
            if next == rows.lowerBound { write(next) }
            rows = Swift.max(next, rows.lowerBound + 1)..<rows.upperBound
        }
    }
}

struct RowSource {
    let row: Int
    let idStart: Int
    let idCount: Int
    let firstCell: Int
    /// The revision of its model; nil when none is kept.
    let revision: Int64?
}

protocol RowFormat {
    associatedtype Slot: BitwiseCopyable, Sendable

    static var nothing: Slot { get }

    /// The number of times that the bytes of a text are written at most, with their escapes.
    static var textFactor: Int { get }

    /// The number of times that a slot writes the id of its row at most.
    static func idCount(_ slot: Slot) -> Int

    func longest(_ slot: Slot) -> Int

    func write(
        _ slot: Slot,
        of row: RowSource,
        _ page: borrowing Page,
        _ cells: borrowing Span<CellBuffer.Slot>,
        _ texts: borrowing PaddedSpan,
        _ ids: borrowing PaddedSpan,
        to room: inout ByteWriter
    )
}

extension PaddedSpan {
    @inline(__always)
    fileprivate func arePlain(_ range: Range<Int>) -> Bool {
        !range.isEmpty && isUnmarked(range) { UnreservedName.marks(in: $0) }
    }
}

extension BlockEscape {
    /// Appends a part of padded texts, escaped: sixteen bytes at a time up to the first escape.
    @inline(__always)
    static func write(
        _ start: Int,
        count: Int,
        of texts: borrowing PaddedSpan,
        to room: inout ByteWriter
    ) {
        let plain = room.append(start, count: count, of: texts) { marks(in: $0) }
        if plain < count {
            room = writing(start &+ plain..<start &+ count, of: texts, to: room)
        }
    }

    // Handed over and taken back, a room stays in registers.
    @inline(never)
    private static func writing(
        _ range: Range<Int>,
        of texts: borrowing PaddedSpan,
        to room: consuming ByteWriter
    ) -> ByteWriter {
        texts.withSpan(range) { write($0, to: &room) }
        return room
    }
}

/// A cache of the row layouts of one list, with their encoders, for pages with the same columns.
package final class RowLayoutCache {
    private struct Key: Equatable {
        let kinds: [Page.Kind]
        let columns: [Column]
        let shown: [Int]?
        let isFlat: Bool
        /// Whether cells have texts that differ from their values, such as labels.
        let hasDisplays: Bool
        let stem: [UInt8]?
        // The traits for HTML only.
        var leading: Set<Int>?
        var isLabelled = false
        var language: PageLanguage?
        var hasBoxes = false

        init(_ page: borrowing Page, in context: RenderContext) {
            kinds = page.kinds
            columns = page.schema.columns
            shown = page.query.columns ?? page.query.displayOrder
            isFlat = page.isFlat
            hasDisplays = page.cells.hasDisplays
            var stem = ByteBuffer(minimumCapacity: 64)
            self.stem = context.links.writeRowStem(to: &stem) ? stem.array() : nil
        }
    }

    private static let maximumCount = 4
    private var json: [(key: Key, layout: JSONRowLayout)] = []
    private var html: [(key: Key, layout: HTMLRowLayout)] = []

    package init() {}

    func json(of page: borrowing Page, in context: RenderContext) -> JSONRowLayout {
        let key = Key(page, in: context)
        if let known = json.first(where: { $0.key == key }) { return known.layout }
        let layout = JSONRowLayout(page, in: context)
        if json.count == Self.maximumCount { json.removeFirst() }
        json.append((key, layout))
        return layout
    }

    /// Returns the HTML layout of a page.
    ///
    /// It is not cached if rows have more than their cells.
    func html(
        of page: borrowing Page,
        _ templates: TemplateSet,
        in context: RenderContext,
        _ language: PageLanguage
    ) -> HTMLRowLayout {
        var key = Key(page, in: context)
        (key.leading, key.isLabelled) = (page.leadingColumns, page.isLabelled)
        key.language = language
        key.hasBoxes = context.bulkRules != nil
        let isPlain =
            page.isFlat && !page.hasActions && !context.canMove && context.references.isEmpty
        if isPlain, let known = html.first(where: { $0.key == key }) { return known.layout }
        let layout = HTMLRowLayout(
            page,
            templates,
            in: context,
            language: language
        )
        // The templates of a layout are those of the page's kinds of rows.
        guard isPlain, !layout.encoders.isEmpty else { return layout }
        if html.count == Self.maximumCount { html.removeFirst() }
        html.append((key, layout))
        return layout
    }
}

enum UnreservedName {
    /// Returns a mask of the bytes that such names cannot contain.
    @inline(__always)
    static func marks(in block: SIMD16<UInt8>) -> ByteMask {
        let noDigit: ByteMask = block &- SIMD16(repeating: 0x30) .> SIMD16(repeating: 9)
        let noUpper: ByteMask = block &- SIMD16(repeating: 0x41) .> SIMD16(repeating: 25)
        let noLower: ByteMask = block &- SIMD16(repeating: 0x61) .> SIMD16(repeating: 25)
        let noSign: ByteMask =
            (block .!= SIMD16(repeating: 0x2D)) .& (block .!= SIMD16(repeating: 0x5F))
            .& (block .!= SIMD16(repeating: 0x7E))
        return noDigit .& noUpper .& noLower .& noSign
    }
}
