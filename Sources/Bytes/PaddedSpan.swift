/// The bytes of a padded buffer, lent for reading parts of them again and again.
///
/// A buffer's address and length are read anew for each part, as they may have changed for all the
/// compiler knows. Lent, they stay in registers.
@safe
@usableFromInline
package struct PaddedSpan: ~Copyable {
    @usableFromInline let base: UnsafeRawPointer
    /// The last place that 32 bytes of memory begin at.
    @usableFromInline let last: Int

    @inlinable
    init(_ base: UnsafeRawPointer, last: Int) {
        // SAFETY: a place in memory that its owner lends.
        unsafe self.base = base
        self.last = last
    }

    @inlinable
    @inline(__always)
    package func withSpan<R>(_ range: Range<Int>, _ body: (borrowing Span<UInt8>) -> R) -> R {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= last,
            "bytes \(range), of which 32 may begin at \(last)"
        )
        // SAFETY: the range lies within the buffer's memory, which is lent as long as self.
        let start = unsafe base + range.lowerBound
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: range.count)
        return body(unsafe Span(_unsafeBytes: bytes))
    }

    /// `marks` receives sixteen bytes, also some after the part.
    @inlinable
    @inline(__always)
    package func isUnmarked(_ range: Range<Int>, by marks: (SIMD16<UInt8>) -> ByteMask) -> Bool {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= last,
            "bytes \(range), of which 32 may begin at \(last)"
        )
        var index = range.lowerBound
        while index < range.upperBound {
            // SAFETY: sixteen bytes begin within the range, behind which there are 32 of memory.
            let block = unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            let found: ByteMask = marks(block) .& ByteMask.first(range.upperBound &- index)
            guard !found.isAny else { return false }
            index &+= 16
        }
        return true
    }
}

extension ByteMask {
    /// Marks the first bytes of sixteen.
    ///
    /// A count of 16 and more marks all.
    @inlinable
    @inline(__always)
    static func first(_ count: Int) -> ByteMask {
        let positions = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        let mask: ByteMask =
            positions .< SIMD16(repeating: UInt8(truncatingIfNeeded: Swift.min(count, 16)))
        return mask
    }
}

extension PaddedSpan {
    /// At most 32 bytes.
    @inlinable
    package func short(_ start: Int, count: Int) -> SmallBytes {
        precondition(
            start >= 0 && start <= last && count >= 0 && count <= SmallBytes.longest,
            "\(count) bytes at \(start), of which 32 may begin at \(last)"
        )
        // SAFETY: 32 bytes begin there, and every pattern of bits is a number.
        let front = unsafe base.loadUnaligned(fromByteOffset: start, as: SIMD2<UInt64>.self)
        let back = unsafe base.loadUnaligned(fromByteOffset: start + 16, as: SIMD2<UInt64>.self)
        return SmallBytes(front: front, back: back, count: count)
    }
}

extension ByteWriter {
    /// Copies 32 bytes at a time; there must be room for as many more.
    @inlinable
    @inline(__always)
    package mutating func append(_ start: Int, count: Int, of bytes: borrowing PaddedSpan) {
        // SAFETY: no count is so great that a place behind memory were before it.
        precondition(
            unsafe start >= 0 && count >= 0 && start <= bytes.last &- count
                && next + count <= end - ByteBuffer.padding,
            "\(count) bytes at \(start), of which 32 may begin at \(bytes.last)"
        )
        // SAFETY: the part lies within the bytes, behind which there are 32 of memory, and there is
        // room for as many after the part. The borrowed bytes are not in the room.
        let source = unsafe bytes.base + start
        let target = unsafe UnsafeMutableRawPointer(next)
        unsafe Self.copyPadding(source, to: target)
        // Few parts are longer, and a loop takes more to begin than it copies.
        if count > 32 {
            unsafe Self.copyPadding(source + 32, to: target + 32)
            var index = 64
            while index < count {
                unsafe Self.copyPadding(source + index, to: target + index)
                index &+= 32
            }
        }
        // SAFETY: no further than the part is long.
        unsafe next = next + count
    }

    @unsafe
    @inlinable
    @inline(__always)
    static func copyPadding(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        // SAFETY: there are 32 bytes on both sides, by the caller's promise.
        let front = unsafe source.loadUnaligned(as: SIMD2<UInt64>.self)
        let back = unsafe source.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(of: front, as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(of: back, toByteOffset: 16, as: SIMD2<UInt64>.self)
    }

    /// Appends padded bytes, sixteen at a time, up to the first sixteen of which one is marked; there
    /// must be room for sixteen more.
    ///
    /// `marks` receives sixteen bytes, also some after the last.
    /// Returns the number of bytes appended: all, or a multiple of sixteen.
    @inlinable
    @inline(__always)
    package mutating func append(
        _ start: Int,
        count: Int,
        of bytes: borrowing PaddedSpan,
        until marks: (SIMD16<UInt8>) -> ByteMask
    ) -> Int {
        // SAFETY: no count is so great that a place behind memory were before it.
        precondition(
            unsafe start >= 0 && count >= 0 && start <= bytes.last &- count
                && next + count <= end - 16,
            "\(count) bytes at \(start), of which 32 may begin at \(bytes.last)"
        )
        // SAFETY: the part lies within the bytes, behind which there are 32 of memory, and there is
        // room for sixteen after it. The borrowed bytes are not in the room.
        let source = unsafe bytes.base + start
        let target = unsafe UnsafeMutableRawPointer(next)
        guard unsafe Self.copyBlock(source, to: target, count, unless: marks) else { return 0 }
        // Most parts are no longer, and a loop takes more to begin than it copies.
        var index = 16
        while index < count {
            // SAFETY: as above, with the room that was checked.
            guard
                unsafe Self.copyBlock(
                    source + index,
                    to: target + index,
                    count &- index,
                    unless: marks
                )
            else {
                // SAFETY: the blocks before this one were copied, which are a part of the room.
                unsafe next = next + index
                return index
            }
            index &+= 16
        }
        // SAFETY: no further than the part is long.
        unsafe next = next + count
        return count
    }

    /// Copies sixteen bytes unless one of the first is marked.
    ///
    /// False if one is marked.
    @unsafe
    @inlinable
    @inline(__always)
    static func copyBlock(
        _ source: UnsafeRawPointer,
        to target: UnsafeMutableRawPointer,
        _ count: Int,
        unless marks: (SIMD16<UInt8>) -> ByteMask
    ) -> Bool {
        // SAFETY: there are sixteen bytes on both sides, by the caller's promise.
        let block = unsafe source.loadUnaligned(as: SIMD16<UInt8>.self)
        let found: ByteMask = marks(block)
        if found.isAny {
            // Few blocks have a mark, so only those are masked to the end of the part.
            let own: ByteMask = found .& ByteMask.first(count)
            guard !own.isAny else { return false }
        }
        unsafe target.storeBytes(of: block, as: SIMD16<UInt8>.self)
        return true
    }
}

extension ByteBuffer {
    /// The buffer must be padded.
    @inlinable
    @inline(__always)
    package borrowing func withPadded<R>(_ body: (borrowing PaddedSpan) -> R) -> R {
        precondition(isPadded, "\(used) bytes in \(capacity) of memory")
        // SAFETY: self is borrowed for the time of the call, and what is lent cannot be copied.
        return body(unsafe PaddedSpan(UnsafeRawPointer(base), last: capacity &- Self.padding))
    }
}
