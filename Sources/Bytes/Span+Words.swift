extension Span where Element == UInt8 {
    /// Eight bytes at once, the first of them lowest.
    ///
    /// - Parameter index: Where they begin; 0...`count` - 8.
    /// - Returns: The bytes as a number.
    @inlinable
    package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= count - 8, "eight bytes from \(index) of \(count)")
        // SAFETY: the eight bytes lie within the span, and every pattern of bits is a number.
        let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
        return UInt64(littleEndian: word)
    }
}
