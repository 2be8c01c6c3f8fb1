package import Bytes
import Listings

/// Markup that is rendered once and appended many times.
package struct HTMLMarkup: Sendable {
    fileprivate let bytes: [UInt8]

    var count: Int { bytes.count }

    func write(_ range: Range<Int>, to buffer: inout ByteBuffer) {
        buffer.append(bytes.span.extracting(range))
    }

    /// Wraps the markup of a template, which is trusted because the operator supplies it.
    init(ofTemplate markup: [UInt8]) { bytes = markup }

    package init(
        in language: PageLanguage = .english,
        _ body: (inout HTMLWriter) -> Void
    ) {
        var buffer = ByteBuffer()
        HTMLWriter.write(to: &buffer, in: language, body)
        bytes = buffer.array()
    }
}

/// A writer of HTML that escapes all texts.
///
/// Markup comes only from literals and templates, so no value can become markup.
package struct HTMLWriter: ~Copyable {
    private var buffer = ByteBuffer(minimumCapacity: 0)
    private var scratch = ByteBuffer(minimumCapacity: 0)
    let texts: PageText
    let values: HTMLValueFormat

    private init(_ language: PageLanguage) {
        texts = language.texts
        values = .of(language)
    }

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

    package mutating func markup(_ literal: StaticString) { buffer.append(literal) }

    package mutating func markup(_ prepared: HTMLMarkup) { buffer.append(prepared.bytes) }

    mutating func markup(_ range: Range<Int>, of prepared: HTMLMarkup) {
        buffer.append(prepared.bytes.span.extracting(range))
    }

    mutating func fragment(
        _ fragment: FragmentCache.Fragment,
        in context: RenderContext?,
        _ render: (inout HTMLWriter) -> Void
    ) {
        guard let fragments = context?.fragments else { return render(&self) }
        if fragments.write(fragment, to: &buffer) { return }
        let start = buffer.count
        render(&self)
        fragments.keep(fragment, start..<buffer.count, of: buffer)
    }

    var count: Int { buffer.count }

    /// Measures the width of markup that a closure writes.
    ///
    /// The markup is discarded.
    mutating func width(_ draw: (inout HTMLWriter) -> Void) -> TextWidth {
        let start = buffer.count
        draw(&self)
        let width = buffer.withBytes { TextWidth(ofMarkup: $0.extracting(start...)) }
        buffer.truncate(to: start)
        return width
    }

    // MARK: Text

    package mutating func text(_ text: String) {
        HTMLEscape.write(text.utf8.span, to: &buffer)
    }

    /// Appends an element with a text that programs read in English, translated for people.
    ///
    /// A text that the language has no translation of is marked as English.
    mutating func translation(_ start: StaticString, of text: Text, _ end: StaticString) {
        let translation = texts.translation(of: text)
        markup(start)
        if translation == nil { markup(" lang=\"en\" dir=\"ltr\"") }
        element(">", translation ?? text.description, end)
    }

    package mutating func text(_ utf8: borrowing Span<UInt8>) {
        HTMLEscape.write(utf8, to: &buffer)
    }

    mutating func plain(_ index: Int, of cells: borrowing CellBuffer) {
        values.write(index, of: cells, to: &buffer)
    }

    mutating func value(
        _ cell: Int,
        of cells: borrowing CellBuffer,
        _ column: Column,
        in location: CellLocation
    ) {
        values.write(cell, of: cells, CellStyle(column), in: location, to: &buffer)
    }

    mutating func rows(
        _ rows: Range<Int>,
        of page: borrowing Page,
        _ encoder: RowEncoder<HTMLRowFormat>
    ) -> Int {
        encoder.encode(rows, of: page, to: &buffer)
    }

    /// Appends a text that a closure writes, with escaping.
    ///
    /// - Parameter text: Appends to the buffer. It must not change the existing bytes.
    package mutating func text(writing text: (inout ByteBuffer) -> Void) {
        escaped(by: HTMLEscape.self, writing: text)
    }

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
        // Most texts need no escape.
        if buffer.withBytes({ Escape.isPlain($0.extracting(start...)) }) { return }
        scratch.removeAll()
        scratch.append(start..<buffer.count, of: buffer)
        buffer.truncate(to: start)
        scratch.withBytes { Escape.write($0, to: &buffer) }
    }

    package mutating func attribute(_ name: StaticString, _ value: String) {
        beginAttribute(name)
        text(value)
        endAttribute()
    }

    package mutating func attribute(
        _ name: StaticString,
        writing value: (inout ByteBuffer) -> Void
    ) {
        beginAttribute(name)
        text(writing: value)
        endAttribute()
    }

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

extension HTMLWriter {
    mutating func element(_ open: StaticString, _ text: String, _ close: StaticString) {
        markup(open)
        self.text(text)
        markup(close)
    }

    mutating func href(_ link: PageLink, _ context: RenderContext) {
        attribute("href") { context.links.write(link, to: &$0) }
    }

    mutating func link(_ text: String, to address: String) {
        markup("<a")
        attribute("href", address)
        markup(">")
        self.text(text)
        markup("</a>")
    }

    mutating func link(_ text: String, to link: PageLink, _ context: RenderContext) {
        markup("<a")
        href(link, context)
        markup(">")
        self.text(text)
        markup("</a>")
    }

    /// Appends an element name made from an id, percent-encoded because it must not contain spaces.
    mutating func anchor(_ prefix: StaticString, _ id: String) {
        markup(prefix)
        text { PercentEncoding.encode(id, for: .scriptComponent, into: &$0) }
    }
}

enum HTMLQuoteEscape: TextEscape {
    static func marks(in word: UInt64) -> UInt64 {
        HTMLEscape.marks(in: word) | WordSearch.bytes(equalTo: UInt8(ascii: "'"), in: word)
    }

    static func needsEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "'") || HTMLEscape.needsEscape(byte)
    }

    static var longest: Int { HTMLEscape.longest }

    static func escape(_ byte: UInt8, to sink: inout some ByteSink & ~Copyable) {
        if byte == UInt8(ascii: "'") {
            sink.append("&#39;")
        } else {
            HTMLEscape.escape(byte, to: &sink)
        }
    }
}
