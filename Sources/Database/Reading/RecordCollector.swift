package import Listings

/// An engine appends to it in its own loop, so that no protocol call is needed per cell.
package struct RecordCollector: ~Copyable {
    package let layout: RecordLayout
    package var cells = CellBuffer()
    /// The exact stored values of cells that are shown differently, by the positions of the cells.
    package var storedKeys: [Int: CellValue] = [:]
    /// Whether a record has a key without a value, as only foreign tables may have.
    package var lacksKey = false

    init(_ layout: RecordLayout) { self.layout = layout }

    var count: Int { cells.count / layout.cellsPerRecord }

    consuming func batch() -> RecordBatch {
        let cellsPerRecord = layout.cellsPerRecord
        return RecordBatch(cells, cellsPerRecord: cellsPerRecord)
    }

    func value(record: Int, cell: Int) -> CellValue {
        let cell = record * layout.cellsPerRecord + cell
        return storedKeys.isEmpty ? cells.value(cell) : storedKeys[cell] ?? cells.value(cell)
    }

    func section(of record: Int) -> SectionKey {
        guard let cell = layout.sectionCell else { return .whole }
        return .value(value(record: record, cell: cell))
    }

    /// Bytes are compared, so that no text is created per row.
    func isSameSection(_ left: Int, _ right: Int) -> Bool {
        guard let sectionCell = layout.sectionCell else { return true }
        guard storedKeys.isEmpty else { return section(of: left) == section(of: right) }
        let leftCell = left * layout.cellsPerRecord + sectionCell
        let rightCell = right * layout.cellsPerRecord + sectionCell
        guard cells.isText(leftCell), cells.isText(rightCell) else {
            return section(of: left) == section(of: right)
        }
        return cells.withText(leftCell) { left in
            cells.withText(rightCell) { right in
                TextCollation.compareBytes(left, right) == 0
            }
        }
    }
}
