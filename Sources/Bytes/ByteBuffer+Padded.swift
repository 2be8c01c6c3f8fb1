extension ByteBuffer {
    /// The bytes behind a part of a buffer that are copied along with it.
    @inlinable package static var padding: Int { 32 }

    /// Whether there is memory behind the bytes for what is copied along.
    @inlinable package var isPadded: Bool { capacity &- used >= Self.padding }

    /// Whether none of the bytes in a range is marked.
    ///
    /// - Parameters:
    ///   - marks: Is asked about eight bytes at a time; anything but 0 for a byte marks it. What it
    ///     says of a byte depends on that byte and on those before it.
    ///   - range: Within the bytes of a padded buffer.
    /// - Returns: Whether none is.
    @inlinable
    @inline(__always)
    package func holdsNone(of marks: (UInt64) -> UInt64, in range: Range<Int>) -> Bool {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= capacity &- Self.padding,
            "bytes \(range) of \(used), with \(capacity) in memory"
        )
        // SAFETY: each word begins within the range, behind which there are 32 bytes of memory; every
        // pattern of bits is a number, whether anybody has written all of them or not.
        let memory = unsafe UnsafeRawPointer(base)
        var index = range.lowerBound
        var found: UInt64 = 0
        while index &+ 8 < range.upperBound {
            let word = unsafe memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            found |= marks(UInt64(littleEndian: word))
            index &+= 8
        }
        // Of the last word only the front is the range's; of an empty range there is none.
        guard index < range.upperBound else { return true }
        let excess = 8 &- (range.upperBound &- index)
        // SAFETY: as before, the last of the words.
        let word = unsafe memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let last = marks(UInt64(littleEndian: word))
        return found | last &<< UInt64(truncatingIfNeeded: 8 &* excess) == 0
    }

    /// A short part of the bytes.
    ///
    /// - Parameter range: Within the bytes of a padded buffer, and at most 32 of them.
    /// - Returns: The bytes.
    @inlinable
    @inline(__always)
    package func short(_ range: Range<Int>) -> ShortBytes {
        let count = range.upperBound &- range.lowerBound
        precondition(
            range.lowerBound >= 0 && range.lowerBound <= capacity &- Self.padding
                && count <= ShortBytes.longest,
            "bytes \(range) of \(used), with \(capacity) in memory"
        )
        // SAFETY: 32 bytes from the first on lie within the buffer's memory; every pattern of bits
        // is a number, whether anybody has written all of them or not.
        let memory = unsafe UnsafeRawPointer(base + range.lowerBound)
        return ShortBytes(
            front: unsafe memory.loadUnaligned(as: SIMD2<UInt64>.self),
            back: unsafe memory.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self),
            count: count
        )
    }
}
