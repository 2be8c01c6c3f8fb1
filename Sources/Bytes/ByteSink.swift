/// A destination of bytes: a buffer that grows, or reserved room in one.
@usableFromInline
package protocol ByteSink: ~Copyable {
    mutating func append(_ byte: UInt8)

    /// Appends bytes lent by their owner.
    mutating func append(_ span: borrowing Span<UInt8>)

    /// Appends the UTF-8 of a literal.
    mutating func append(_ literal: StaticString)

    /// Appends bytes unless one of them is marked.
    ///
    /// - Parameters:
    ///   - span: The bytes.
    ///   - marks: Is asked about eight of them at a time, of some of them twice, and about `a` where
    ///     there are fewer; anything but 0 refuses them.
    /// - Returns: Whether they were appended: all, or none.
    mutating func append(
        _ span: borrowing Span<UInt8>,
        unless marks: (UInt64) -> UInt64
    ) -> Bool

    /// Appends an unsigned integer in decimal digits.
    mutating func append(decimal value: UInt64)

    /// Appends the lowest bytes of a number, the highest of them first.
    ///
    /// - Parameters:
    ///   - value: The number; what does not fit is left out.
    ///   - count: 0...8; a room must have eight bytes left.
    mutating func append(bigEndian value: UInt64, bytes count: Int)
}

extension ByteSink where Self: ~Copyable {
    /// Appends an integer in decimal digits.
    @inlinable
    @inline(__always)
    package mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }
}

extension ByteBuffer: ByteSink {}
