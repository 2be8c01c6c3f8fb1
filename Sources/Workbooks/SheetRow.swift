import Bytes
import TableFiles

/// The current row of a sheet, and the facts about the sheet that are known after its last row.
final class SheetRow {
    /// A cell with a value.
    struct Cell {
        /// The number of the column from 1.
        let column: Int
        let form: SheetRows.Form
        /// The text of the value in the bytes of the row.
        let range: Range<Int>
    }

    /// The most merged blocks that are stored.
    private static let maximumMerges = 100_000

    private let onRow: (SheetRow) throws(WorkbookError) -> Void
    private(set) var number = 0
    /// The number of the current or last cell from 1; 0 before the first one.
    var column = 0
    /// The cells of the row that have a value.
    private(set) var cells: [Cell] = []
    /// The texts of the cells.
    var bytes = ByteBuffer()
    /// The number of cells so far that hold an error such as `#N/A`, which are null.
    var errorCount = 0
    private(set) var merges: [CellBlock] = []

    /// Creates the place of rows.
    ///
    /// - Parameter onRow: Called for each row that has a value.
    init(onRow: @escaping (SheetRow) throws(WorkbookError) -> Void) { self.onRow = onRow }

    /// Begins a row without cells.
    func begin(_ number: Int) throws(WorkbookError) {
        guard number <= CellReference.maximumRow else {
            throw error(.rowLimit(CellReference.maximumRow))
        }
        (self.number, column) = (number, 0)
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll()
    }

    /// Adds a cell in the current column, whose text was appended from an offset on.
    func addCell(as form: SheetRows.Form, from start: Int) throws(WorkbookError) {
        guard bytes.count > start else { return }
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

    func end() throws(WorkbookError) { if !cells.isEmpty { try onRow(self) } }

    /// Ends the row, and repeats it with the numbers after its own.
    func end(repeated count: Int) throws(WorkbookError) {
        let first = number
        for next in 0..<(cells.isEmpty ? 1 : count) {
            number = first + next
            try end()
        }
        number = first + count - 1
    }

    /// Returns an error at the current cell.
    func error(_ reason: WorkbookError.CellError) -> WorkbookError {
        .cell(reason, row: number, column: max(1, column))
    }
}
