package import Bytes

/// A body that is made once and sent by many responses without copies.
package final class SharedBody: Sendable {
    /// The body.
    package let bytes: ByteBuffer

    /// Creates a shared body.
    package init(_ bytes: consuming ByteBuffer) { self.bytes = bytes }

    /// The number of bytes.
    package var count: Int { bytes.count }
}
