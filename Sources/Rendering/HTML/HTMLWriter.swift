package import Bytes

/// Markup written once to be repeated many times.
package struct HTMLMarkup: Sendable {
    fileprivate let bytes: [UInt8]

    /// Takes the markup of a template as it is: part of the program as its owner put it together.
    init(ofTemplate markup: [UInt8]) { bytes = markup }

    /// Prepares what a closure writes.
    package init(_ body: (inout HTMLWriter) -> Void) {
        var buffer = ByteBuffer()
        HTMLWriter.write(to: &buffer, body)
        bytes = buffer.array()
    }
}

/// Writes HTML into a buffer; whatever is handed in as text comes out escaped.
///
/// Markup comes from literals of this program alone, so no value can become markup.
package struct HTMLWriter: ~Copyable {
    private var buffer = ByteBuffer(minimumCapacity: 16)
    private var scratch = ByteBuffer()
    /// What the program itself says on the page.
    let texts: any PageText

    private init(texts: any PageText) { self.texts = texts }

    /// Lends a writer that appends to a buffer.
    package static func write(
        to buffer: inout ByteBuffer,
        in language: PageLanguage = .english,
        _ body: (inout HTMLWriter) -> Void
    ) {
        var writer = HTMLWriter(texts: language.texts)
        swap(&buffer, &writer.buffer)
        body(&writer)
        swap(&buffer, &writer.buffer)
    }

    // MARK: Markup

    /// Appends markup as it is.
    package mutating func markup(_ literal: StaticString) { buffer.append(literal) }

    /// Appends markup prepared before.
    package mutating func markup(_ prepared: HTMLMarkup) { buffer.append(prepared.bytes) }

    // MARK: Text

    /// Appends a text, escaped for elements and for quoted attributes alike.
    package mutating func text(_ text: String) {
        Self.escape(text.utf8.span, to: &buffer)
    }

    /// Appends a text given as UTF-8, escaped.
    package mutating func text(_ utf8: borrowing Span<UInt8>) {
        Self.escape(utf8, to: &buffer)
    }

    /// Appends a text that a closure writes, escaped like any other.
    package mutating func text(writing text: (inout ByteBuffer) -> Void) {
        scratch.removeAll()
        text(&scratch)
        Self.escape(scratch, to: &buffer)
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

    private mutating func beginAttribute(_ name: StaticString) {
        buffer.append(UInt8(ascii: " "))
        buffer.append(name)
        buffer.append("=\"")
    }

    private mutating func endAttribute() { buffer.append(UInt8(ascii: "\"")) }

    // MARK: Escaping

    private static func escape(_ source: borrowing ByteBuffer, to buffer: inout ByteBuffer) {
        source.withBytes { escape($0, to: &buffer) }
    }

    /// Copies runs of bytes that stand for themselves, and escapes the few between them.
    private static func escape(_ utf8: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        var start = 0
        while true {
            let end = endOfRun(in: utf8, from: start)
            buffer.append(utf8.extracting(start..<end))
            guard end < utf8.count else { return }
            escape(utf8[end], to: &buffer)
            start = end + 1
        }
    }

    /// Where the first byte stands that cannot stand for itself, looked for eight at a time.
    private static func endOfRun(in utf8: borrowing Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index <= utf8.count - 8 {
            let word = utf8.word(at: index)
            // `&` and `'` differ in one bit, and so do `<` and `>`. Line breaks are found as well.
            let found =
                WordSearch.bytes(below: 0x20, in: word)
                | WordSearch.bytes(equalTo: UInt8(ascii: "\""), in: word)
                | WordSearch.bytes(equalTo: 0x27, in: WordSearch.setting(1, in: word))
                | WordSearch.bytes(equalTo: 0x3E, in: WordSearch.setting(2, in: word))
                | WordSearch.bytes(equalTo: 0x7F, in: word)
            guard found != 0 else {
                index += 8
                continue
            }
            index += found.trailingZeroBitCount / 8
            if needsEscape(utf8[index]) { return index }
            index += 1
        }
        while index < utf8.count, !needsEscape(utf8[index]) { index += 1 }
        return index
    }

    /// The bytes below 64 that cannot stand for themselves, one bit each: `" & ' < >` and control
    /// characters except tab, line feed and carriage return.
    private static let escapedBelow64: UInt64 =
        0xFFFF_D9FF
        | 1 << UInt64(UInt8(ascii: "\"")) | 1 << UInt64(UInt8(ascii: "&"))
        | 1 << UInt64(UInt8(ascii: "'")) | 1 << UInt64(UInt8(ascii: "<"))
        | 1 << UInt64(UInt8(ascii: ">"))

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 64 ? escapedBelow64 >> UInt64(byte) & 1 == 1 : byte == 0x7F
    }

    private static func escape(_ byte: UInt8, to buffer: inout ByteBuffer) {
        switch byte {
        case UInt8(ascii: "&"): buffer.append("&amp;")
        case UInt8(ascii: "<"): buffer.append("&lt;")
        case UInt8(ascii: ">"): buffer.append("&gt;")
        case UInt8(ascii: "\""): buffer.append("&quot;")
        case UInt8(ascii: "'"): buffer.append("&#39;")
        case 0x7F: buffer.append("\u{2421}")
        default:
            // HTML allows no control character, not even as a reference: its picture is shown,
            // U+2400 and the next 31 (UTF-8: E2 90 80 and so on).
            buffer.append(0xE2)
            buffer.append(0x90)
            buffer.append(0x80 + byte)
        }
    }
}
