import Bytes
import Listings

/// Writes the values of cells as HTML for people, in one language.
///
/// Texts of cells come out escaped, whatever the bytes are appended to.
struct HTMLValueFormat: Sendable {
    /// The presentation of the address of a link to another site.
    enum LinkText {
        /// Without the scheme, as all addresses have one.
        case short
        /// As it is.
        case whole
    }

    private let texts: any PageText
    /// Words of the language, escaped.
    private let null: [UInt8]
    private let yes: [UInt8]
    private let no: [UInt8]
    /// The most bytes of a value besides its texts.
    let longest: Int

    init(_ language: PageLanguage) {
        func escaped(_ text: String) -> [UInt8] {
            var buffer = ByteBuffer(minimumCapacity: 32)
            HTMLEscape.write(text.utf8.span, to: &buffer)
            return buffer.array()
        }
        texts = language.texts
        null = escaped(texts.null)
        yes = escaped(texts.yes)
        no = escaped(texts.no)
        longest = 192 + null.count + yes.count + no.count
    }

    /// The format of each language, made once.
    static func of(_ language: PageLanguage) -> HTMLValueFormat {
        switch language {
        case .english: english
        case .german: german
        }
    }

    private static let english = HTMLValueFormat(.english)
    private static let german = HTMLValueFormat(.german)

    /// Appends a cell, with a link where the type of its column says so.
    func write(
        _ index: Int,
        of cells: borrowing CellBuffer,
        type: ColumnType,
        groupsDigits: Bool = false,
        links: LinkText = .short,
        to sink: inout some ByteSink & ~Copyable
    ) {
        guard !cells.hasDisplay(index), type == .email || type == .link else {
            if let text = local(index, of: cells, groupsDigits: groupsDigits) {
                return sink.append(text.utf8.span)
            }
            return write(index, of: cells, to: &sink)
        }
        let isLink = cells.withText(index) { address in
            if type == .email {
                guard SafeURL.isMail(address) else { return false }
                write("<a href=\"mailto:", address, "</a>", to: &sink)
            } else {
                guard SafeURL.isWeb(address) else { return false }
                let start = links == .short ? SafeURL.schemeLength(address) : 0
                write("<a rel=\"noopener\" href=\"", address, from: start, "</a>", to: &sink)
            }
            return true
        }
        if !isLink { write(index, of: cells, to: &sink) }
    }

    /// Returns a number or a time in the notation of the language; nil if it is the plain one.
    private func local(
        _ index: Int,
        of cells: borrowing CellBuffer,
        groupsDigits: Bool
    ) -> String? {
        guard !cells.hasDisplay(index) else { return nil }
        switch cells[index] {
        case .integer(let integer):
            guard groupsDigits, integer.magnitude >= 10_000 else { return nil }
            return texts.local(String(integer), groupsDigits: true)
        case .real(let real):
            return texts.local(CellValue.text(of: real), groupsDigits: groupsDigits)
        case .decimal:
            let text = cells.withText(index) { String(decoding: $0) }
            return texts.local(text, groupsDigits: groupsDigits)
        case .timestamp: return texts.local(time: cells.withText(index) { String(decoding: $0) })
        case .null, .text, .json, .bytes, .boolean, .date: return nil
        }
    }

    /// Appends a cell without links.
    func write(
        _ index: Int,
        of cells: borrowing CellBuffer,
        to sink: inout some ByteSink & ~Copyable
    ) {
        let cell = cells[index]
        if case .null = cell { sink.append("<span class=\"null\">" as StaticString) }
        if cells.hasDisplay(index) {
            cells.withDisplay(index) { HTMLEscape.write($0, to: &sink) }
        } else {
            switch cell {
            case .null: sink.append(null.span)
            case .text, .decimal, .json, .timestamp:
                cells.withText(index) { HTMLEscape.write($0, to: &sink) }
            case .bytes(let count): HTMLEscape.write(texts.bytes(count).utf8.span, to: &sink)
            case .integer(let integer): sink.append(decimal: integer)
            case .real(let real): sink.append(CellValue.text(of: real).utf8.span)
            case .boolean(let boolean): sink.append(boolean ? yes.span : no.span)
            case .date(let date): texts.write(date, to: &sink)
            }
        }
        if case .null = cell { sink.append("</span>" as StaticString) }
    }

    /// Appends an element with a text in an attribute, and as its content from an index on.
    ///
    /// - Parameters:
    ///   - start: The start tag up to the text in its attribute.
    ///   - text: The text.
    ///   - index: The start of the content in the text.
    ///   - end: The end tag.
    ///   - sink: Takes the element.
    private func write(
        _ start: StaticString,
        _ text: borrowing Span<UInt8>,
        from index: Int = 0,
        _ end: StaticString,
        to sink: inout some ByteSink & ~Copyable
    ) {
        sink.append(start)
        HTMLEscape.write(text, to: &sink)
        sink.append("\">" as StaticString)
        HTMLEscape.write(text.extracting(index...), to: &sink)
        sink.append(end)
    }
}

extension HTMLWriter {
    /// Appends a cell of a row for people, with links where the type of the column says so, and to
    /// its bytes.
    mutating func value(
        _ cell: Int,
        inColumn column: Int,
        ofRow row: Int,
        of page: borrowing Page,
        links: HTMLValueFormat.LinkText = .short,
        in context: RenderContext
    ) {
        // Only a row that exists for the caller has a label.
        if let reference = context.references[column], page.cells.hasDisplay(cell) {
            markup("<a")
            attribute("href", reference(page.cells.value(cell).plainText))
            markup(">")
            plain(cell, of: page.cells)
            return markup("</a>")
        }
        guard context.links.linksCell(cell, ofRow: row, of: page) else {
            return value(cell, of: page.cells, column: page.schema.columns[column], links: links)
        }
        markup("<a href=\"")
        page.withID(ofRow: row) { id in
            text { context.links.writeCell(column: column, ofRow: id, to: &$0) }
        }
        markup("\">")
        plain(cell, of: page.cells)
        markup("</a>")
    }
}

extension CellBuffer {
    /// Whether a cell has a value or text that can be seen.
    func showsSomething(_ index: Int) -> Bool {
        switch self[index] {
        case .null: hasDisplay(index)
        case .text: !withText(index) { $0.isEmpty }
        case .integer, .real, .boolean, .date, .decimal, .timestamp, .json, .bytes: true
        }
    }
}
