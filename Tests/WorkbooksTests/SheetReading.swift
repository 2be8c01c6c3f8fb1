import Archives
import Bytes
import TableFiles
import TestSupport
import Workbooks

struct SheetContents: Equatable {
    var columns: [String] = []
    /// The values of each row; texts in quotes.
    var rows: [[String]] = []
    var rowNumbers: [Int] = []
}

func read(_ writer: WorkbookWriter, options: SheetOptions = SheetOptions()) throws -> SheetContents
{
    let workbook = try Workbook(ByteSource(writer.bytes))
    return try read(workbook, workbook.sheets[0], options: options)
}

func read(
    _ workbook: Workbook,
    _ sheet: Workbook.Sheet,
    options: SheetOptions = SheetOptions()
) throws -> SheetContents {
    let reader = try workbook.open(sheet, options: options)
    let contents = try read(reader)
    reader.rewind()
    let again = try read(reader)
    precondition(contents == again, "a sheet is read otherwise the second time")
    precondition(contents.rows.count == reader.layout.rowCount, "\(reader.layout.rowCount) rows")
    return contents
}

private func read(_ sheet: SheetReader) throws -> SheetContents {
    var contents = SheetContents()
    var reader = SheetRowReader()
    var record = FileRecord()
    var chunk = ByteBuffer()
    while true {
        try sheet.read(into: &chunk)
        if chunk.isEmpty { break }
        let bytes = chunk.array()
        var index = 0
        while try reader.read(bytes.span, from: &index, into: &record) == .complete {
            var row: [String] = []
            for column in reader.columns.all.indices {
                let text = record.text(column)
                row.append(text.map { record.form(of: column) == .string ? "'\($0)'" : $0 } ?? "")
            }
            contents.rows.append(row)
            contents.rowNumbers.append(record.location.line)
        }
    }
    contents.columns = reader.columns.all
    return contents
}
