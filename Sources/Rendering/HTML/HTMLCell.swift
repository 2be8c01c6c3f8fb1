import Bytes
import Listings

/// Writes the values of cells as HTML for people, in one language.
///
/// Texts of cells come out escaped, whatever the bytes are appended to.
struct HTMLValueFormat: Sendable {
    let texts: PageText
    private let null: [UInt8]
    private let yes: [UInt8]
    private let no: [UInt8]
    let bytes: Phrase
    let select, open, level, allBelow: Phrase
    let longest: Int

    init(_ language: PageLanguage) {
        func escaped(_ text: String) -> [UInt8] {
            var buffer = ByteBuffer(minimumCapacity: 32)
            HTMLEscape.write(text.utf8.span, to: &buffer)
            return buffer.array()
        }
        texts = language.texts
        null = escaped(texts("none"))
        yes = escaped(texts("yes"))
        no = escaped(texts("no"))
        bytes = Phrase("% byte|% bytes", in: texts)
        select = Phrase("Select %", in: texts)
        open = Phrase("Open row %", in: texts)
        level = Phrase("level %", in: texts)
        allBelow = Phrase("all %", in: texts)
        longest = null.count + yes.count + no.count
    }

    static func of(_ language: PageLanguage) -> HTMLValueFormat {
        switch language {
        case .english: english
        case .german: german
        case .hebrew: hebrew
        }
    }

    private static let english = HTMLValueFormat(.english)
    private static let german = HTMLValueFormat(.german)
    private static let hebrew = HTMLValueFormat(.hebrew)

    func write(
        _ index: Int,
        of cells: borrowing CellBuffer,
        _ style: CellStyle,
        in location: CellLocation = CellLocation(),
        to sink: inout some ByteSink & ~Copyable
    ) {
        guard !cells.hasDisplay(index), cells[index] != .null else {
            return write(index, of: cells, to: &sink)
        }
        if let format = style.format,
            formatted(index, of: cells, as: format, style, in: location, to: &sink)
        {
            return
        }
        switch cells[index] {
        case .text: text(index, of: cells, style, in: location, to: &sink)
        case .json where location.isAlone:
            json(cells.withText(index) { String(decoding: $0) }, to: &sink)
        case .json: cells.withText(index) { long($0, in: location, to: &sink) }
        case .boolean(let isTrue):
            sink.append(isTrue ? "<span class=\"yes\">" : "<span class=\"no\">" as StaticString)
            write(index, of: cells, to: &sink)
            sink.append("</span>" as StaticString)
        case .null, .integer, .real, .decimal, .date, .timestamp, .bytes:
            let text = local(index, of: cells, groupsDigits: style.groupsDigits)
            if style.type == .real, style.format == nil, !location.isAlone {
                fraction(text ?? cells.value(index).plainText, to: &sink)
            } else if let text {
                HTMLEscape.write(text.utf8.span, to: &sink)
            } else {
                write(index, of: cells, to: &sink)
            }
        }
    }

    /// Appends a number whose fraction has a box, so that the marks of a column are aligned.
    private func fraction(_ number: String, to sink: inout some ByteSink & ~Copyable) {
        let start = number.lastIndex(of: texts.language.decimalMark) ?? number.endIndex
        HTMLEscape.write(number[..<start].utf8.span, to: &sink)
        sink.append("<span class=\"fr\">" as StaticString)
        HTMLEscape.write(number[start...].utf8.span, to: &sink)
        sink.append("</span>" as StaticString)
    }

    /// Appends a text: as a link if it is an address, otherwise as it is.
    private func text(
        _ index: Int,
        of cells: borrowing CellBuffer,
        _ style: CellStyle,
        in location: CellLocation,
        to sink: inout some ByteSink & ~Copyable
    ) {
        cells.withText(index) { text in
            if style.type != .email, SafeURL.isWeb(text) {
                web(text, in: location, to: &sink)
            } else if style.type != .link, SafeURL.isMail(text),
                style.type == .email || hasDomain(text)
            {
                link("<a href=\"mailto:", text, to: &sink)
            } else {
                long(text, in: location, to: &sink)
            }
        }
    }

    /// Returns a number or a time in the notation of the language; nil if it is the plain one.
    func local(_ index: Int, of cells: borrowing CellBuffer, groupsDigits: Bool) -> String? {
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
            case .bytes(let count): HTMLEscape.write(bytes(count).utf8.span, to: &sink)
            case .integer(let integer): sink.append(decimal: integer)
            case .real(let real): sink.append(CellValue.text(of: real).utf8.span)
            case .boolean(let boolean): sink.append(boolean ? yes.span : no.span)
            case .date(let date): texts.write(date, to: &sink)
            }
        }
        if case .null = cell { sink.append("</span>" as StaticString) }
    }
}

extension HTMLWriter {
    mutating func value(
        _ cell: Int,
        inColumn column: Int,
        ofRow row: Int,
        of page: borrowing Page,
        isAlone: Bool = false,
        in context: RenderContext
    ) {
        if let template = context.template(ofColumn: column, ofRow: row, of: page) {
            return self.template(template, ofRow: row, of: page, in: context)
        }
        // Only a row that exists for the caller has a label.
        if let reference = context.references[column], page.cells.hasDisplay(cell) {
            let value = page.cells.value(cell)
            markup("<a")
            attribute("href", reference(page.labels[column]?[value]?.key ?? value.plainText))
            markup(">")
            plain(cell, of: page.cells)
            return markup("</a>")
        }
        guard context.links.linksCell(cell, ofRow: row, of: page) else {
            let location = CellLocation(isAlone: isAlone, images: context.imageHosts)
            return value(cell, of: page.cells, page.schema.columns[column], in: location)
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
    func showsSomething(_ index: Int) -> Bool {
        switch self[index] {
        case .null: hasDisplay(index)
        case .text: !withText(index) { $0.isEmpty }
        case .integer, .real, .boolean, .date, .decimal, .timestamp, .json, .bytes: true
        }
    }
}
