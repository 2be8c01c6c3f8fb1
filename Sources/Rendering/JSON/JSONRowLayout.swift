import Bytes
import Listings

/// The shown columns of a page and the kinds of its rows, with all that stands around ids and values
/// ready to be written: made once for a page, copied for each row.
struct JSONRowLayout: ~Copyable {
    /// A column and where its name stands in `text`, with the colon.
    struct Field {
        let column: Int
        let key: Range<Int>
        /// The name with what stands before it in a row of cells only.
        let lead: Range<Int>
    }

    /// What stands in the bare rows of a kind, as parts of `text`.
    struct Kind {
        /// Between the id and the revision or the cells.
        let afterID: Range<Int>
        /// The place of its cells in `cells`.
        let firstCell: Int
        /// The cells that its rows have.
        let cellCount: Int
        /// The most bytes of one of its rows without its ids and its texts.
        let longest: Int
    }

    private(set) var text = ByteBuffer(minimumCapacity: 512)
    private(set) var fields: [Field] = []
    private(set) var kinds: [Kind] = []
    /// For each kind and each field the place of the cell among the row's; -1 where there is none.
    private(set) var cells: [Int] = []
    /// Between the cells of a bare row and the id in its address; nil where its addresses are not
    /// made of a beginning and the id.
    private(set) var beforeLink: Range<Int>?
    /// For each kind the pattern of its bare rows without revision, and that of those with one, each
    /// with a comma behind it; nil where a kind has none.
    private var patterns: [RowPattern?] = []

    init(_ page: borrowing Page, in context: ListingContext? = nil) {
        let columns = page.schema.columns
        for column in page.shownColumns {
            let start = text.count
            text.append(fields.isEmpty ? ",\"cells\":{" : "," as StaticString)
            let name = text.count
            appendString(columns[column].id)
            text.append(UInt8(ascii: ":"))
            let end = text.count
            fields.append(Field(column: column, key: name..<end, lead: start..<end))
        }
        guard let context else { return }
        // Room is made for each cell once.
        let isShownOnce = Set(page.shownColumns).count == fields.count
        guard page.isFlat, !fields.isEmpty, isShownOnce else { return }
        addLink(context)
        for kind in page.kinds { add(kind) }
        for kind in kinds.indices {
            let cells = RowPattern.Cells(ofKind: kind, of: page)
            patterns.append(cells.flatMap { pattern(of: kind, $0, hasRevision: false) })
            patterns.append(cells.flatMap { pattern(of: kind, $0, hasRevision: true) })
        }
    }

    /// What a row may follow; nil for one that cannot.
    func pattern(ofRow row: Int, of page: borrowing Page) -> RowPattern? {
        guard !patterns.isEmpty, let bare = page.bareKind(ofRow: row) else { return nil }
        return patterns[bare.kind * 2 + (bare.hasRevision ? 1 : 0)]
    }

    /// Whether rows that are lent to the page can be drawn.
    func draws(_ stretch: PlainStretch) -> Bool {
        guard !patterns.isEmpty else { return false }
        return patterns[stretch.kind * 2 + (stretch.hasRevision ? 1 : 0)]?.draws(stretch) ?? false
    }

    private func pattern(
        of position: Int,
        _ rowCells: RowPattern.Cells,
        hasRevision: Bool
    ) -> RowPattern? {
        let kind = kinds[position]
        guard let beforeLink else { return nil }
        let cells = cells[kind.firstCell..<kind.firstCell + fields.count]
        guard !cells.contains(-1) else { return nil }
        return RowPattern(
            kind: position,
            cells: rowCells,
            hasRevision: hasRevision
        ) { row, value in
            row.append("{\"id\":\"")
            value(.id, row)
            row.append(kind.afterID, of: text)
            if hasRevision {
                row.append(",\"etag\":\"\\\"")
                value(.id, row)
                row.append("-")
                value(.revision, row)
                row.append("\\\"\"")
            }
            for (field, cell) in zip(fields, cells) {
                row.append(field.lead, of: text)
                let cell = rowCells.value(cell)
                if case .text = cell { row.append("\"") }
                value(cell, row)
                if case .text = cell { row.append("\"") }
            }
            row.append("}")
            row.append(beforeLink, of: text)
            value(.id, row)
            row.append("\"}},")
        }
    }

    private mutating func add(_ kind: Page.Kind) {
        let start = text.count
        text.append("\",\"kind\":")
        appendString(kind.name)
        kinds.append(
            Kind(
                afterID: start..<text.count,
                firstCell: cells.count,
                cellCount: kind.cellCount,
                // All that stands in the text at most once, and what the writer knows of itself.
                longest: text.count + JSONSpelling.longest * (fields.count + 3)
            )
        )
        for field in fields { cells.append(kind.cellOfColumn[field.column] ?? -1) }
    }

    private mutating func addLink(_ context: ListingContext) {
        var stem = ByteBuffer(minimumCapacity: 64)
        guard context.links.writeRowStem(to: &stem) else { return }
        let start = text.count
        text.append(",\"links\":{\"self\":\"")
        stem.withBytes { JSONEscape.write($0, to: &text) }
        beforeLink = start..<text.count
    }

    private mutating func appendString(_ string: String) {
        text.append(UInt8(ascii: "\""))
        JSONEscape.write(string.utf8.span, to: &text)
        text.append(UInt8(ascii: "\""))
    }
}

extension JSONWriter {
    /// Appends a value as machines read it.
    mutating func value(_ index: Int, of cells: borrowing CellBuffer) {
        separate()
        JSONSpelling.write(index, of: cells, to: &buffer)
    }

    /// Appends a member for each cell of a row; a cell that its kind lacks is null.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - page: The page it stands on.
    ///   - layout: The columns shown.
    ///   - links: Have the addresses of bytes; nil writes none.
    /// - Returns: Whether any cell shows people another text than its value.
    @discardableResult
    mutating func cells(
        ofRow row: Int,
        of page: borrowing Page,
        _ layout: borrowing JSONRowLayout,
        _ links: (any PageLinks)?
    ) -> Bool {
        var hasDisplay = false
        for index in 0..<layout.fields.count {
            key(layout.fields[index].key, of: layout.text)
            let column = layout.fields[index].column
            if let cell = page.cell(row: row, column: column) {
                if let links, links.linksCell(cell, ofRow: row, of: page) {
                    bytes(cell, inColumn: column, ofRow: row, of: page, links)
                } else {
                    value(cell, of: page.cells)
                }
                hasDisplay = hasDisplay || page.cells.hasDisplay(cell)
            } else {
                null()
            }
        }
        return hasDisplay
    }

    /// Appends bytes by their number and their address.
    private mutating func bytes(
        _ cell: Int,
        inColumn column: Int,
        ofRow row: Int,
        of page: borrowing Page,
        _ links: any PageLinks
    ) {
        guard case .bytes(let count) = page.cells[cell] else { return null() }
        object { writer in
            writer.member("bytes", count)
            writer.string("href") { address in
                page.withID(ofRow: row) { links.writeCell(column: column, ofRow: $0, to: &address) }
            }
        }
    }

    /// Appends the member `display`: the texts for people, where they differ from the values.
    mutating func display(
        ofRow row: Int,
        of page: borrowing Page,
        _ layout: borrowing JSONRowLayout
    ) {
        object("display") { writer in
            for field in layout.fields {
                guard let cell = page.cell(row: row, column: field.column),
                    page.cells.hasDisplay(cell)
                else { continue }
                writer.key(field.key, of: layout.text)
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
