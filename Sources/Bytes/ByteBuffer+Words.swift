extension ByteBuffer {
    /// Tells a closure the bytes of a range, sixteen at a time.
    ///
    /// - Parameters:
    ///   - range: Within the bytes; at least sixteen. Of the last sixteen some may be told twice.
    ///   - body: Is told eight bytes and the eight behind them, each with its first byte lowest.
    @inlinable
    @inline(__always)
    package func forEachPair(in range: Range<Int>, _ body: (UInt64, UInt64) -> Void) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= used && range.count >= 16,
            "sixteen bytes of \(range) of \(used)"
        )
        // SAFETY: lent by self for the time of the call.
        let memory = unsafe UnsafeRawPointer(base)
        let last = range.upperBound &- 16
        var index = range.lowerBound
        while true {
            // SAFETY: sixteen bytes from `index` on lie within the range, as `last` is the last place
            // asked for; every pattern of bits is a number.
            let first = unsafe memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let second = unsafe memory.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
            body(first.littleEndian, second.littleEndian)
            if index == last { return }
            index = min(index &+ 16, last)
        }
    }

    /// The bytes of a range as a number, the first of them lowest, and zeros above.
    ///
    /// - Parameter range: Within the bytes of a padded buffer; one to eight.
    /// - Returns: The number.
    @inlinable
    @inline(__always)
    package func word(_ range: Range<Int>) -> UInt64 {
        let count = range.upperBound &- range.lowerBound
        precondition(
            range.lowerBound >= 0 && range.upperBound <= capacity &- Self.padding && count > 0
                && count <= 8,
            "bytes \(range) of \(used), with \(capacity) in memory"
        )
        // SAFETY: eight bytes from the first on lie within the buffer's memory; every pattern of bits
        // is a number, whether anybody has written all of them or not.
        let word = unsafe UnsafeRawPointer(base).loadUnaligned(
            fromByteOffset: range.lowerBound,
            as: UInt64.self
        )
        return word.littleEndian & (~0 &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }
}
