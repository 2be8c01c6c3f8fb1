import Bytes
import HTTP
import Rendering

extension ListLinks {
    /// Where a person writes a new row; what the address says besides its path is where they are
    /// led back to.
    var newRowAddress: String {
        var buffer = ByteBuffer()
        buffer.append(Address.list(list) + "/-/new")
        writeParameters(query, to: &buffer)
        return buffer.text()
    }
}
