import Bytes
import Listings
import TableFiles

// Files of all formats: no input may trap, and where it is cut must not matter.

/// Tries one input.
func fuzz(file input: [UInt8]) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let cut = 1 + Int(first >> 2) % 17
    switch first % 7 {
    case 0: compare(DelimitedReader(.commaSeparated), DelimitedReader(.commaSeparated), bytes, cut)
    case 1: compare(DelimitedReader(.tabSeparated), DelimitedReader(.tabSeparated), bytes, cut)
    case 2: compare(JSONReader(.array), JSONReader(.array), bytes, cut)
    case 3: compare(JSONReader(.lines), JSONReader(.lines), bytes, cut)
    case 4, 5:
        // The form is detected, with all that an option may change.
        var options = ImportOptions()
        options.extraValues = first % 7 == 4 ? .column : .drop
        if cut % 3 == 0 { options.quote = UInt8(ascii: "'") }
        if cut % 5 == 0 { options.hasHeader = false }
        var dialect = DelimitedDialect.detect(
            in: bytes.span,
            usual: cut % 2 == 0 ? .commaSeparated : .tabSeparated,
            options: options
        )
        dialect.footerLines = [nil, 2, 0, nil][cut % 4]
        compare(
            DelimitedReader(dialect, options: options),
            DelimitedReader(dialect, options: options),
            bytes,
            cut
        )
    default: readDocument(bytes, cut)
    }
}

/// Reads a JSON document of any shape: its rows are objects, whatever they were made of.
private func readDocument(_ bytes: [UInt8], _ cut: Int) {
    guard let rows = try? JSONRows(bytes) else { return }
    for path in rows.lists {
        precondition((try? rows.selecting(path)) != nil, "the list '\(path)' is not found again")
    }
    let nested = NestedColumns(in: rows.lines.span, .lines)
    compare(
        JSONReader(.lines, nested: nested),
        JSONReader(.lines, nested: nested),
        rows.lines,
        cut
    )
}

private struct Contents: Equatable {
    var columns: [String] = []
    var records: [[String?]] = []
    var error: FileError?
    var types: [ColumnType] = []
}

private func compare<Reader: RecordReader & ~Copyable>(
    _ first: consuming Reader,
    _ second: consuming Reader,
    _ bytes: [UInt8],
    _ cut: Int
) {
    let whole = read(first, bytes, chunk: max(1, bytes.count))
    let pieces = read(second, bytes, chunk: cut)
    precondition(whole == pieces, "cut every \(cut) bytes it is read otherwise")
}

private func read<Reader: RecordReader & ~Copyable>(
    _ reader: consuming Reader,
    _ bytes: [UInt8],
    chunk: Int
) -> Contents {
    var contents = Contents()
    var record = FileRecord()
    var survey = SchemaInference()
    func add(_ record: borrowing FileRecord) {
        survey.add(record)
        contents.records.append((0..<record.count).map { record.text($0) })
    }
    do {
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + chunk)
            let piece = Array(bytes[start..<end])
            var index = 0
            while try reader.read(piece.span, from: &index, into: &record) == .complete {
                add(record)
            }
            precondition(index == piece.count, "\(index) of \(piece.count) bytes were read")
            start = end
        }
        while try reader.finish(into: &record) == .complete { add(record) }
    } catch {
        contents.error = error
    }
    contents.columns = reader.columns.all
    if contents.error == nil {
        let plan = ImportPlan(reader.columns, survey: survey)
        contents.types = plan.columns.map(\.type)
        // A value is what its column's type says, for the whole file was looked at.
        for values in contents.records {
            for (position, (column, text)) in zip(plan.columns, values).enumerated() {
                // Empty texts have no say in the type.
                // A mixed column holds values of other types.
                guard var text, !text.isEmpty, !column.isMixed else { continue }
                if let reading = plan.readings[position] { text = reading.value(text).plainText }
                let isRead = CellValue.parse(text, as: column.type) != nil
                precondition(isRead, "\(text) is no \(column.type)")
            }
        }
    }
    return contents
}
