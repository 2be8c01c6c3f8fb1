import Bytes
import TableFiles

/// Cells and rows can be repeated.
///
/// A repeated empty row or cell only advances the position.
final class OpenDocumentSheet: XMLHandler {
    /// The maximum size of the values of a row with its repetitions, so that a few bytes of XML
    /// cannot fill memory.
    static let maximumRepeatedBytes = 32 << 20

    private let table: Int
    private let sheet: SheetRow
    private var tables = 0
    private var isInTable: Bool { tables == table + 1 && isTableOpen }
    private var isTableOpen = false
    private var isInRow = false
    private var isInCell = false
    private var nextRow = 1
    private var rowCount = 1
    private var cellCount = 1
    private var type = ""
    /// The value of the cell that is no text; nil for a text.
    private var value: String?
    private var text = ByteBuffer()
    private var paragraphs = 0
    private var isInParagraph = false
    /// The depth in remarks, whose texts are not those of the cell.
    private var remarkDepth = 0

    init(table: Int, _ sheet: SheetRow) {
        self.table = table
        self.sheet = sheet
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws(WorkbookError) {
        guard name != "table" else {
            tables += 1
            isTableOpen = true
            return
        }
        guard isInTable else { return }
        switch name {
        case "table-row":
            try sheet.begin(min(nextRow, CellReference.maximumRow))
            rowCount = try count(attributes["number-rows-repeated"])
            isInRow = true
        case "table-cell" where isInRow, "covered-table-cell" where isInRow:
            try beginCell(attributes)
        case "annotation": remarkDepth += 1
        case "p" where isInCell && remarkDepth == 0:
            if paragraphs > 0 { text.append(UInt8(ascii: "\n")) }
            paragraphs += 1
            isInParagraph = true
        case "s" where isInParagraph:
            for _ in 0..<min(try count(attributes["c"]), FileLimits.maximumNameBytes) {
                text.append(UInt8(ascii: " "))
            }
        case "tab" where isInParagraph: text.append(UInt8(ascii: "\t"))
        case "line-break" where isInParagraph: text.append(UInt8(ascii: "\n"))
        default: break
        }
    }

    func end(_ name: String) throws(WorkbookError) {
        switch name {
        case "table": isTableOpen = false
        case "annotation": remarkDepth = max(0, remarkDepth - 1)
        case "p": isInParagraph = isInParagraph && remarkDepth > 0
        case "table-cell" where isInCell, "covered-table-cell" where isInCell: try endCell()
        case "table-row" where isInRow:
            isInRow = false
            let last = nextRow + rowCount - 1
            if !sheet.cells.isEmpty {
                guard last <= CellReference.maximumRow else {
                    throw sheet.error(.rowLimit(CellReference.maximumRow))
                }
                guard sheet.bytes.count * rowCount <= Self.maximumRepeatedBytes || rowCount == 1
                else { throw sheet.error(.rowTooLarge(limit: Self.maximumRepeatedBytes)) }
            }
            try sheet.end(repeated: rowCount)
            // Sheets end with a row that is repeated up to the last one of the program.
            nextRow = min(last, CellReference.maximumRow) + 1
        default: break
        }
    }

    func text(_ utf8: borrowing Span<UInt8>) throws(WorkbookError) {
        if isInParagraph, remarkDepth == 0 { try sheet.append(utf8, to: &text) }
    }

    private func count(_ text: String?) throws(WorkbookError) -> Int {
        guard let text else { return 1 }
        guard let count = Int(text), count > 0, count < 1 << 31 else {
            throw sheet.error(.number(text))
        }
        return count
    }

    private func beginCell(_ attributes: XMLAttributes) throws(WorkbookError) {
        isInCell = true
        sheet.column += 1
        cellCount = try count(attributes["number-columns-repeated"])
        // Programs repeat the type under a name of their own, which tells errors.
        let error = attributes.value(of: "value-type") { $0 == "error" }
        type = error ?? attributes["value-type"] ?? ""
        value =
            switch type {
            case "float", "percentage", "currency": attributes["value"]
            case "date": attributes["date-value"]
            case "time": attributes["time-value"].map { Self.clock($0) ?? $0 }
            case "boolean": attributes["boolean-value"]
            default: attributes["string-value"]
            }
        text.removeAll()
        paragraphs = 0
        let columns = try count(attributes["number-columns-spanned"])
        let rows = try count(attributes["number-rows-spanned"])
        if columns > 1 || rows > 1 {
            let (row, column) = (sheet.number, sheet.column)
            sheet.merge(
                CellBlock(rows: row...row + rows - 1, columns: column...column + columns - 1)
            )
        }
    }

    private func endCell() throws(WorkbookError) {
        (isInCell, isInParagraph) = (false, false)
        let first = sheet.column
        let isEmpty = value?.isEmpty ?? text.isEmpty
        if type == "error" { sheet.errorCount += 1 }
        if !isEmpty, type != "error" {
            for next in 0..<cellCount {
                sheet.column = first + next
                guard sheet.column <= CellReference.maximumColumn else {
                    throw sheet.error(.columnLimit(CellReference.maximumColumn))
                }
                try addCell()
            }
        }
        sheet.column = min(first + cellCount - 1, CellReference.maximumColumn)
    }

    private func addCell() throws(WorkbookError) {
        let start = sheet.bytes.count
        guard let value else {
            sheet.bytes.append(text)
            return try sheet.addCell(as: .text, from: start)
        }
        switch type {
        case "float", "percentage", "currency":
            guard let number = CellNumber.text(value) else { throw sheet.error(.number(value)) }
            sheet.bytes.append(number)
            try sheet.addCell(as: .number, from: start)
        case "boolean":
            sheet.bytes.append(value == "true" ? "true" : "false")
            try sheet.addCell(as: .boolean, from: start)
        default:
            var bytes = ByteBuffer()
            try sheet.append(Array(value.utf8).span, to: &bytes)
            sheet.bytes.append(bytes)
            try sheet.addCell(as: .text, from: start)
        }
    }

    /// Returns a time such as `PT10H30M05.5S` as `10:30:05.5`, rounded to milliseconds as in other
    /// workbooks; nil for another text.
    static func clock(_ duration: String) -> String? {
        guard duration.hasPrefix("PT"), duration.utf8.count > 3 else { return nil }
        var milliseconds = 0.0
        var units: [(Character, Double)] = [("H", 3_600_000), ("M", 60_000), ("S", 1_000)]
        var rest = duration.dropFirst(2)
        while let end = rest.firstIndex(where: { "HMS".contains($0) }) {
            guard let unit = units.firstIndex(where: { $0.0 == rest[end] }),
                let number = Double(rest[..<end]), 0..<1e9 ~= number
            else { return nil }
            milliseconds += number * units[unit].1
            units.removeFirst(unit + 1)
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? CellNumber.clock(Int64(milliseconds.rounded())) : nil
    }
}
