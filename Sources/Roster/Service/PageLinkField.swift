import Bytes
import HTTP
import Listings
import Rendering

/// The Link field of the pages that answer one question: what all of them have is written once.
final class PageLinkField {
    private let links: KnownLinks
    /// The formats that the page has besides its own.
    private let alternates: [PageFormat]
    /// What stands before the links to the pages around.
    private let front: ByteBuffer
    /// What stands behind them.
    private let back: ByteBuffer

    init(_ links: KnownLinks, alternates: [PageFormat]) {
        self.links = links
        self.alternates = alternates
        var front = ByteBuffer()
        var back = ByteBuffer()
        Self.write(.current, "self", links, to: &front)
        Self.write(.first, "first", links, to: &front)
        back.append(", " as StaticString)
        for format in alternates { Self.write(.alternate(format), "alternate", links, to: &back) }
        Self.write(.schema, "describedby", links, to: &back)
        self.front = front
        self.back = back
    }

    /// Appends all links.
    func write(next: Cursor?, previous: Cursor?, to buffer: inout ByteBuffer) {
        buffer.append(front)
        if let previous { Self.write(.before(previous), "prev", links, to: &buffer) }
        if let next { Self.write(.after(next), "next", links, to: &buffer) }
        buffer.append(back)
    }

    /// Appends those that end before a place, the way on first.
    func write(next: Cursor?, previous: Cursor?, before end: Int, to buffer: inout ByteBuffer) {
        write(.schema, "describedby", before: end, to: &buffer)
        if let next { write(.after(next), "next", before: end, to: &buffer) }
        if let previous { write(.before(previous), "prev", before: end, to: &buffer) }
        write(.first, "first", before: end, to: &buffer)
        for format in alternates {
            write(.alternate(format), "alternate", before: end, to: &buffer)
        }
        write(.current, "self", before: end, to: &buffer)
    }

    /// Writes a link unless it ends behind a place.
    private func write(
        _ link: PageLink,
        _ relation: StaticString,
        before end: Int,
        to buffer: inout ByteBuffer
    ) {
        let start = buffer.count
        Self.write(link, relation, links, to: &buffer)
        if buffer.count > end { buffer.truncate(to: start) }
    }

    private static func write(
        _ link: PageLink,
        _ relation: StaticString,
        _ links: KnownLinks,
        to buffer: inout ByteBuffer
    ) {
        if !buffer.isEmpty, buffer[buffer.count - 1] != UInt8(ascii: " ") {
            buffer.append(", " as StaticString)
        }
        buffer.append(UInt8(ascii: "<"))
        links.write(link, to: &buffer)
        buffer.append(">; rel=\"" as StaticString)
        buffer.append(relation)
        buffer.append(UInt8(ascii: "\""))
        guard case .alternate(let format) = link else { return }
        buffer.append("; type=\"" as StaticString)
        buffer.append(format.mediaType)
        buffer.append(UInt8(ascii: "\""))
    }
}
