import Bytes
import HTTP
import Rendering

extension URLBuilder {
    /// The address of the form for a new row; its parameters name the page to return to.
    var newRowAddress: String {
        var buffer = ByteBuffer()
        writeList(to: &buffer)
        buffer.append("/-/new" as StaticString)
        writeParameters(query, to: &buffer)
        return buffer.text()
    }

    /// Returns the address of the list in another segment, without parameters of the query.
    func address(ofSegment id: String?) -> String {
        var links = self
        links.segment = id
        var buffer = ByteBuffer()
        links.write(.list, to: &buffer)
        return buffer.text()
    }
}
