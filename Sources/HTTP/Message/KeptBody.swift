package import Bytes

/// A body that was made once and is sent by many answers, from where it stands.
package final class KeptBody: Sendable {
    /// The body.
    package let bytes: ByteBuffer

    /// Keeps a body.
    package init(_ bytes: consuming ByteBuffer) { self.bytes = bytes }

    /// The number of bytes.
    package var count: Int { bytes.count }
}
