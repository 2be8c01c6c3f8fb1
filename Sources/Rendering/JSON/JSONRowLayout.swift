import Listings

/// The shown columns of a page with their names ready to be written.
struct JSONRowLayout {
    struct Field {
        let column: Int
        let key: JSONKey
    }

    let fields: [Field]

    init(_ page: borrowing Page) {
        let columns = page.schema.columns
        fields = page.shownColumns.map { Field(column: $0, key: JSONKey(columns[$0].id)) }
    }
}

extension JSONWriter {
    /// Appends a value as machines read it.
    mutating func value(_ index: Int, of cells: borrowing CellBuffer) {
        switch cells[index] {
        case .null: null()
        case .text: cells.withText(index) { string($0) }
        case .integer(let integer): self.integer(integer)
        case .real(let real): self.real(real)
        case .boolean(let boolean): self.boolean(boolean)
        case .date(let date): self.date(date)
        }
    }

    /// Appends a member for each cell of a row; a cell that its kind lacks is null.
    ///
    /// - Returns: Whether any cell shows people another text than its value.
    @discardableResult
    mutating func cells(
        ofRow row: Int,
        of page: borrowing Page,
        _ layout: JSONRowLayout
    ) -> Bool {
        var hasDisplay = false
        for index in 0..<layout.fields.count {
            key(layout.fields[index].key)
            if let cell = page.cell(row: row, column: layout.fields[index].column) {
                value(cell, of: page.cells)
                hasDisplay = hasDisplay || page.cells.hasDisplay(cell)
            } else {
                null()
            }
        }
        return hasDisplay
    }

    /// Appends the member `display`: the texts for people, where they differ from the values.
    mutating func display(ofRow row: Int, of page: borrowing Page, _ layout: JSONRowLayout) {
        object("display") { writer in
            for field in layout.fields {
                guard let cell = page.cell(row: row, column: field.column),
                    page.cells.hasDisplay(cell)
                else { continue }
                writer.key(field.key)
                page.cells.withDisplay(cell) { writer.string($0) }
            }
        }
    }

    /// Appends the member `error` of a row whose controller failed.
    mutating func failure(_ code: RowFailure.Code) {
        object("error") { writer in
            writer.member("code", code.rawValue)
            writer.member("detail", EnglishText().failure(code))
        }
    }
}
