import Bytes
import TableFiles

@testable import Archives
@testable import Workbooks

// Compressed files, archives and sheets: no input may trap, and reading twice must not matter.

/// Tries one input.
func fuzz(container input: [UInt8]) {
    guard let first = input.first else { return }
    let source = ByteSource(Array(input.dropFirst()))
    var limits = ArchiveLimits()
    limits.freeBytes = 8 << 20
    limits.maximumRatio = 1
    switch first % 4 {
    case 0:
        guard let reader = try? DecompressingReader(gzip: source, limits: limits) else { break }
        compare(contents(of: reader), { reader.rewind() }, { contents(of: reader) })
    case 1:
        guard let archive = try? ZipArchive(source, limits: limits) else { break }
        for entry in archive.entries.prefix(8) {
            guard let reader = try? archive.open(entry) else { continue }
            compare(contents(of: reader), { reader.rewind() }, { contents(of: reader) })
        }
    case 2:
        guard let workbook = try? Workbook(source, limits: limits) else { break }
        for sheet in workbook.sheets.prefix(4) {
            _ = try? workbook.isEmpty(sheet)
            if let reader = try? workbook.open(sheet) { readRows(of: reader) }
        }
    default: readSheet(source)
    }
}

private func readSheet(_ source: ByteSource) {
    func stream() -> DecompressingReader? {
        try? DecompressingReader(
            source,
            range: 0..<source.count,
            coding: .stored,
            entry: nil,
            promise: nil,
            maximumBytes: .max
        )
    }
    var tables = SheetParser.Tables()
    if let stream = stream() { try? Workbook.parse(stream, "strings", tables.strings) }
    if let stream = stream() { try? Workbook.parse(stream, "formats", tables.formats) }
    tables.numbers.startsIn1904 = source.count % 2 == 0
    guard let stream = stream(),
        let reader = try? SheetReader(
            stream,
            part: "sheet",
            form: source.count % 3 == 0 ? .openDocument(table: 0) : .officeOpenXML(tables),
            options: SheetOptions(),
            maximumBytes: 8 << 20
        )
    else { return }
    readRows(of: reader)
}

private func readRows(of sheet: SheetReader) {
    let first = rows(of: sheet)
    compare(first, { sheet.rewind() }, { rows(of: sheet) })
    precondition(first.count == sheet.layout.rowCount, "\(sheet.layout.rowCount) rows are stated")
}

private func rows(of sheet: SheetReader) -> [[String?]] {
    var reader = SheetRowReader()
    var record = FileRecord()
    var chunk = ByteBuffer()
    var rows: [[String?]] = []
    do {
        while true {
            try sheet.read(into: &chunk)
            if chunk.isEmpty { return rows }
            let bytes = chunk.array()
            var index = 0
            while try reader.read(bytes.span, from: &index, into: &record) == .complete {
                rows.append((0..<record.count).map { record.text($0) })
            }
        }
    } catch {
        // The first reading has found every error but those of names.
        precondition(error is FileError, "\(error) at the second reading")
        return Array(repeating: [], count: sheet.layout.rowCount)
    }
}

private func contents(of reader: DecompressingReader) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = ByteBuffer()
    repeat {
        guard (try? reader.read(into: &chunk)) != nil else { return bytes }
        bytes += chunk.array()
    } while !chunk.isEmpty
    return bytes
}

private func compare<Contents: Equatable>(
    _ first: Contents,
    _ rewind: () -> Void,
    _ second: () -> Contents
) {
    rewind()
    precondition(first == second(), "the second reading differs")
}
