/// A destination of bytes: a buffer that grows, or reserved room in one.
@usableFromInline
package protocol ByteSink: ~Copyable {
    mutating func append(_ byte: UInt8)

    mutating func append(_ span: borrowing Span<UInt8>)

    mutating func append(_ literal: StaticString)

    /// Appends bytes unless one of them is marked.
    ///
    /// `marks` is called with eight bytes at a time, with some of them twice, and with `a` where
    /// there are fewer. Anything but 0 refuses all bytes.
    mutating func append(
        _ span: borrowing Span<UInt8>,
        unless marks: (UInt64) -> UInt64
    ) -> Bool

    mutating func append(decimal value: UInt64)

    /// Appends the lowest bytes of a number, the highest of them first.
    ///
    /// Higher bytes than `count` are left out. The count is 0...8; a room must have eight
    /// bytes left.
    mutating func append(bigEndian value: UInt64, bytes count: Int)
}

extension ByteSink where Self: ~Copyable {
    @inlinable
    @inline(__always)
    package mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }
}

extension ByteBuffer: ByteSink {}
