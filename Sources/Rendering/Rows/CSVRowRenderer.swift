package import Bytes
package import Listings

/// A renderer of rows as comma-separated values (RFC 4180): section, id and shown columns.
///
/// The id is in the position of its column, if that column is shown. A row whose controller failed
/// has `#error: <code>` in its first column.
package struct CSVRowRenderer: RowRenderer {
    private let formulas: CSVWriter.Formulas
    private let sections: RowSections

    /// Creates a renderer.
    package init(formulas: CSVWriter.Formulas = .kept, sections: RowSections = .named) {
        self.formulas = formulas
        self.sections = sections
    }

    /// Appends the names of the columns.
    package func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer) {
        CSVWriter.write(to: &buffer, formulas: formulas) { writer in
            if sections == .named { writer.field("section") }
            if !page.showsIDs { writer.field(ListSchema.idName) }
            for column in page.shownColumns { writer.field(page.schema.columns[column].id) }
            writer.endRecord()
        }
    }

    /// Appends the rows of a page as records.
    package func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer) {
        let columns = page.shownColumns
        let (showsIDs, hasNumericIDs) = (page.showsIDs, page.schema.idType.isNumber)
        CSVWriter.write(to: &buffer, formulas: formulas) { writer in
            for section in page.sections {
                let id = section.info.id.rawValue
                for row in section.rows {
                    if sections == .named {
                        if section.info.hasNumericID {
                            writer.field { $0.append(id) }
                        } else {
                            writer.field(id)
                        }
                    }
                    if !showsIDs {
                        page.withID(ofRow: row) { id in
                            if hasNumericIDs {
                                writer.field { $0.append(id) }
                            } else {
                                writer.field(id)
                            }
                        }
                    }
                    self.cells(ofRow: row, of: page, columns, to: &writer)
                    writer.endRecord()
                }
            }
        }
    }

    private func cells(
        ofRow row: Int,
        of page: borrowing Page,
        _ columns: [Int],
        to writer: inout CSVWriter
    ) {
        var failure = page.failures[row]
        for column in columns {
            if let code = failure {
                writer.field("#error: \(code.rawValue)")
                failure = nil
            } else if let cell = page.cell(row: row, column: column) {
                writer.value(cell, of: page.cells)
            } else {
                writer.emptyField()
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
    /// Appends a value in its form for programs.
    borrowing func writePlain(_ index: Int, to buffer: inout ByteBuffer) {
        switch self[index] {
        case .null: break
        case .text, .decimal, .timestamp, .json: withText(index) { buffer.append($0) }
        case .bytes(let count): buffer.append(EnglishText().bytes(count))
        case .integer(let integer): buffer.append(decimal: integer)
        case .real(let real): buffer.append(CellValue.text(of: real))
        case .boolean(let boolean): buffer.append(boolean ? "true" : "false" as StaticString)
        case .date(let date): date.write(to: &buffer)
        }
    }
}
