public import Bytes

/// The rows of models that say all there is to show: written once, and copied onto each page or lent
/// to it.
///
/// A controller whose cells are of their model alone (``RowController/dependsOnModelAlone``) would
/// write the same ones for each page. Kept are the ids, the cells and what names of pages say of a row;
/// what is drawn of them is not. Only rows are kept that a ``PlainStretch`` may have, all of one shape:
/// the others are written for each page.
///
/// A row takes 24 bytes, 16 for each cell, and those of its id, name and texts; the memory for cells
/// and texts may be twice as much, as it grows by doubling.
@usableFromInline
package final class KeptRows: Sendable {
    /// The most bytes that the rows of one run may take; of more none are kept.
    static let mostBytes = 64 << 20

    /// What is kept of a row besides its cells; 24 bytes.
    @usableFromInline
    package struct Record: BitwiseCopyable, Sendable {
        /// Where its id begins, behind which stand its name and its texts.
        @usableFromInline package fileprivate(set) var start: UInt32 = 0
        /// The bytes of its texts.
        fileprivate(set) var textCount: UInt16 = 0
        /// The bytes of its id; 0 where the row is not kept.
        @usableFromInline package fileprivate(set) var idCount: UInt8 = 0
        /// The bytes of its name.
        @usableFromInline fileprivate(set) var nameCount: UInt8 = 0
        /// The revision of its model.
        @usableFromInline package fileprivate(set) var revision: Int64?
        /// Whether its id is a plain name, and its texts are inert.
        fileprivate(set) var isInert = false
        /// Whether it may be drawn where it is: it is inert, and its revision short.
        fileprivate(set) var mayBeLent = false

        /// Where its texts begin.
        @inlinable
        package var startOfTexts: Int { Int(start) &+ Int(idCount) &+ Int(nameCount) }
    }

    /// A record for each model.
    @usableFromInline package let records: TrivialBuffer<Record>
    /// The cells of all models, the texts of each counted from its first one.
    @usableFromInline package let slots: TrivialBuffer<CellBuffer.Slot>
    /// Ids, names and texts; padded.
    @usableFromInline package let bytes: ByteBuffer
    /// What is the same for all rows.
    let rows: PlainRows
    /// Which of a row's cells are whole numbers, as ``PlainStretch/integers`` says it.
    let integers: UInt64
    /// Which cells have no empty text in any row, as ``PlainStretch/filled`` says it.
    let filled: UInt64
    /// Whether the models have revisions.
    let hasRevision: Bool
    /// Whether names of pages have some of the ids in front.
    let hasLongIDs: Bool

    /// Writes the rows of models; nil where they would take too much, or not most of them can be kept.
    ///
    /// - Parameters:
    ///   - models: The models; several.
    ///   - writer: Writes their rows.
    ///   - mostBytes: The most bytes that they may take.
    /// - Complexity: O(models).
    convenience init?<Model>(
        _ models: [Model],
        by writer: PlainWriter<Model>,
        mostBytes: Int = KeptRows.mostBytes
    ) {
        var making = KeptRowsInMaking(writer.rows, capacity: models.count)
        guard making.write(models, by: writer, mostBytes: mostBytes) else { return nil }
        self.init(making)
    }

    private init(_ making: consuming KeptRowsInMaking) {
        making.bytes.reserve(ByteBuffer.padding)
        rows = making.rows
        integers = making.shape?.integers ?? 0
        filled = making.filled
        hasRevision = making.shape?.hasRevision ?? false
        hasLongIDs = making.hasLongIDs
        records = making.records
        slots = making.slots
        bytes = making.bytes
    }
}

/// Rows that are being written to be kept.
private struct KeptRowsInMaking: ~Copyable {
    /// The models whose rows are written together.
    private static let batch = 256

    let rows: PlainRows
    var records: TrivialBuffer<KeptRows.Record>
    var slots = TrivialBuffer<CellBuffer.Slot>(minimumCapacity: 64)
    var bytes = ByteBuffer(minimumCapacity: 4096)
    var keptCount = 0
    /// That of the first row kept.
    var shape: (integers: UInt64, hasRevision: Bool)?
    var hasLongIDs = false
    /// Which cells have had no empty text yet.
    var filled = UInt64.max

    init(_ rows: PlainRows, capacity: Int) {
        self.rows = rows
        records = TrivialBuffer(minimumCapacity: max(1, capacity))
    }

    mutating func write<Model>(
        _ models: [Model],
        by writer: PlainWriter<Model>,
        mostBytes: Int
    ) -> Bool {
        let least =
            MemoryLayout<KeptRows.Record>.stride
            + rows.columns.count * MemoryLayout<CellBuffer.Slot>.stride
        guard models.count <= mostBytes / least else { return false }
        // Written as onto any page, and taken from it.
        var page = Page(list: "", schema: .withoutColumns)
        var start = 0
        while start < models.count {
            let end = min(start + Self.batch, models.count)
            write(start..<end, of: models, by: writer, &page)
            guard bytes.count + end * least <= mostBytes else { return false }
            start = end
        }
        // Where most are written for each page, what the others spare is not worth their memory.
        return keptCount > models.count / 2
    }

