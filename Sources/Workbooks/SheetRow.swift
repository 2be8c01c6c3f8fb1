import Bytes
import TableFiles

/// The current row of a sheet, and the facts about the sheet that are known after its last row.
final class SheetRow {
    struct Cell {
        /// From 1.
        let column: Int
        let form: SheetRows.Form
        let range: Range<Int>
    }

    private static let maximumMerges = 100_000

    private let onRow: (SheetRow) throws(WorkbookError) -> Void
    private(set) var number = 0
    /// From 1; 0 before the first cell.
    var column = 0
    private(set) var cells: [Cell] = []
    var bytes = ByteBuffer()
    var errorCount = 0
    /// The formulas without a saved result.
    var unsolvedCount = 0
    /// Whether rows without cells and empty texts are values, as in exports of Roster.
    let keepsEmpty: Bool
    private(set) var merges: [CellBlock] = []

    init(keepsEmpty: Bool, onRow: @escaping (SheetRow) throws(WorkbookError) -> Void) {
        (self.keepsEmpty, self.onRow) = (keepsEmpty, onRow)
    }

    func begin(_ number: Int) throws(WorkbookError) {
        guard number <= CellReference.maximumRow else {
            throw error(.rowLimit(CellReference.maximumRow))
        }
        (self.number, column) = (number, 0)
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll()
    }

    /// The text was appended from an offset on.
    func addCell(as form: SheetRows.Form, from start: Int) throws(WorkbookError) {
        guard bytes.count > start || keepsEmpty else { return }
        cells.append(Cell(column: column, form: form, range: start..<bytes.count))
        guard cells.count <= FileLimits.maximumColumns else {
            throw error(.tooManyValues(limit: FileLimits.maximumColumns))
        }
        guard bytes.count <= FileLimits.maximumRecordBytes else {
            throw error(.rowTooLarge(limit: FileLimits.maximumRecordBytes))
        }
    }

    /// Appends to the text of the current cell, within the limit of a value.
    func append(_ utf8: borrowing Span<UInt8>, to value: inout ByteBuffer) throws(WorkbookError) {
        value.append(utf8)
        let limit = FileLimits.maximumFieldBytes
        guard value.count <= limit else { throw error(.valueTooLarge(limit: limit)) }
    }

    func merge(_ block: CellBlock) { if merges.count < Self.maximumMerges { merges.append(block) } }

    func end() throws(WorkbookError) { if keepsEmpty || !cells.isEmpty { try onRow(self) } }

    /// The repetitions have the numbers after its own.
    func end(repeated count: Int) throws(WorkbookError) {
        let first = number
        for next in 0..<(cells.isEmpty ? 1 : count) {
            number = first + next
            try end()
        }
        number = first + count - 1
    }

    func error(_ reason: WorkbookError.CellError) -> WorkbookError {
        .cell(reason, row: number, column: max(1, column))
    }
}
