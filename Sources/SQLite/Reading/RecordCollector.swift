import Database
import Listings

/// Records as they come from statements, one behind the other.
struct RecordCollector: ~Copyable {
    let layout: RecordLayout
    private(set) var cells = CellBuffer()
    /// The values of cells that do not say all that is stored, by the place of the cell.
    private var storedKeys: [Int: CellValue] = [:]

    init(_ layout: RecordLayout) { self.layout = layout }

    /// The number of records.
    var count: Int { cells.count / layout.cellsPerRecord }

    /// Gives the cells away.
    consuming func batch() -> RecordBatch {
        let cellsPerRecord = layout.cellsPerRecord
        return RecordBatch(cells, cellsPerRecord: cellsPerRecord)
    }

    /// Takes the record a statement stands at.
    mutating func append(_ statement: Statement) {
        let parts = layout.keyTypes.count
        if parts == 1 {
            appendCell(statement, 0, as: layout.keyTypes[0])
        } else {
            let values = (0..<parts).map { statement.value($0, as: layout.keyTypes[$0]) }
            cells.append(CompositeID.text(of: values))
        }
        appendCell(statement, parts, as: .integer)
        for (index, type) in layout.columnTypes.enumerated() {
            appendCell(statement, parts + 1 + index, as: type)
        }
        if layout.selectsSection {
            appendCell(statement, parts + 1 + layout.columnTypes.count, as: .text)
        }
    }

    private mutating func appendCell(_ statement: Statement, _ column: Int, as type: ColumnType) {
        let cell = cells.count
        if let storedKey = statement.writeCell(column, as: type, to: &cells) {
            storedKeys[cell] = storedKey
        }
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
        guard cells[leftCell] == cells[rightCell] else { return false }
        guard cells[leftCell] == .text else { return true }
        return cells.withText(leftCell) { left in
            cells.withText(rightCell) { right in
                TextCollation.compareBytes(left, right) == 0
            }
        }
    }
}
