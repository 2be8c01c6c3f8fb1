extension Span where Element == UInt8 {
    /// Eight bytes at once, the first of them lowest.
    ///
    /// - Parameter index: The index of the first byte, 0...`count` - 8.
    /// - Returns: The bytes as a number.
    @inlinable
    package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= count - 8, "eight bytes from \(index) of \(count)")
        // SAFETY: the eight bytes lie within the span, and every pattern of bits is a number.
        let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
        return UInt64(littleEndian: word)
    }

    /// The bytes of a short span in one word, each of them at least once, and `a` where it has room
    /// for more: for looking whether any byte is of a kind that `a` is not.
    ///
    /// - Precondition: At most eight bytes.
    @inlinable
    @inline(__always)
    package var gathered: UInt64 {
        precondition(count <= 8, "\(count) bytes in a word")
        // SAFETY: all loads lie within the span, and every pattern of bits is a number.
        if count >= 4 {
            let head = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self)
            let tail = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            return UInt64(head) | UInt64(tail) << 32
        }
        guard count > 0 else { return 0x6161_6161_6161_6161 }
        return UInt64(self[0]) | UInt64(self[count >> 1]) << 8 | UInt64(self[count - 1]) << 16
            | 0x6161_6161_6100_0000
    }

    /// The bytes read as UTF-8; malformed sequences become U+FFFD.
    package var text: String {
        unsafe withUnsafeBufferPointer { bytes in
            // SAFETY: `bytes` lives for the closure.
            unsafe String(decoding: bytes, as: UTF8.self)
        }
    }
}
