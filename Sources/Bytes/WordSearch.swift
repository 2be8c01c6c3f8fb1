/// Looks for bytes among the eight of a word.
///
/// Each answer has the highest bit of a byte set where the byte was found. Only the lowest such bit
/// is to be trusted: a subtraction may carry from a byte that was found into the next.
@usableFromInline
package enum WordSearch {
    @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
    /// The highest bits of all bytes.
    @inlinable package static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// Finds the bytes below a bound.
    ///
    /// - Parameters:
    ///   - bound: At most 128.
    ///   - word: Eight bytes.
    /// - Returns: See the type.
    @inlinable
    @inline(__always)
    package static func bytes(below bound: UInt8, in word: UInt64) -> UInt64 {
        (word &- ones &* UInt64(bound)) & ~word & highBits
    }

    /// Finds the bytes that are equal to one.
    ///
    /// - Parameters:
    ///   - byte: Looked for.
    ///   - word: Eight bytes.
    /// - Returns: See the type.
    @inlinable
    @inline(__always)
    package static func bytes(equalTo byte: UInt8, in word: UInt64) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & highBits
    }
}
