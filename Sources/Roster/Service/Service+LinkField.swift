import Bytes
import HTTP
import Listings
import Rendering

extension Service {
    /// The most bytes of the Link field: proxies refuse answers with long heads.
    private static let maximumLinkBytes = 4 << 10

    /// The Link field (RFC 8288): the way on for clients that do not read bodies.
    ///
    /// Where addresses are so long that not all of them fit, those are left out that do not; the way
    /// on comes first then.
    func addLinks(
        _ answer: ListAnswer,
        next: Cursor?,
        previous: Cursor?,
        to response: inout HTTPResponse
    ) {
        let links = answer.links
        let formats = answer.target.formats
        let own = answer.representation.format
        response.addField(.link) { buffer in
            let start = buffer.count
            Self.write(.current, "self", links, to: &buffer)
            Self.write(.first, "first", links, to: &buffer)
            if let previous { Self.write(.before(previous), "prev", links, to: &buffer) }
            if let next { Self.write(.after(next), "next", links, to: &buffer) }
            for format in formats where format != own {
                Self.write(.alternate(format), "alternate", links, to: &buffer)
            }
            Self.write(.schema, "describedby", links, to: &buffer)
            let end = start + Self.maximumLinkBytes
            guard buffer.count > end else { return }
            buffer.truncate(to: start)
            Self.write(.schema, "describedby", links, before: end, to: &buffer)
            if let next { Self.write(.after(next), "next", links, before: end, to: &buffer) }
            if let previous {
                Self.write(.before(previous), "prev", links, before: end, to: &buffer)
            }
            Self.write(.first, "first", links, before: end, to: &buffer)
            for format in formats where format != own {
                Self.write(.alternate(format), "alternate", links, before: end, to: &buffer)
            }
            Self.write(.current, "self", links, before: end, to: &buffer)
        }
    }

    /// Writes a link unless it ends behind a place.
    private static func write(
        _ link: PageLink,
        _ relation: StaticString,
        _ links: KnownLinks,
        before end: Int,
        to buffer: inout ByteBuffer
    ) {
        let start = buffer.count
        write(link, relation, links, to: &buffer)
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
