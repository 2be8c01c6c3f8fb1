import Bytes
import HTTP
import Listings
import Rendering

/// The links of the pages of one request; it caches those that are on every page.
final class CachedLinks: PageLinks {
    let links: URLBuilder
    private var text = ByteBuffer(minimumCapacity: 256)
    /// The number of the first format; lower numbers are other links.
    private static let firstFormat = 7
    /// The ranges of cached links in `text`, by ``number(of:)``.
    private var ranges = [Range<Int>?](
        repeating: nil,
        count: firstFormat + PageFormat.allCases.count
    )
    /// The last written cursor, because a page repeats one in its head and body.
    private var cursor: Cursor?
    private var cursorText = ByteBuffer(minimumCapacity: 128)
    /// A buffer for the bytes of cursors.
    private var scratch = ByteBuffer(minimumCapacity: 0)

    init(_ links: URLBuilder) { self.links = links }

    func write(_ link: PageLink, to buffer: inout ByteBuffer) {
        if let number = Self.number(of: link) {
            write(link, number, to: &buffer)
        } else if case .after(let cursor, nil) = link, links.endsWithStart {
            write(cursor, as: .after, to: &buffer)
        } else if case .before(let cursor, nil) = link, links.endsWithStart {
            write(cursor, as: .before, to: &buffer)
        } else {
            links.write(link, to: &buffer)
        }
    }

    private func write(_ link: PageLink, _ number: Int, to buffer: inout ByteBuffer) {
        if let range = ranges[number] { return buffer.append(range, of: text) }
        let start = text.count
        links.write(link, to: &text)
        ranges[number] = start..<text.count
        buffer.append(start..<text.count, of: text)
    }

    /// Appends the link of the page that begins at a cursor.
    private func write(_ cursor: Cursor, as parameter: ListParameter, to buffer: inout ByteBuffer) {
        let start = buffer.count
        write(.first, to: &buffer)
        var parameters = URLBuilder.Parameters(behind: buffer, from: start)
        parameters.begin(parameter, in: &buffer)
        writeCursor(cursor, to: &buffer)
    }

    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer) {
        if self.cursor != cursor {
            self.cursor = cursor
            cursorText.removeAll()
            cursor.write(signedBy: links.cursorKeys, using: &scratch, to: &cursorText)
        }
        buffer.append(cursorText)
    }

    /// Returns the number of a link that is the same on all pages; nil for any other link.
    private static func number(of link: PageLink) -> Int? {
        switch link {
        case .list: 0
        case .current: 1
        case .first: 2
        case .sections: 3
        case .schema: 4
        case .refresh: 5
        case .changes: 6
        case .alternate(let format): firstFormat + format.number
        default: nil
        }
    }

    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        links.writeRow(id, to: &buffer)
    }

    func writeAddress(_ address: String, to buffer: inout ByteBuffer) {
        links.writeAddress(address, to: &buffer)
    }

    func writeRowStem(to buffer: inout ByteBuffer) -> Bool { links.writeRowStem(to: &buffer) }

    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        links.writeAction(name, ofRow: id, to: &buffer)
    }

    func writeBulkAction(_ name: String, to buffer: inout ByteBuffer) {
        links.writeBulkAction(name, to: &buffer)
    }

    func writeChildren(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        links.writeChildren(ofRow: id, to: &buffer)
    }

    var linksCells: Bool { links.linksCells }

    func writeCell(column: Int, ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        links.writeCell(column: column, ofRow: id, to: &buffer)
    }

    func writeToggle(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        links.writeToggle(ofRow: id, to: &buffer)
    }

    func parameters(of link: PageLink) -> [(name: String, value: String)] {
        links.parameters(of: link)
    }
}

/// A writer of the links of a Link field (RFC 8288), up to a maximum number of bytes.
struct LinkField {
    /// The maximum length of the Link field in bytes, because proxies refuse long heads.
    private static let maximumLinkBytes = 4 << 10

    /// Adds the Link field (RFC 8288) with the links of a page, for clients that do not read
    /// bodies.
    ///
    /// If the links exceed the maximum, the next page comes first and the rest is left out.
    static func add(
        _ prepared: PreparedRequest,
        next: Cursor?,
        previous: Cursor?,
        to response: inout HTTPResponse
    ) {
        response.addField(.link) { buffer in
            var field = LinkField(prepared.links)
            field.write(.current, "self", to: &buffer)
            field.write(.first, "first", to: &buffer)
            if let previous { field.write(.before(previous), "prev", to: &buffer) }
            if let next { field.write(.after(next), "next", to: &buffer) }
            field.writeAlternates(of: prepared, to: &buffer)
            field.write(.schema, "describedby", to: &buffer)
            guard field.count > Self.maximumLinkBytes else { return }
            buffer.truncate(to: buffer.count - field.count)
            field = LinkField(prepared.links, maximumBytes: Self.maximumLinkBytes)
            field.write(.schema, "describedby", to: &buffer)
            if let next { field.write(.after(next), "next", to: &buffer) }
            if let previous { field.write(.before(previous), "prev", to: &buffer) }
            field.write(.first, "first", to: &buffer)
            field.writeAlternates(of: prepared, to: &buffer)
            field.write(.current, "self", to: &buffer)
        }
    }

    let links: CachedLinks
    let maximumBytes: Int
    /// The number of bytes written.
    private(set) var count = 0

    init(_ links: CachedLinks, maximumBytes: Int = .max) {
        self.links = links
        self.maximumBytes = maximumBytes
    }

    /// Appends a link, unless it exceeds the maximum.
    mutating func write(
        _ link: PageLink,
        _ relation: StaticString,
        to buffer: inout ByteBuffer
    ) {
        let start = buffer.count
        buffer.append(count == 0 ? "<" : ", <" as StaticString)
        links.write(link, to: &buffer)
        buffer.append(">; rel=\"" as StaticString)
        buffer.append(relation)
        buffer.append(UInt8(ascii: "\""))
        if case .alternate(let format) = link {
            buffer.append("; type=\"" as StaticString)
            buffer.append(format.mediaType)
            buffer.append(UInt8(ascii: "\""))
        }
        if count + buffer.count - start > maximumBytes {
            buffer.truncate(to: start)
        } else {
            count += buffer.count - start
        }
    }

    /// Appends the links to the page in its other formats.
    mutating func writeAlternates(of prepared: PreparedRequest, to buffer: inout ByteBuffer) {
        for format in prepared.target.formats where format != prepared.representation.format {
            write(.alternate(format), "alternate", to: &buffer)
        }
    }
}
