package import Listings

/// Records as they come from statements, one behind the other.
///
/// An engine appends to it in a loop of its own: what is done for each cell crosses no protocol.
package struct RecordCollector: ~Copyable {
    /// Where everything stands.
    package let layout: RecordLayout
    /// The cells, record behind record; an engine appends whole records.
    package var cells = CellBuffer()
    /// The values of cells that do not say all that is stored, by the place of the cell.
    package var storedKeys: [Int: CellValue] = [:]

    init(_ layout: RecordLayout) { self.layout = layout }

    /// The number of records.
    var count: Int { cells.count / layout.cellsPerRecord }

    /// Gives the cells away.
    consuming func batch() -> RecordBatch {
        let cellsPerRecord = layout.cellsPerRecord
        return RecordBatch(cells, cellsPerRecord: cellsPerRecord)
    }

    /// The value of a cell as a position names it.
    func value(record: Int, cell: Int) -> CellValue {
        let cell = record * layout.cellsPerRecord + cell
        return storedKeys.isEmpty ? cells.value(cell) : storedKeys[cell] ?? cells.value(cell)
    }

    /// The key of a record's section.
    func section(of record: Int) -> SectionKey {
        guard let cell = layout.sectionCell else { return .whole }
        return .value(value(record: record, cell: cell))
    }

    /// Whether two records are of one section.
    ///
    /// Compares bytes: a page of rows makes no text for it.
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
