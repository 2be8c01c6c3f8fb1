package import Bytes
package import Listings

/// A renderer of rows as comma-separated values (RFC 4180), with the names that the source has.
///
/// A row whose controller failed has `#error: <code>` in its first column.
package struct CSVRowRenderer: RowRenderer {
    private let formulas: CSVWriter.Formulas
    private let hasByteOrderMark: Bool

    package init(formulas: CSVWriter.Formulas = .kept, hasByteOrderMark: Bool = false) {
        self.formulas = formulas
        self.hasByteOrderMark = hasByteOrderMark
    }

    package func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer) {
        if hasByteOrderMark { buffer.append("\u{FEFF}" as StaticString) }
        CSVWriter.write(to: &buffer, formulas: formulas) { writer in
            let fields = page.schema.fields(of: page.query)
            for name in page.schema.names(of: fields) { writer.field(name) }
            writer.endRecord()
        }
    }

    package func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer) {
        let fields = page.schema.fields(of: page.query)
        let spellings = page.schema.columns.map(\.spelling)
        CSVWriter.write(to: &buffer, formulas: formulas) { writer in
            for section in page.sections {
                for row in section.rows {
                    self.row(row, of: page, section.info, fields, spellings, to: &writer)
                    writer.endRecord()
                }
            }
        }
    }

    package func renderEnd(to buffer: inout ByteBuffer) {}

    private func row(
        _ row: Int,
        of page: borrowing Page,
        _ section: SectionInfo,
        _ fields: [RowField],
        _ spellings: [ColumnSpelling?],
        to writer: inout CSVWriter
    ) {
        var failure = page.failures[row]
        for field in fields {
            switch field {
            case .section:
                writer.field(section.id.rawValue, isNumber: section.hasNumericID)
            case .id:
                let isNumber = page.schema.idType.isNumber
                page.withID(ofRow: row) { writer.field($0, isNumber: isNumber) }
            case .column(let column):
                if let code = failure {
                    writer.field("#error: \(code.rawValue)")
                    failure = nil
                } else if let cell = page.cell(row: row, column: column) {
                    if let text = spellings[column]?.text(of: page.cells.value(cell)) {
                        writer.field(text, isNumber: true)
                    } else {
                        writer.value(cell, of: page.cells)
                    }
                } else {
                    writer.emptyField()
                }
            }
        }
    }
}

extension SectionInfo {
    /// Whether the section's id is a number, which spreadsheets never treat as a formula.
    fileprivate var hasNumericID: Bool {
        switch key {
        case .value(let value) where value.kind == .number: true
        case .value, .named, .whole: false
        }
    }
}

extension CSVWriter {
    fileprivate mutating func value(_ index: Int, of cells: borrowing CellBuffer) {
        switch cells[index] {
        case .null: emptyField()
        case .text, .json, .timestamp: cells.withText(index) { field($0) }
        // Spreadsheets never treat a number as a formula.
        case .decimal, .bytes, .integer, .real, .boolean, .date:
            field { cells.writePlain(index, to: &$0) }
        }
    }
}

extension CellBuffer {
    borrowing func writePlain(_ index: Int, to buffer: inout ByteBuffer) {
        switch self[index] {
        case .null: break
        case .text, .decimal, .timestamp, .json: withText(index) { buffer.append($0) }
        case .bytes(let count): buffer.append(HTMLValueFormat.of(.english).bytes(count))
        case .integer(let integer): buffer.append(decimal: integer)
        case .real(let real): buffer.append(CellValue.text(of: real))
        case .boolean(let boolean): buffer.append(boolean ? "true" : "false" as StaticString)
        case .date(let date): date.write(to: &buffer)
        }
    }
}
