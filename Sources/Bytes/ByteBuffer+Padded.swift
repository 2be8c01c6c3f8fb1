extension ByteBuffer {
    /// The bytes behind a part of a buffer that are copied along with it.
    @inlinable package static var padding: Int { 32 }

    /// Whether there is memory behind the bytes for what is copied along.
    @inlinable package var isPadded: Bool { capacity &- used >= Self.padding }

    /// Finds the first marked byte of a range, 32 bytes at a time.
    ///
    /// - Parameters:
    ///   - marks: Is asked about sixteen bytes at a time, also about some behind the range.
    ///   - range: Within the bytes of a padded buffer.
    /// - Returns: Its place; the end of the range where no byte is marked.
    @inlinable
    @inline(__always)
    package func firstMarked(
        by marks: (SIMD16<UInt8>) -> ByteMask,
        in range: Range<Int>
    ) -> Int {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= capacity &- Self.padding,
            "bytes \(range) of \(used), with \(capacity) in memory"
        )
        // SAFETY: lent by self for the time of the call.
        let memory = unsafe UnsafeRawPointer(base)
        var index = range.lowerBound
        while index < range.upperBound {
            // SAFETY: 32 bytes begin within the range, behind which there are as many of memory;
            // every pattern of bits is a number, whether anybody has written all of them or not.
            let front: ByteMask = unsafe marks(
                memory.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            )
            let back: ByteMask = unsafe marks(
                memory.loadUnaligned(fromByteOffset: index &+ 16, as: SIMD16<UInt8>.self)
            )
            let found: ByteMask = front .| back
            if found.isAny {
                let place = front.firstPlace ?? 16 &+ (back.firstPlace ?? 16)
                return min(index &+ place, range.upperBound)
            }
            index &+= 32
        }
        return range.upperBound
    }

    /// Appends short bytes.
    @inlinable
    @inline(__always)
    package mutating func append(_ short: SmallBytes) {
        append(atMost: SmallBytes.longest) { $0.append(short) }
    }
}
