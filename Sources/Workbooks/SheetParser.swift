import Bytes
import TableFiles

final class SheetParser: XMLHandler {
    struct Tables {
        var strings = SharedStrings()
        var formats = CellFormats()
        var numbers = CellNumber()
        /// Whether Roster wrote the workbook.
        var areExported = false
    }

    private let tables: Tables
    private let sheet: SheetRow

    private var isData = false
    private var type = ""
    private var format = ""
    private var value = ByteBuffer()
    private var isText = false
    private var isInline = false
    private var isFormula = false
    private var isPhonetic = false

    init(_ tables: Tables, _ sheet: SheetRow) {
        self.tables = tables
        self.sheet = sheet
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
        case "f" where isData: isFormula = true
        case "v" where isData: isText = type != "inlineStr"
        case "is" where isData: isInline = type == "inlineStr"
        case "rPh": isPhonetic = true
        case "t" where isInline: isText = !isPhonetic
        case "mergeCell":
            if let block = attributes["ref"].flatMap({ CellBlock($0) }) { sheet.merge(block) }
        default: break
        }
    }

    func end(_ name: String) throws(WorkbookError) {
        switch name {
        case "sheetData": isData = false
        case "row" where isData: try sheet.end()
        case "c" where isData: try endCell()
        case "v", "t": isText = false
        case "is": isInline = false
        case "rPh": isPhonetic = false
        default: break
        }
    }

    func text(_ utf8: borrowing Span<UInt8>) throws(WorkbookError) {
        if isText { try sheet.append(utf8, to: &value) }
    }

    private func beginRow(_ reference: String?) throws(WorkbookError) {
        var number = sheet.number + 1
        sheet.column = 0
        if let reference {
            guard let stated = Int(reference) else { throw sheet.error(.reference(reference)) }
            guard stated >= number else { throw sheet.error(.order) }
            number = stated
        }
        try sheet.begin(number)
    }

    private func beginCell(_ reference: String?) throws(WorkbookError) {
        var number = sheet.column + 1
        if let reference {
            guard let location = CellReference(reference) else {
                throw sheet.error(.reference(reference))
            }
            guard location.column >= number, location.row == sheet.number else {
                throw sheet.error(.order)
            }
            number = location.column
        }
        guard number <= CellReference.maximumColumn else {
            throw sheet.error(.columnLimit(CellReference.maximumColumn))
        }
        sheet.column = number
        isFormula = false
        value.removeAll()
    }

    private func endCell() throws(WorkbookError) {
        if type == "e" { sheet.errorCount += 1 }
        if value.isEmpty, isFormula, type == "n" { sheet.unsolvedCount += 1 }
        let isEmptyText = sheet.keepsEmpty && type == "inlineStr"
        guard !value.isEmpty || isEmptyText, type != "e" else { return }
        let start = sheet.bytes.count
        let form: SheetRows.Form
        switch type {
        case "s":
            try appendShared(value.withBytes({ $0.text }))
            form = .text
        case "b":
            let text = value.withBytes({ $0.text })
            sheet.bytes.append(text == "1" || text == "true" ? "true" : "false")
            form = .boolean
        case "n": form = try appendNumber(value.withBytes({ $0.text }))
        // Texts of formulas, texts in the cell, and dates in ISO 8601.
        default:
            sheet.bytes.append(value)
            XMLEscape.decode(&sheet.bytes, from: start)
            form = .text
        }
        try sheet.addCell(as: form, from: start)
    }

    private func appendShared(_ text: String) throws(WorkbookError) {
        guard let number = Int(text), number >= 0, number < tables.strings.count else {
            throw sheet.error(.sharedString(text))
        }
        tables.strings.append(number, to: &sheet.bytes)
    }

    private func appendNumber(_ text: String) throws(WorkbookError) -> SheetRows.Form {
        guard let format = Int(format).flatMap({ tables.formats[$0] }) else {
            throw sheet.error(.format(format))
        }
        let written: String?
        switch format {
        case .number: written = CellNumber.text(text)
        case .decimals(let count) where tables.areExported:
            written = CellNumber.text(text, decimals: count)
        case .decimals: written = CellNumber.text(text)
        case .date, .time, .dateTime, .duration:
            if let date = tables.numbers.text(text, as: format) {
                if tables.areExported, case .dateTime(let parts) = format {
                    sheet.bytes.append(parts.text(date))
                } else {
                    sheet.bytes.append(date)
                }
                return .text
            }
            written = CellNumber.text(text)
        }
        guard let number = written else { throw sheet.error(.number(text)) }
        sheet.bytes.append(number)
        return .number
    }
}
