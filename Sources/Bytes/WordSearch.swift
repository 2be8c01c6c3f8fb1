/// Looks for bytes among the eight of a word.
///
/// Each answer has the highest bit of a byte set where the byte was found. Only the lowest such bit
/// is to be trusted: a subtraction may carry from a byte that was found into the next.
@usableFromInline
package enum WordSearch {
    @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
    /// The highest bits of all bytes.
    @inlinable package static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// The bound is at most 128.
    ///
    /// For the result, see the type.
    @inlinable
    @inline(__always)
    package static func bytes(below bound: UInt8, in word: UInt64) -> UInt64 {
        (word &- ones &* UInt64(bound)) & ~word & highBits
    }

    /// For the result, see the type.
    @inlinable
    @inline(__always)
    package static func bytes(equalTo byte: UInt8, in word: UInt64) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & highBits
    }
}

extension Span where Element == UInt8 {
    /// Eight bytes at once, the first of them lowest.
    ///
    /// The index is that of the first byte, 0...`count` - 8.
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

    /// Malformed UTF-8 becomes U+FFFD.
    package var text: String {
        unsafe withUnsafeBufferPointer { bytes in
            // SAFETY: `bytes` lives for the closure.
            unsafe String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension Span where Element == UInt8 {
    /// O(bytes), eight at a time.
    package func equals(_ other: borrowing Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for index in indices where self[index] != other[index] { return false }
            return true
        }
        // The last word may overlap the one before it.
        let last = count - 8
        var index = 0
        while index < last {
            guard word(at: index) == other.word(at: index) else { return false }
            index += 8
        }
        return word(at: last) == other.word(at: last)
    }

    package func equals(_ literal: StaticString) -> Bool {
        precondition(literal.hasPointerRepresentation)
        // SAFETY: a literal's bytes are immortal.
        let other = unsafe Span(
            _unsafeStart: literal.utf8Start,
            count: literal.utf8CodeUnitCount
        )
        return equals(other)
    }

    package func equals(_ text: String) -> Bool { equals(text.utf8Span.span) }
}
