import Bytes
import TableFiles

/// The values of the cells of a sheet, row by row.
final class SheetParser: XMLHandler {
    /// A cell with a value.
    struct Cell {
        /// The number of the column from 1.
        let column: Int
        let form: SheetRows.Form
        /// The text of the value in the bytes of the row.
        let range: Range<Int>
    }

    /// The texts and formats that cells name by number.
    struct Tables {
        var strings = SharedStrings()
        var formats = CellFormats()
        var numbers = CellNumber()
    }

    /// The most cells of the first rows that can be merged.
    private static let maximumMerges = 100_000

    private let tables: Tables
    private let onRow: (SheetParser) throws(WorkbookError) -> Void
    /// The number of the current row from 1.
    private(set) var row = 0
    /// The cells of the row that have a value.
    private(set) var cells: [Cell] = []
    /// The texts of the cells.
    private(set) var bytes = ByteBuffer()
    /// The number of cells so far that hold an error such as `#N/A`, which are null.
    private(set) var errorCount = 0
    /// The merged blocks of the sheet, which stand behind its rows.
    private(set) var merges: [CellBlock] = []

    private var isData = false
    private var column = 0
    private var type = ""
    private var format = ""
    private var value = ByteBuffer()
    private var isText = false
    private var isInline = false
    private var isPhonetic = false

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - tables: The texts and formats of the workbook.
    ///   - onRow: Called at the end of each row that has a value.
    init(_ tables: Tables, onRow: @escaping (SheetParser) throws(WorkbookError) -> Void) {
        self.tables = tables
        self.onRow = onRow
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError) {
        switch name {
        case "sheetData": isData = true
        case "row" where isData: try beginRow(attributes["r"])
        case "c" where isData:
            try beginCell(attributes["r"])
            type = attributes["t"] ?? "n"
            // Some writers leave the number of the format empty.
            format = attributes["s"].flatMap { $0.isEmpty ? nil : $0 } ?? "0"
        case "v" where isData: isText = type != "inlineStr"
        case "is" where isData: isInline = type == "inlineStr"
        case "rPh": isPhonetic = true
        case "t" where isInline: isText = !isPhonetic
        case "mergeCell":
            guard merges.count < Self.maximumMerges,
                let block = attributes["ref"].map(CellBlock.init)
            else { return }
            if let block { merges.append(block) }
        default: break
        }
    }

    func end(_ name: String) throws(WorkbookError) {
        switch name {
        case "sheetData": isData = false
        case "row" where isData: if !cells.isEmpty { try onRow(self) }
        case "c" where isData: try endCell()
        case "v", "t": isText = false
        case "is": isInline = false
        case "rPh": isPhonetic = false
        default: break
        }
    }

    func text(_ utf8: borrowing Span<UInt8>) throws(WorkbookError) {
        guard isText else { return }
        value.append(utf8)
        let limit = FileLimits.maximumFieldBytes
        guard value.count <= limit else { throw cellError(.valueTooLarge(limit: limit)) }
    }

    private func cellError(_ reason: WorkbookError.CellError) -> WorkbookError {
        .cell(reason, row: row, column: max(1, column))
    }

    private func beginRow(_ reference: String?) throws(WorkbookError) {
        var number = row + 1
        column = 0
        if let reference {
            guard let stated = Int(reference) else { throw cellError(.reference(reference)) }
            guard stated >= number else { throw cellError(.order) }
            number = stated
        }
        guard number <= CellReference.maximumRow else {
            throw cellError(.rowLimit(CellReference.maximumRow))
        }
        row = number
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll()
    }

    private func beginCell(_ reference: String?) throws(WorkbookError) {
        var number = column + 1
        if let reference {
            guard let place = CellReference(reference) else {
                throw cellError(.reference(reference))
            }
            guard place.column >= number, place.row == row else { throw cellError(.order) }
            number = place.column
        }
        guard number <= CellReference.maximumColumn else {
            throw cellError(.columnLimit(CellReference.maximumColumn))
        }
        column = number
        value.removeAll()
    }

    private func endCell() throws(WorkbookError) {
        if type == "e" { errorCount += 1 }
        guard !value.isEmpty, type != "e" else { return }
        let start = bytes.count
        let form: SheetRows.Form
        switch type {
        case "s":
            try appendShared(value.withBytes({ $0.text }))
            form = .text
        case "b":
            let text = value.withBytes({ $0.text })
            bytes.append(text == "1" || text == "true" ? "true" : "false")
            form = .boolean
        case "n": form = try appendNumber(value.withBytes({ $0.text }))
        // Texts of formulas, texts in the cell, and dates in ISO 8601.
        default:
            bytes.append(value)
            XMLEscape.decode(&bytes, from: start)
            form = .text
        }
        guard bytes.count > start else { return }
        cells.append(Cell(column: column, form: form, range: start..<bytes.count))
        guard cells.count <= FileLimits.maximumColumns else {
            throw cellError(.tooManyValues(limit: FileLimits.maximumColumns))
        }
        guard bytes.count <= FileLimits.maximumRecordBytes else {
            throw cellError(.rowTooLarge(limit: FileLimits.maximumRecordBytes))
        }
    }

    private func appendShared(_ text: String) throws(WorkbookError) {
        guard let number = Int(text), number >= 0, number < tables.strings.count else {
            throw cellError(.sharedString(text))
        }
        tables.strings.append(number, to: &bytes)
    }

    private func appendNumber(_ text: String) throws(WorkbookError) -> SheetRows.Form {
        guard let format = Int(format).flatMap({ tables.formats[$0] }) else {
            throw cellError(.format(format))
        }
        if format != .number, let date = tables.numbers.text(text, as: format) {
            bytes.append(date)
            return .text
        }
        guard let number = CellNumber.text(text) else { throw cellError(.number(text)) }
        bytes.append(number)
        return .number
    }
}
