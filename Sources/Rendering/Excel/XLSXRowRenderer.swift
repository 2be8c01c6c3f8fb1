package import Bytes
package import Listings

/// A renderer of rows as an Excel workbook (ECMA-376) that is sent while it is written.
///
/// Rows that do not fit into a sheet continue in the next one.
package struct XLSXRowRenderer: RowRenderer {
    package static let maximumSections = 100

    private struct Sheet {
        let title: String
        let section: SectionID?
        var rows = 1
    }

    private let splitsSections: Bool
    private let maximumRows: Int
    private var zip: ZipWriter
    private var list = ""
    private var fields: [RowField] = []
    private var header: [String] = []
    private var columns = ""
    private var forms: [(name: String, form: ColumnForm)] = []
    private var names = SheetNames()
    private var sheetNames: [String] = []
    private var sheet: Sheet?

    package init(
        splitsSections: Bool,
        maximumRows: Int = 1_048_576,
        deflate: @escaping ZipWriter.Deflate
    ) {
        self.splitsSections = splitsSections
        self.maximumRows = maximumRows
        zip = ZipWriter(deflate: deflate)
    }

    package mutating func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer) {
        list = page.list
        fields = page.schema.fields(of: page.query)
        if splitsSections, page.query.fields?.contains(.section) != true {
            fields.removeAll { $0 == .section }
        }
        header = page.schema.names(of: fields)
        forms = Swift.zip(header, fields).compactMap { name, field in
            guard case .column(let position) = field else { return nil }
            return (name, ColumnForm(of: page.schema.columns[position]))
        }
        columns = fields.enumerated().map { position, field in
            let (location, width) = (position + 1, field.width(in: page.schema))
            return
                "<col min=\"\(location)\" max=\"\(location)\" width=\"\(width)\" customWidth=\"1\"/>"
        }
        .joined()
        zip.add("_rels/.rels", to: &buffer) { $0.append(XLSXParts.relations) }
        zip.add("xl/styles.xml", to: &buffer) { $0.append(XLSXParts.styles) }
    }

    package mutating func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer) {
        var writer = SheetWriter()
        for section in page.sections where !section.rows.isEmpty {
            let id = splitsSections ? section.info.id : nil
            if sheet == nil || sheet?.section != id {
                let title = id.map { section.info.header ?? $0.rawValue } ?? list
                begin(Sheet(title: title, section: id), &writer, to: &buffer)
            }
            for row in section.rows {
                let written = zip.entrySize + UInt64(writer.buffer.count)
                if let sheet, sheet.rows >= maximumRows || written >= Self.maximumBytes {
                    begin(Sheet(title: sheet.title, section: id), &writer, to: &buffer)
                }
                self.row(row, of: page, section.info, to: &writer)
                if writer.buffer.count >= Self.pieceBytes { flush(&writer, to: &buffer) }
            }
        }
        flush(&writer, to: &buffer)
    }

    package mutating func renderEnd(to buffer: inout ByteBuffer) {
        var writer = SheetWriter()
        if sheet == nil { begin(Sheet(title: list, section: nil), &writer, to: &buffer) }
        end(&writer, to: &buffer)
        let names = sheetNames
        zip.add("xl/workbook.xml", to: &buffer) { XLSXParts.workbook(names, to: &$0) }
        zip.add("xl/_rels/workbook.xml.rels", to: &buffer) {
            XLSXParts.relations(ofSheets: names.count, to: &$0)
        }
        let forms = forms
        zip.add("docProps/custom.xml", to: &buffer) { XLSXParts.properties(forms, to: &$0) }
        zip.add("[Content_Types].xml", to: &buffer) {
            XLSXParts.contentTypes(ofSheets: names.count, to: &$0)
        }
        zip.finish(to: &buffer)
    }

    /// The bytes of a piece that is compressed at once.
    private static let pieceBytes = 256 * 1024
    /// The bytes of a sheet before it continues in another one; zip files allow 4 GiB.
    private static let maximumBytes: UInt64 = 3 << 30

    // MARK: - Sheets

    private mutating func begin(
        _ next: Sheet,
        _ writer: inout SheetWriter,
        to buffer: inout ByteBuffer
    ) {
        if sheet != nil { end(&writer, to: &buffer) }
        sheet = next
        sheetNames.append(names.name(for: next.title))
        zip.begin("xl/worksheets/sheet\(sheetNames.count).xml", to: &buffer)
        writer.buffer.append(XLSXParts.sheetStart)
        if !columns.isEmpty { writer.buffer.append("<cols>\(columns)</cols>") }
        writer.buffer.append("<sheetData>" as StaticString)
        writer.beginRow(1)
        for name in header { writer.text(name, .header) }
        writer.endRow()
    }

    private mutating func end(_ writer: inout SheetWriter, to buffer: inout ByteBuffer) {
        writer.buffer.append("</sheetData>" as StaticString)
        if !fields.isEmpty, let sheet {
            writer.buffer.append("<autoFilter ref=\"A1:" as StaticString)
            SheetWriter.reference(column: fields.count - 1, to: &writer.buffer)
            writer.buffer.append("\(sheet.rows)\"/>")
        }
        writer.buffer.append("</worksheet>" as StaticString)
        flush(&writer, to: &buffer)
        zip.end(to: &buffer)
    }

    private mutating func flush(_ writer: inout SheetWriter, to buffer: inout ByteBuffer) {
        zip.write(writer.buffer, to: &buffer)
        writer.buffer.removeAll()
    }

    // MARK: - Rows

    private mutating func row(
        _ row: Int,
        of page: borrowing Page,
        _ section: SectionInfo,
        to writer: inout SheetWriter
    ) {
        sheet?.rows += 1
        writer.beginRow(sheet?.rows ?? 1)
        var failure = page.failures[row]
        for field in fields {
            switch field {
            case .section: writer.text(section.id.rawValue)
            case .id:
                let id = page.id(ofRow: row)
                if page.schema.idType.isNumber, let number = Int64(id) {
                    writer.integer(number)
                } else {
                    writer.text(id)
                }
            case .column(let column):
                if let code = failure {
                    writer.text("#error: \(code.rawValue)")
                    failure = nil
                } else if let cell = page.cell(row: row, column: column) {
                    writer.value(cell, of: page.cells)
                } else {
                    writer.skip()
                }
            }
        }
        writer.endRow()
    }
}

extension RowField {
    /// The width of the column in characters, which shows dates whole.
    fileprivate func width(in schema: ListSchema) -> Int {
        guard case .column(let position) = self else { return 12 }
        let type = schema.columns[position].type
        return type.isText || type == .json || type == .timestamp ? 24 : 12
    }
}
