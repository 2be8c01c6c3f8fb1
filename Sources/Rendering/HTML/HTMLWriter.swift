package import Bytes
import Listings

/// Markup written once to be repeated many times.
package struct HTMLMarkup: Sendable {
    fileprivate let bytes: [UInt8]

    /// The number of its bytes.
    var count: Int { bytes.count }

    /// Appends a part of it.
    func write(_ range: Range<Int>, to buffer: inout ByteBuffer) {
        buffer.append(bytes.span.extracting(range))
    }

    /// Takes the markup of a template as it is: part of the program as its owner put it together.
    init(ofTemplate markup: [UInt8]) { bytes = markup }

    /// Prepares what a closure writes.
    package init(
        in language: PageLanguage = .english,
        _ body: (inout HTMLWriter) -> Void
    ) {
        var buffer = ByteBuffer()
        HTMLWriter.write(to: &buffer, in: language, body)
        bytes = buffer.array()
    }
}

/// Writes HTML into a buffer; whatever is handed in as text comes out escaped.
///
/// Markup comes from literals of this program alone, so no value can become markup.
package struct HTMLWriter: ~Copyable {
    private var buffer = ByteBuffer(minimumCapacity: 0)
    /// Texts that need escapes, as they were written.
    private var scratch = ByteBuffer(minimumCapacity: 0)
    /// What the program itself says on the page.
    let texts: any PageText
    /// Writes the values of cells.
    let values: HTMLValueFormat

    private init(_ language: PageLanguage) {
        texts = language.texts
        values = .of(language)
    }

    /// Lends a writer that appends to a buffer.
    package static func write(
        to buffer: inout ByteBuffer,
        in language: PageLanguage = .english,
        _ body: (inout HTMLWriter) -> Void
    ) {
        var writer = HTMLWriter(language)
        swap(&buffer, &writer.buffer)
        body(&writer)
        swap(&buffer, &writer.buffer)
    }

    // MARK: Markup

    /// Appends markup as it is.
    package mutating func markup(_ literal: StaticString) { buffer.append(literal) }

    /// Appends markup prepared before.
    package mutating func markup(_ prepared: HTMLMarkup) { buffer.append(prepared.bytes) }

    /// Appends a part of markup prepared before.
    mutating func markup(_ range: Range<Int>, of prepared: HTMLMarkup) {
        buffer.append(prepared.bytes.span.extracting(range))
    }

    /// Appends elements that are the same on all pages of a request; a closure renders them.
    mutating func fragment(
        _ fragment: FragmentCache.Fragment,
        in context: ListingContext?,
        _ render: (inout HTMLWriter) -> Void
    ) {
        guard let fragments = context?.fragments else { return render(&self) }
        if fragments.write(fragment, to: &buffer) { return }
        let start = buffer.count
        render(&self)
        fragments.keep(fragment, start..<buffer.count, of: buffer)
    }

    /// The bytes written.
    var count: Int { buffer.count }

    /// The width on the page of markup that a closure writes; the markup is thrown away.
    mutating func width(_ draw: (inout HTMLWriter) -> Void) -> TextWidth {
        let start = buffer.count
        draw(&self)
        let width = buffer.withBytes { TextWidth(ofMarkup: $0.extracting(start...)) }
        buffer.truncate(to: start)
        return width
    }

    // MARK: Text

    /// Appends a text, escaped for elements and for attributes in double quotes alike.
    package mutating func text(_ text: String) {
        HTMLEscape.write(text.utf8.span, to: &buffer)
    }

    /// Appends a text given as UTF-8, escaped.
    package mutating func text(_ utf8: borrowing Span<UInt8>) {
        HTMLEscape.write(utf8, to: &buffer)
    }

    /// Appends a cell's value for people, without links.
    mutating func plain(_ index: Int, of cells: borrowing CellBuffer) {
        values.write(index, of: cells, to: &buffer)
    }

    /// Appends a cell's value for people, with a link where the type of its column says so.
    mutating func value(
        _ index: Int,
        of cells: borrowing CellBuffer,
        type: ColumnType,
        links: HTMLValueFormat.LinkText
    ) {
        values.write(index, of: cells, type: type, links: links, to: &buffer)
    }

    /// Appends rows that an encoder can encode.
    ///
    /// - Returns: The first row that it cannot; the end of the range where all rows are appended.
    mutating func rows(
        _ rows: Range<Int>,
        of page: borrowing Page,
        _ encoder: RowEncoder<HTMLRowFormat>
    ) -> Int {
        encoder.encode(rows, of: page, to: &buffer)
    }

    /// Appends a text that a closure writes, escaped like any other.
    ///
    /// - Parameter text: Appends to what stands in the buffer, of which it may change nothing.
    package mutating func text(writing text: (inout ByteBuffer) -> Void) {
        escaped(by: HTMLEscape.self, writing: text)
    }

    /// Appends the value of an attribute that a closure writes, escaped for quotes of either kind.
    ///
    /// - Parameter value: As for ``text(writing:)``.
    mutating func quoted(writing value: (inout ByteBuffer) -> Void) {
        escaped(by: HTMLQuoteEscape.self, writing: value)
    }

    private mutating func escaped<Escape: TextEscape>(
        by _: Escape.Type,
        writing text: (inout ByteBuffer) -> Void
    ) {
        let start = buffer.count
        text(&buffer)
        precondition(buffer.count >= start, "bytes before a text were removed")
        // Most need no escape.
        if buffer.withBytes({ Escape.isPlain($0.extracting(start...)) }) { return }
        scratch.removeAll()
        scratch.append(start..<buffer.count, of: buffer)
        buffer.truncate(to: start)
        scratch.withBytes { Escape.write($0, to: &buffer) }
    }

    /// Appends an attribute with a space in front.
    package mutating func attribute(_ name: StaticString, _ value: String) {
        beginAttribute(name)
        text(value)
        endAttribute()
    }

    /// Appends an attribute whose value a closure writes, with a space in front.
    package mutating func attribute(
        _ name: StaticString,
        writing value: (inout ByteBuffer) -> Void
    ) {
        beginAttribute(name)
        text(writing: value)
        endAttribute()
    }

    /// Appends an attribute whose value needs no escape, with a space in front.
    mutating func plainAttribute(_ name: StaticString, _ value: borrowing ByteBuffer) {
        beginAttribute(name)
        buffer.append(value)
        endAttribute()
    }

    private mutating func beginAttribute(_ name: StaticString) {
        buffer.append(atMost: name.utf8CodeUnitCount + 3) { room in
            room.append(UInt8(ascii: " "))
            room.append(name)
            room.append("=\"" as StaticString)
        }
    }

    private mutating func endAttribute() { buffer.append(UInt8(ascii: "\"")) }
}
