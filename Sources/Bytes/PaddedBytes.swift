/// The bytes of a padded buffer, lent for reading short parts of them again and again.
///
/// Where a buffer is asked for each of them, its address and length are read anew each time, as they
/// may have changed for all the compiler knows: lent, they stay in registers.
@safe
@usableFromInline
package struct PaddedBytes: ~Copyable {
    @usableFromInline let base: UnsafeRawPointer
    /// The last place that 32 bytes of memory begin at.
    @usableFromInline let last: Int

    @inlinable
    init(_ base: UnsafeRawPointer, last: Int) {
        // SAFETY: a place in memory that its owner lends.
        unsafe self.base = base
        self.last = last
    }

    /// A short part of the bytes.
    ///
    /// - Parameters:
    ///   - start: Where it begins, within the bytes.
    ///   - count: 0...32.
    /// - Returns: The bytes.
    @inlinable
    @inline(__always)
    package func short(at start: Int, count: Int) -> ShortBytes {
        precondition(
            UInt(bitPattern: start) <= UInt(bitPattern: last)
                && UInt(bitPattern: count) <= UInt(bitPattern: ShortBytes.longest),
            "\(count) bytes at \(start), of which 32 may begin at \(last)"
        )
        // SAFETY: 32 bytes from the first on lie within the buffer's memory; every pattern of bits
        // is a number, whether anybody has written all of them or not.
        let memory = unsafe base + start
        return ShortBytes(
            front: unsafe memory.loadUnaligned(as: SIMD2<UInt64>.self),
            back: unsafe memory.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self),
            count: count
        )
    }
}

extension ByteRoom {
    /// Appends a part of padded bytes, 32 of them at a time; there must be room for as many more.
    ///
    /// - Parameters:
    ///   - range: Within the bytes.
    ///   - bytes: Has them.
    @inlinable
    @inline(__always)
    package mutating func append(_ range: Range<Int>, of bytes: borrowing PaddedBytes) {
        let count = range.upperBound &- range.lowerBound
        // SAFETY: both are places in one memory.
        precondition(
            unsafe range.lowerBound >= 0 && range.upperBound <= bytes.last
                && end - next >= count &+ ByteBuffer.padding,
            "bytes \(range), of which 32 may begin at \(bytes.last)"
        )
        // SAFETY: the range lies within the bytes, behind which there are 32 of memory, and there is
        // room for as many behind the range's; what is lent is not the room's.
        var target = unsafe UnsafeMutableRawPointer(next)
        unsafe Self.copy(range, of: bytes.base, to: &target)
        // SAFETY: no further than the range is long.
        unsafe next = next + count
    }
}

extension ByteBuffer {
    /// Lends the bytes for reading short parts of them.
    ///
    /// - Precondition: The buffer is padded.
    @inlinable
    @inline(__always)
    package borrowing func withPadded<R>(_ body: (borrowing PaddedBytes) -> R) -> R {
        precondition(isPadded, "\(used) bytes in \(capacity) of memory")
        // SAFETY: self is borrowed for the time of the call, and what is lent cannot be copied.
        return body(unsafe PaddedBytes(UnsafeRawPointer(base), last: capacity &- Self.padding))
    }
}
