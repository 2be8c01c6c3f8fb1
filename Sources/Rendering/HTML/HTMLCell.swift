import Bytes
import Listings

extension HTMLWriter {
    /// Appends a cell of a row for people, with links where the type of the column says so, and to
    /// its bytes.
    mutating func value(
        _ cell: Int,
        inColumn column: Int,
        ofRow row: Int,
        of page: borrowing Page,
        links: LinkText = .short,
        in context: ListingContext
    ) {
        guard context.links.linksCell(cell, ofRow: row, of: page) else {
            let type = page.schema.columns[column].type
            return value(cell, of: page.cells, type: type, links: links)
        }
        markup("<a href=\"")
        page.withID(ofRow: row) { id in
            text { context.links.writeCell(column: column, ofRow: id, to: &$0) }
        }
        markup("\">")
        plain(cell, of: page.cells)
        markup("</a>")
    }

    private mutating func value(
        _ index: Int,
        of cells: borrowing CellBuffer,
        type: ColumnType,
        links: LinkText
    ) {
        guard !cells.hasDisplay(index) else { return plain(index, of: cells) }
        switch type {
        case .email:
            cells.withText(index) { address in
                SafeAddress.isMail(address)
                    ? mail(address) : plain(index, of: cells)
            }
        case .link:
            cells.withText(index) { address in
                SafeAddress.isWeb(address)
                    ? web(address, links) : plain(index, of: cells)
            }
        case .text, .integer, .real, .boolean, .date, .timestamp, .json, .bytes:
            plain(index, of: cells)
        }
    }

    /// How the address of a link to elsewhere is shown.
    enum LinkText {
        /// Without what all addresses begin with.
        case short
        /// As it is.
        case whole
    }

    /// Appends a cell's value for people, without links.
    mutating func plain(_ index: Int, of cells: borrowing CellBuffer) {
        let cell = cells[index]
        if case .null = cell { markup("<span class=\"null\">") }
        if cells.hasDisplay(index) {
            cells.withDisplay(index) { text($0) }
        } else {
            switch cell {
            case .null: text(texts.null)
            case .text, .decimal, .json: cells.withText(index) { text($0) }
            case .timestamp: cells.withText(index) { time($0) }
            case .bytes(let count): text(texts.bytes(count))
            case .integer(let integer): text { $0.append(decimal: integer) }
            case .real(let real): text(CellValue.text(of: real))
            case .boolean(let boolean): text(boolean ? texts.yes : texts.no)
            case .date(let date): time(date)
            }
        }
        if case .null = cell { markup("</span>") }
    }

    private mutating func time(_ date: CalendarDate) {
        markup("<time datetime=\"")
        text { date.write(to: &$0) }
        markup("\">")
        text { [texts] in texts.write(date, to: &$0) }
        markup("</time>")
    }

    private mutating func time(_ timestamp: borrowing Span<UInt8>) {
        markup("<time datetime=\"")
        text(timestamp)
        markup("\">")
        text(timestamp)
        markup("</time>")
    }

    private mutating func mail(_ address: borrowing Span<UInt8>) {
        markup("<a href=\"mailto:")
        text(address)
        markup("\">")
        text(address)
        markup("</a>")
    }

    private mutating func web(_ address: borrowing Span<UInt8>, _ style: LinkText) {
        markup("<a rel=\"noopener\" href=\"")
        text(address)
        markup("\">")
        switch style {
        case .short: text(address.extracting(SafeAddress.schemeLength(address)...))
        case .whole: text(address)
        }
        markup("</a>")
    }
}