    private mutating func write<Model>(
        _ range: Range<Int>,
        of models: [Model],
        by writer: PlainWriter<Model>,
        _ page: inout Page
    ) {
        page.begin(ListQuery(shape: .flow(limit: range.count)), version: page.version)
        page.beginSection(SectionInfo("all"))
        writer.writeElements(models, Array(range).span, &page)
        page.findStretches()
        guard page.isFlat || range.count == 1 else {
            // One that cannot be shown keeps the others from being alike.
            for position in range {
                write(position..<position + 1, of: models, by: writer, &page)
            }
            return
        }
        page.hashKindsOfWindow()
        for row in 0..<page.rowCount { add(row, of: page) }
    }

    private mutating func add(_ row: Int, of page: borrowing Page) {
        var record = KeptRows.Record()
        defer { records.append(record) }
        let cellCount = rows.columns.count
        guard let stretch = page.stretch(ofRow: row),
            shape == nil
                || shape?.integers == stretch.integers
                    && shape?.hasRevision == stretch.hasRevision
        else {
            for _ in 0..<cellCount { slots.append(CellBuffer.Slot(kind: .null)) }
            return
        }
        shape = (stretch.integers, stretch.hasRevision)
        keptCount += 1
        record.start = UInt32(bytes.count)
        page.withID(ofRow: row) {
            bytes.append($0)
            hasLongIDs = hasLongIDs || IDNumber.readable($0) == nil
        }
        record.idCount = UInt8(bytes.count - Int(record.start))
        let name = bytes.count
        bytes.append(atMost: WindowToken.longestItem) { page.writeName(ofRow: row, to: &$0) }
        record.nameCount = UInt8(bytes.count - name)
        record.revision = page.revision(ofRow: row)
        let texts = bytes.count
        record.textCount = UInt16(page.cells.move(stretch.cells(ofRow: row), to: &slots, &bytes))
        record.isInert = bytes.withBytes { bytes in
            PlainName.holds(bytes.extracting(Int(record.start)..<name))
                && InertText.holds(bytes.extracting(texts...))
        }
        let revision = record.revision.map { UInt64(exactly: $0) ?? .max } ?? 0
        record.mayBeLent = record.isInert && revision < ShortBytes.decimalEnd
        for (place, cell) in stretch.cells(ofRow: row).enumerated()
        where page.cells.isEmptyText(cell) {
            filled &= ~(1 << UInt64(place))
        }
    }
}

extension CellBuffer {
    /// Appends copies of cells to other ones, and their texts, which stand one behind the other.
    ///
    /// - Returns: The bytes of the texts, from the first of which their places are counted.
    fileprivate func move(
        _ range: Range<Int>,
        to slots: inout TrivialBuffer<Slot>,
        _ texts: inout ByteBuffer
    ) -> Int {
        let start = texts.count
        for index in range {
            var slot = self.slots[index]
            if slot.kind == .text {
                slot.payload = UInt64(texts.count - start)
                withText(index) { texts.append($0) }
            }
            slots.append(slot)
        }
        return texts.count - start
    }
}

extension Page {
    /// Whether rows appended now may be those kept.
    ///
    /// A page knows kinds by their names: rows of another controller may have another number of cells,
    /// which is told where they are written.
    mutating func takes(_ kept: KeptRows) -> Bool {
        takesPlainRows && plainKind(of: kept.rows).cellCount == kept.rows.columns.count
    }

    /// Appends rows that are kept to the section begun last, up to the first that is not.
    ///
    /// - Parameters:
    ///   - positions: Those of the models.
    ///   - kept: Has the rows of the models.
    /// - Returns: How many there were.
    mutating func append(_ positions: borrowing Span<Int>, of kept: KeptRows) -> Int {
        if lend(positions, of: kept) { return positions.count }
        gatherLentRows()
        var end = 0
        while end < positions.count, kept.records[positions[end]].idCount > 0 { end &+= 1 }
        guard end > 0 else { return 0 }
        let stretch = gather(positions.extracting(..<end), of: kept)
        endPlainRows()
        appendKept(stretch)
        return end
    }

    /// Copies rows that are kept onto the page.
    ///
    /// - Returns: The stretch that they are.
    mutating func gather(_ positions: borrowing Span<Int>, of kept: KeptRows) -> PlainStretch {
        let kind = plainKind(of: kept.rows)
        let (firstRow, firstCell, firstName) = (rowSlots.count, cells.count, rowNames.count)
        var (textCount, areInert) = (0, true)
        for index in positions.indices {
            let record = kept.records[positions[index]]
            areInert = areInert && record.isInert
            textCount &+= Int(record.textCount)
        }
        // One by one: what each loop needs stays in registers.
        kept.appendIDs(positions, to: &ids, &rowSlots, kind, firstCell: firstCell)
        rowNames.append(atMost: (positions.count + 1) * ShortBytes.longest) {
            kept.appendNames(positions, to: &$0)
        }
        ownCells.append(positions, of: kept, kind.cellCount, textCount: textCount)
        return PlainStretch(
            rows: firstRow..<rowSlots.count,
            kind: kind.position,
            hasRevision: kept.hasRevision,
            integers: kept.integers,
            firstCell: firstCell,
            cellCount: kind.cellCount,
            names: firstName..<rowNames.count,
            areInert: areInert,
            filled: kept.filled
        )
    }
}

