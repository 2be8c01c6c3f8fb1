import Bytes
import HTTP
import Listings
import Rendering

/// A writer of the links of a Link field (RFC 8288), up to a maximum number of bytes.
struct LinkField {
    /// The maximum length of the Link field in bytes, because proxies refuse long heads.
    private static let maximumLinkBytes = 4 << 10

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
            field.write(.last, "last", to: &buffer)
            field.writeAlternates(of: prepared, to: &buffer)
            field.write(.schema, "describedby", to: &buffer)
            guard field.count > Self.maximumLinkBytes else { return }
            buffer.truncate(to: buffer.count - field.count)
            field = LinkField(prepared.links, maximumBytes: Self.maximumLinkBytes)
            field.write(.schema, "describedby", to: &buffer)
            if let next { field.write(.after(next), "next", to: &buffer) }
            if let previous { field.write(.before(previous), "prev", to: &buffer) }
            field.write(.first, "first", to: &buffer)
            field.write(.last, "last", to: &buffer)
            field.writeAlternates(of: prepared, to: &buffer)
            field.write(.current, "self", to: &buffer)
        }
    }

    let links: ListLinks
    let maximumBytes: Int
    private(set) var count = 0

    init(_ links: ListLinks, maximumBytes: Int = .max) {
        self.links = links
        self.maximumBytes = maximumBytes
    }

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

    mutating func writeAlternates(of prepared: PreparedRequest, to buffer: inout ByteBuffer) {
        for format in prepared.target.formats where format != prepared.representation.format {
            write(.alternate(format), "alternate", to: &buffer)
        }
    }
}
