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
        _ answer: PreparedRequest,
        next: Cursor?,
        previous: Cursor?,
        to response: inout HTTPResponse
    ) {
        let field = answer.linkField
        response.addField(.link) { buffer in
            let start = buffer.count
            field.write(next: next, previous: previous, to: &buffer)
            let end = start + Self.maximumLinkBytes
            guard buffer.count > end else { return }
            buffer.truncate(to: start)
            field.write(next: next, previous: previous, before: end, to: &buffer)
        }
    }
}
