package import Bytes

/// The strong entity tag of a row (RFC 9110 §8.8.3): its id and its revision.
package enum RowETag {
    /// Appends `"<id>-<revision>"` including the quotes.
    ///
    /// Bytes of the id that an entity tag must not contain, and `%`, are percent-encoded.
    package static func write(
        id: borrowing Span<UInt8>,
        revision: Int64,
        to buffer: inout ByteBuffer
    ) {
        buffer.append(UInt8(ascii: "\""))
        PercentEncoding.encode(id, for: .scriptComponent, into: &buffer)
        buffer.append(UInt8(ascii: "-"))
        buffer.append(decimal: revision)
        buffer.append(UInt8(ascii: "\""))
    }
}
