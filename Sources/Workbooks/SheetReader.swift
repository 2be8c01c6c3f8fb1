import Archives
package import Bytes
import TableFiles

/// The sheet is read once at the beginning, because merged cells stand behind the rows and the last
/// column with a value is not known before.
package final class SheetReader {
    private static let outputBytes = 256 << 10
    /// A cell of 20 bytes may name a shared text of 1 MiB, so larger pieces could fill memory.
    private static let pieceBytes = 2 << 10

    package let layout: SheetLayout
    /// The descriptions of the columns of an export, by their names.
    package let columnForms: [String: String]
    private let columns: Set<Int>
    private let form: SheetForm
    private let stream: DecompressingReader
    private let part: String
    private let maximumBytes: Int64
    private var output = ByteBuffer()
    private var count: Int64 = 0
    private var chunk = ByteBuffer()
    private var index = 0
    private var parser: XMLParser?
    private var isAtEnd = false

    init(
        _ stream: DecompressingReader,
        part: String,
        form: SheetForm,
        options: SheetOptions,
        maximumBytes: Int64,
        columnForms: [String: String] = [:]
    ) throws(WorkbookError) {
        self.stream = stream
        self.columnForms = columnForms
        self.part = part
        self.form = form
        self.maximumBytes = maximumBytes
        layout = try SheetScan.layout(of: stream, part, form, options, maximumBytes)
        columns = Set(layout.columns.map(\.number))
        rewind()
    }

    package var compressedBytes: Int { stream.compressedBytes }
    package var compressedBytesRead: Int { stream.compressedBytesRead }

    package func rewind() {
        stream.rewind()
        output.removeAll()
        chunk.removeAll()
        (index, count, isAtEnd, parser) = (0, 0, false, nil)
    }

    /// After an error, the reader can only be rewound.
    package func read(into buffer: inout ByteBuffer) throws(WorkbookError) {
        buffer.removeAll()
        while output.count < Self.outputBytes, !isAtEnd { try parsePiece() }
        buffer.append(output)
        count += Int64(output.count)
        output.removeAll()
        guard count <= maximumBytes else { throw .archive(.expandsTooFar(limit: maximumBytes)) }
    }

    private func parsePiece() throws(WorkbookError) {
        let parser = if let begun = self.parser { begun } else { try begin() }
        if index == chunk.count {
            try WorkbookError.ofArchive { () throws(ArchiveError) in try stream.read(into: &chunk) }
            index = 0
            guard !chunk.isEmpty else {
                try parser.finish()
                isAtEnd = true
                return
            }
        }
        let end = min(chunk.count, index + Self.pieceBytes)
        try chunk.withBytes { (bytes) throws(WorkbookError) in
            try parser.parse(bytes.extracting(index..<end))
        }
        index = end
    }

    private func begin() throws(WorkbookError) -> XMLParser {
        let first = layout.headerRows.isEmpty ? 1 : layout.headerRows.lowerBound
        SheetRows.beginRow(first, in: &output)
        for column in layout.columns {
            SheetRows.beginCell(column.number, as: .text, in: &output)
            output.append(column.name)
        }
        SheetRows.endRow(in: &output)
        let start = layout.firstRow
        let row = SheetRow(keepsEmpty: form.keepsEmpty) {
            [unowned self] (row) throws(WorkbookError) in
            guard row.number >= start else { return }
            try append(row)
        }
        let parser = try XMLParser(part, form.parser(row))
        self.parser = parser
        return parser
    }

    private func append(_ sheet: SheetRow) throws(WorkbookError) {
        SheetRows.beginRow(sheet.number, in: &output)
        for cell in sheet.cells {
            guard columns.contains(cell.column) else { throw .changed }
            SheetRows.beginCell(cell.column, as: cell.form, in: &output)
            output.append(cell.range, of: sheet.bytes)
        }
        SheetRows.endRow(in: &output)
    }
}

enum SheetForm {
    case officeOpenXML(SheetParser.Tables)
    case openDocument(table: Int)

    var keepsEmpty: Bool {
        if case .officeOpenXML(let tables) = self { tables.areExported } else { false }
    }

    func parser(_ row: SheetRow) -> any XMLHandler {
        switch self {
        case .officeOpenXML(let tables): SheetParser(tables, row)
        case .openDocument(let table): OpenDocumentSheet(table: table, row)
        }
    }
}

enum SheetScan {
    static func layout(
        of stream: DecompressingReader,
        _ part: String,
        _ form: SheetForm,
        _ options: SheetOptions,
        _ maximumBytes: Int64
    ) throws(WorkbookError) -> SheetLayout {
        var search = HeaderSearch()
        var valued: Set<Int> = []
        var (rowCount, byteCount) = (0, 0 as Int64)
        let sheet = SheetRow(keepsEmpty: form.keepsEmpty) { (sheet) throws(WorkbookError) in
            rowCount += 1
            byteCount += Int64(sheet.bytes.count)
            guard byteCount <= maximumBytes else {
                throw .archive(.expandsTooFar(limit: maximumBytes))
            }
            guard search.isFull else { return search.add(row(of: sheet, search.needsTexts)) }
            for cell in sheet.cells { valued.insert(cell.column) }
        }
        try Workbook.parse(stream, part, form.parser(sheet))
        var options = options
        if form.keepsEmpty, options.skippedRows == nil { options.skippedRows = 0 }
        let header = search.header(sheet.merges, options)
        var layout = SheetLayout()
        layout.skippedRows = min(header.index, search.rows.count)
        (layout.errorCount, layout.unsolvedCount) = (sheet.errorCount, sheet.unsolvedCount)
        let rows = search.rows.dropFirst(header.index + header.count)
        for row in rows { valued.formUnion(row.columns) }
        layout.rowCount = rowCount - (search.rows.count - rows.count)
        if header.count > 0 {
            let last = search.rows[header.index + header.count - 1].number
            layout.headerRows = search.rows[header.index].number..<last + 1
        }
        layout.firstRow =
            rows.first?.number ?? (search.rows.last?.number ?? 0) + 1
        let named = header.names.filter { !$0.value.isEmpty }.map(\.key)
        layout.columns = valued.union(named).sorted()
            .map { .init(number: $0, name: header.names[$0] ?? "") }
        return layout
    }

    private static func row(of sheet: SheetRow, _ needsTexts: Bool) -> HeaderSearch.Row {
        var row = HeaderSearch.Row(number: sheet.number, columns: sheet.cells.map(\.column))
        guard needsTexts else { return row }
        row.isText = sheet.cells.allSatisfy { $0.form == .text }
        row.texts = sheet.cells.map { cell in
            sheet.bytes.withBytes { bytes in
                // A longer name is refused later, with its place.
                let end = min(cell.range.upperBound, cell.range.lowerBound + maximumNameBytes)
                return bytes.extracting(cell.range.lowerBound..<end).text
            }
        }
        return row
    }

    /// One character beyond the limit of a name.
    private static let maximumNameBytes = FileLimits.maximumNameBytes + 4
}
