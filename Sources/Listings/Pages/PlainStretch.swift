public import Bytes

/// Rows of a page that follow one another and are alike: of one kind, with nothing but short ids and
/// cells.
///
/// The ids of all rows stand one behind the other, and so do the texts of each; between those of two
/// rows there may be bytes of texts that were changed. Of rows that are lent to the page
/// (``lender``), neither ids nor cells are there.
///
/// Most pages are one of them. It is found once, when the page ends, so that who names or draws rows
/// asks nothing of each of them or of their cells.
@usableFromInline
package struct PlainStretch: Sendable {
    /// The rows.
    @usableFromInline package fileprivate(set) var rows: Range<Int>
    /// Their kind, as a position in ``Page/kinds``.
    @usableFromInline package let kind: Int
    /// Whether their models have revisions.
    @usableFromInline package let hasRevision: Bool
    /// Which of a row's cells are short whole numbers, a bit each, the first cell's lowest; all others
    /// are short texts that people read as they are.
    @usableFromInline package let integers: UInt64
    /// The place in ``Page/cells`` of the first cell of the first row; means nothing of rows that are lent.
    @usableFromInline let firstCell: Int
    /// The cells of a row, at most 64.
    @usableFromInline let cellCount: Int
    /// Where ``Page/rowNames`` has their names, one behind the other; empty where nobody made them.
    var names = 0..<0
    /// Whether it is known that all ids are plain names and all texts inert.
    @usableFromInline package fileprivate(set) var areInert = false
    /// Which cells have no empty text in any row, as far as that is known: a bit each.
    @usableFromInline package fileprivate(set) var filled: UInt64 = 0
    /// Who has the rows, where they are lent to the page; see ``Page/withLentRows(_:of:_:)``.
    @usableFromInline package fileprivate(set) var lender: Int?

    /// The places in ``Page/cells`` of the cells of a row.
    @inlinable
    @inline(__always)
    package func cells(ofRow row: Int) -> Range<Int> {
        let first = firstCell &+ (row &- rows.lowerBound) &* cellCount
        return first..<first &+ cellCount
    }
}

extension Page {
    /// Where the id of a row stands among those that ``withIDs(_:)`` lends.
    @inlinable
    @inline(__always)
    package func placeOfID(ofRow row: Int) -> Range<Int> {
        let slot = rowSlots[row]
        return slot.idStart..<slot.idEnd
    }

    /// The revision of a row's model; nil where it has none, or one below 0.
    @inlinable
    @inline(__always)
    package func countedRevision(ofRow row: Int) -> UInt64? {
        rowSlots[row].revision.flatMap { UInt64(exactly: $0) }
    }

    /// Where the ids of rows stand; there is at least one row.
    package func placesOfIDs(ofRows rows: Range<Int>) -> Range<Int> {
        rowSlots[rows.lowerBound].idStart..<rowSlots[rows.upperBound - 1].idEnd
    }

    /// The stretch that a row belongs to; nil where it has more than short cells, or is on a page that
    /// has not ended.
    ///
    /// - Complexity: O(log(stretches)).
    package func stretch(ofRow row: Int) -> PlainStretch? {
        var (low, high) = (0, stretches.count)
        while low < high {
            let middle = (low + high) / 2
            if stretches[middle].rows.upperBound <= row { low = middle + 1 } else { high = middle }
        }
        guard low < stretches.count, stretches[low].rows.contains(row) else { return nil }
        return stretches[low]
    }

    /// Takes note of a stretch of rows that were kept: one with that before it, where they are alike and
    /// in one section.
    mutating func appendKept(_ stretch: PlainStretch) {
        if let last = keptStretches.last, last.rows.upperBound == stretch.rows.lowerBound,
            sections[sections.count - 1].rows.contains(last.rows.lowerBound),
            last.kind == stretch.kind, last.hasRevision == stretch.hasRevision,
            last.integers == stretch.integers, last.lender == stretch.lender,
            last.lender != nil
                || last.cells(ofRow: last.rows.upperBound).lowerBound == stretch.firstCell
        {
            let index = keptStretches.count - 1
            keptStretches[index].rows = last.rows.lowerBound..<stretch.rows.upperBound
            keptStretches[index].names = last.names.lowerBound..<stretch.names.upperBound
            keptStretches[index].areInert = last.areInert && stretch.areInert
            keptStretches[index].filled = last.filled & stretch.filled
        } else {
            keptStretches.append(stretch)
        }
    }