extension PlainStretch {
    /// Rows that are lent to a page.
    init(lent rows: Range<Int>, _ kind: PlainKind, _ kept: KeptRows, _ lender: Int) {
        self.init(
            rows: rows,
            kind: kind.position,
            hasRevision: kept.hasRevision,
            integers: kept.integers,
            firstCell: 0,
            cellCount: kind.cellCount,
            areInert: true,
            filled: kept.filled,
            lender: lender
        )
    }
}

extension KeptRows {
    /// Lends the cells of all rows, and what their texts stand among, for reading short ones.
    @inlinable
    @inline(__always)
    package func withTexts<R>(
        _ body: (_ cells: borrowing Span<CellBuffer.Slot>, _ texts: borrowing PaddedBytes) -> R
    ) -> R {
        bytes.withPadded { bytes in slots.withSpan(0..<slots.count) { body($0, bytes) } }
    }

    /// Where rows end that are written for each page: the one at a place, which is, and those behind it
    /// that are not kept.
    func endOfOthers(_ positions: borrowing Span<Int>, from start: Int) -> Int {
        var end = start + 1
        while end < positions.count, records[positions[end]].idCount == 0 { end += 1 }
        return end
    }

    /// Appends the ids of rows, and where they and their cells are on a page.
    fileprivate func appendIDs(
        _ positions: borrowing Span<Int>,
        to ids: inout ByteBuffer,
        _ rowSlots: inout TrivialBuffer<Page.RowSlot>,
        _ kind: PlainKind,
        firstCell: Int
    ) {
        let start = ids.count
        bytes.withPadded { bytes in
            ids.append(atMost: (positions.count + 1) * ShortBytes.longest) { lent in
                // What is lent stays in memory, what is owned in registers.
                var room = lent
                var (place, cell) = (start, firstCell)
                for index in positions.indices {
                    let record = records[positions[index]]
                    let count = Int(record.idCount)
                    room.append(bytes.short(at: Int(record.start), count: count))
                    var slot = Page.RowSlot(
                        kind: kind.position,
                        idStart: place,
                        idEnd: place &+ count,
                        revision: record.revision,
                        level: 0
                    )
                    slot.firstCell = Int32(truncatingIfNeeded: cell)
                    rowSlots.append(slot)
                    place &+= count
                    cell &+= kind.cellCount
                }
                lent = room
            }
        }
    }

    /// Whether all rows may be drawn where they are.
    func mayLend(_ positions: borrowing Span<Int>) -> Bool {
        for index in positions.indices where !records[positions[index]].mayBeLent { return false }
        return !positions.isEmpty
    }

    /// Appends what names of pages say of rows; there must be room for 32 bytes more.
    func appendNames(_ positions: borrowing Span<Int>, to lent: inout ByteRoom) {
        bytes.withPadded { bytes in
            // What is lent stays in memory, what is owned in registers.
            var room = lent
            for index in positions.indices {
                let record = records[positions[index]]
                let start = Int(record.start) &+ Int(record.idCount)
                room.append(bytes.short(at: start, count: Int(record.nameCount)))
            }
            lent = room
        }
    }
}

extension CellBuffer {
    /// Appends the cells of kept rows, whose texts have so many bytes.
    fileprivate mutating func append(
        _ positions: borrowing Span<Int>,
        of kept: KeptRows,
        _ cellCount: Int,
        textCount: Int
    ) {
        var text = UInt64(truncatingIfNeeded: bytes.count)
        if kept.integers == 0 {
            slots.append(runs: positions, ofLength: cellCount, of: kept.slots) { position in
                defer { text &+= UInt64(kept.records[position].textCount) }
                return text
            }
        } else {
            for index in positions.indices {
                let first = positions[index] * cellCount
                for cell in first..<first + cellCount {
                    var slot = kept.slots[cell]
                    slot.payload &+= slot.kind == .text ? text : 0
                    slots.append(slot)
                }
                text &+= UInt64(kept.records[positions[index]].textCount)
            }
        }
        kept.bytes.withPadded { padded in
            bytes.append(atMost: textCount + ByteBuffer.padding) { lent in
                var room = lent
                for index in positions.indices {
                    let record = kept.records[positions[index]]
                    let texts = record.startOfTexts
                    room.append(texts..<texts &+ Int(record.textCount), of: padded)
                }
                lent = room
            }
        }
    }
}
