import Bytes
import HTTP
import Rendering

extension ListLinks {
    /// Where a person writes a new row; what the address says besides its path is where they are
    /// led back to.
    var newRowAddress: String {
        var buffer = ByteBuffer()
        writeList(to: &buffer)
        buffer.append("/-/new" as StaticString)
        writeParameters(query, to: &buffer)
        return buffer.text()
    }

    /// The list in another segment, with nothing asked for.
    func address(ofSegment id: String?) -> String {
        var links = self
        links.segment = id
        var buffer = ByteBuffer()
        links.write(.list, to: &buffer)
        return buffer.text()
    }
}