    /// Finds the stretches of the rows that the page has.
    ///
    /// - Complexity: O(cells).
    mutating func findStretches() {
        stretches.removeAll(keepingCapacity: true)
        guard isFlat else { return }
        var row = 0
        for kept in keptStretches {
            findStretches(of: row..<kept.rows.lowerBound)
            stretches.append(kept)
            row = kept.rows.upperBound
        }
        findStretches(of: row..<rowCount)
    }

    private mutating func findStretches(of rows: Range<Int>) {
        var row = rows.lowerBound
        while row < rows.upperBound {
            let end = endOfAlike(from: row, before: rows.upperBound)
            if end > row { addStretches(of: row..<end) }
            row = max(end, row + 1)
        }
    }

    /// Where rows end that are alike but for their cells, which nobody has looked at.
    private func endOfAlike(from first: Int, before end: Int) -> Int {
        let kind = rowSlots[first].kind
        let cellCount = kinds[kind].cellCount
        guard (1...UInt64.bitWidth).contains(cellCount), var cell = rowSlots[first].firstCellOfShort
        else { return first }
        let hasRevision = rowSlots[first].revision != nil
        var id = rowSlots[first].idStart
        return rowSlots.withSpan(first..<end) { slots in
            for index in slots.indices {
                let slot = slots[index]
                guard slot.kind == kind, slot.firstCellOfShort == cell, slot.idStart == id,
                    (slot.revision != nil) == hasRevision
                else { return first + index }
                cell &+= cellCount
                id = slot.idEnd
            }
            return first + slots.count
        }
    }

    private mutating func addStretches(of rows: Range<Int>) {
        let slot = rowSlots[rows.lowerBound]
        let cellCount = kinds[slot.kind].cellCount
        let firstCell = slot.firstCellOfShort ?? 0
        func stretch(_ part: Range<Int>, _ integers: UInt64) -> PlainStretch {
            PlainStretch(
                rows: part,
                kind: slot.kind,
                hasRevision: slot.revision != nil,
                integers: integers,
                firstCell: firstCell + (part.lowerBound - rows.lowerBound) * cellCount,
                cellCount: cellCount
            )
        }
        let all = firstCell..<firstCell + rows.count * cellCount
        if cells.areShortTexts(all) { return stretches.append(stretch(rows, 0)) }
        var open: PlainStretch?
        for row in rows {
            let first = firstCell + (row - rows.lowerBound) * cellCount
            let integers = cells.shortIntegers(among: first..<first + cellCount)
            if let known = open, known.integers == integers {
                open?.rows = known.rows.lowerBound..<row + 1
            } else {
                if let open { stretches.append(open) }
                open = integers.map { stretch(row..<row + 1, $0) }
            }
        }
        if let open { stretches.append(open) }
    }
}

extension Page.RowSlot {
    /// The first cell of a row that has a short id and nothing but cells.
    fileprivate var firstCellOfShort: Int? {
        guard extras < 0, level == 0, idEnd > idStart,
            idEnd &- idStart <= CellBuffer.longestShortText
        else { return nil }
        return firstCell.map(Int.init)
    }
}

extension CellBuffer {
    /// Whether cells are short texts that people read as they are, one behind the other.
    fileprivate func areShortTexts(_ range: Range<Int>) -> Bool {
        guard range.upperBound <= slots.count else { return false }
        return slots.withSpan(range) { cells in
            var end = cells[0].payload
            for index in cells.indices {
                let slot = cells[index]
                guard slot.isShortText, slot.payload == end else { return false }
                end &+= UInt64(slot.length)
            }
            return true
        }
    }

    /// Which of at most 64 cells are short whole numbers, a bit each; nil unless all others are short
    /// texts that people read as they are, one behind the other.
    fileprivate func shortIntegers(among range: Range<Int>) -> UInt64? {
        guard range.upperBound <= slots.count else { return nil }
        return slots.withSpan(range) { cells in
            var integers: UInt64 = 0
            // Of the bytes of the texts before; the first text may stand anywhere.
            var end: UInt64?
            for index in cells.indices {
                let slot = cells[index]
                if slot.isShortInteger {
                    integers |= 1 << UInt64(index)
                } else {
                    guard slot.isShortText, slot.payload == end ?? slot.payload else { return nil }
                    end = slot.payload &+ UInt64(slot.length)
                }
            }
            return integers
        }
    }
}
