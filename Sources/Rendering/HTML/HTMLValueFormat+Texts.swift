import Bytes
import JSON
import Listings

extension HTMLValueFormat {
    static let longestLine = 240

    func web(
        _ address: borrowing Span<UInt8>,
        in location: CellLocation,
        to sink: inout some ByteSink & ~Copyable
    ) {
        let start = location.isAlone ? 0 : SafeURL.schemeLength(address)
        link("<a rel=\"noopener\" href=\"", address, from: start, to: &sink)
    }

    func link(
        _ start: StaticString,
        _ text: borrowing Span<UInt8>,
        from index: Int = 0,
        to sink: inout some ByteSink & ~Copyable
    ) {
        sink.append(start)
        HTMLEscape.write(text, to: &sink)
        sink.append("\">" as StaticString)
        HTMLEscape.write(text.extracting(index...), to: &sink)
        sink.append("</a>" as StaticString)
    }

    /// Appends a picture with a link to itself; only the link if its host is not allowed.
    ///
    /// - Returns: Whether the address is one of a picture.
    func picture(
        _ address: borrowing Span<UInt8>,
        _ className: StaticString,
        _ label: String,
        in location: CellLocation,
        to sink: inout some ByteSink & ~Copyable
    ) -> Bool {
        guard SafeURL.isWeb(address) else { return false }
        guard location.images.contains(address) else {
            web(address, in: location, to: &sink)
            return true
        }
        sink.append("<a rel=\"noopener\" href=\"" as StaticString)
        HTMLEscape.write(address, to: &sink)
        sink.append("\"><img class=\"" as StaticString)
        sink.append(className)
        sink.append(
            "\" loading=\"lazy\" decoding=\"async\" referrerpolicy=\"no-referrer\" src=\""
                as StaticString
        )
        HTMLEscape.write(address, to: &sink)
        sink.append("\" alt=\"" as StaticString)
        HTMLEscape.write(label.utf8.span, to: &sink)
        sink.append("\"></a>" as StaticString)
        return true
    }

    /// Appends a telephone number, as a link.
    ///
    /// - Returns: Whether the text is one: at least three digits, and signs between them.
    func phone(_ text: String, to sink: inout some ByteSink & ~Copyable) -> Bool {
        let digits = text.utf8.filter { (0x30...0x39).contains($0) }
        let isNumber = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || "+ ()-./".utf8.contains($0)
        }
        guard isNumber, digits.count >= 3 else { return false }
        sink.append("<a href=\"tel:" as StaticString)
        if text.hasPrefix("+") { sink.append(UInt8(ascii: "+")) }
        sink.append(digits.span)
        sink.append("\">" as StaticString)
        HTMLEscape.write(text.utf8.span, to: &sink)
        sink.append("</a>" as StaticString)
        return true
    }

    func color(_ text: String, to sink: inout some ByteSink & ~Copyable) -> Bool {
        let isName =
            (3...20).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
        let digits = text.dropFirst()
        let isNumber =
            text.hasPrefix("#") && [3, 4, 6, 8].contains(digits.utf8.count)
            && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        guard isName || isNumber else { return false }
        sink.append(
            "<svg class=\"dot\" aria-hidden=\"true\"><rect width=\"100%\" height=\"100%\" fill=\""
                as StaticString
        )
        sink.append(text.utf8.span)
        sink.append("\"/></svg> " as StaticString)
        sink.append(text.utf8.span)
        return true
    }

    func long(
        _ text: borrowing Span<UInt8>,
        in location: CellLocation,
        to sink: inout some ByteSink & ~Copyable
    ) {
        guard !location.isAlone, text.count > Self.longestLine else {
            return HTMLEscape.write(text, to: &sink)
        }
        // The last space before the limit, or else the beginning of a character.
        var end = Self.longestLine
        while end > Self.longestLine / 2, text[end] != UInt8(ascii: " ") { end -= 1 }
        if text[end] != UInt8(ascii: " ") {
            end = Self.longestLine
            while text[end] & 0xC0 == 0x80 { end -= 1 }
        }
        sink.append("<details class=\"more\"><summary>" as StaticString)
        HTMLEscape.write(text.extracting(..<end), to: &sink)
        sink.append("</summary>" as StaticString)
        HTMLEscape.write(text.extracting(end...), to: &sink)
        sink.append("</details>" as StaticString)
    }

    func json(_ text: String, to sink: inout some ByteSink & ~Copyable) {
        var document = ByteBuffer(minimumCapacity: text.utf8.count)
        document.append(text)
        sink.append("<pre>" as StaticString)
        JSONIndentation.lines(of: document).withBytes { HTMLEscape.write($0, to: &sink) }
        sink.append("</pre>" as StaticString)
    }

    func hasDomain(_ text: borrowing Span<UInt8>) -> Bool {
        var index = text.count - 1
        guard text[index] != UInt8(ascii: ".") else { return false }
        while index > 0, text[index] != UInt8(ascii: "@") {
            if text[index] == UInt8(ascii: ".") { return text[index - 1] != UInt8(ascii: "@") }
            index -= 1
        }
        return false
    }
}
