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
}

extension ByteRoom {
    /// Appends a part of a padded buffer, 32 bytes at a time.
    ///
    /// For the short parts that rows are made of: a copy without a branch on their lengths, which
    /// differ from part to part; what comes along is written over by the next one.
    ///
    /// - Precondition: The room has 32 bytes more than the part.
    @inlinable
    @inline(__always)
    package mutating func append(_ range: Range<Int>, ofPadded buffer: borrowing ByteBuffer) {
        let padding = ByteBuffer.padding
        let count = range.upperBound &- range.lowerBound
        // SAFETY: both are places in one memory.
        precondition(unsafe end - next >= count &+ padding, "no room for \(count) bytes and more")
        precondition(
            range.lowerBound >= 0 && range.upperBound <= buffer.capacity &- padding,
            "bytes \(range) of \(buffer.used), with \(buffer.capacity) in memory"
        )
        // SAFETY: the last 32 bytes begin within the part, and as many are behind it, in the memory
        // of the buffer as in the room. The buffer is borrowed, so that the room is not its.
        let source = unsafe UnsafeRawPointer(buffer.base + range.lowerBound)
        let target = unsafe UnsafeMutableRawPointer(next)
        var index = 0
        repeat {
            let head = unsafe source.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            let tail = unsafe source.loadUnaligned(
                fromByteOffset: index &+ 16,
                as: SIMD16<UInt8>.self
            )
            unsafe target.storeBytes(of: head, toByteOffset: index, as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: tail, toByteOffset: index &+ 16, as: SIMD16<UInt8>.self)
            index &+= padding
        } while index < count
        // SAFETY: no further than the part, for which the room was found large enough.
        unsafe next = next + count
    }

    /// The first number that is too long for ``append(shortDecimal:)``.
    @inlinable package static var shortDecimalEnd: UInt64 { 10_000_000_000_000_000 }

    /// Appends a number of at most sixteen digits.
    ///
    /// - Precondition: The room has sixteen bytes.
    @inlinable
    @inline(__always)
    package mutating func append(shortDecimal value: UInt64) {
        precondition(value < Self.shortDecimalEnd, "\(value) has more than sixteen digits")
        let eightDigits: UInt64 = 100_000_000
        let back = Self.digits(of: UInt32(truncatingIfNeeded: value % eightDigits))
        guard value >= eightDigits else { return append(bigEndian: back.text, bytes: back.count) }
        let front = Self.digits(of: UInt32(truncatingIfNeeded: value / eightDigits))
        append(bigEndian: front.text, bytes: front.count)
        append(bigEndian: back.text, bytes: 8)
    }

    /// The digits of a number below 10⁸, the last of them lowest, and how many there are.
    ///
    /// Made all at once: two numbers of four digits, four of two, eight of one. The products are
    /// those of Granlund and Montgomery's division by multiplication, exact for so few digits.
    @inlinable
    static func digits(of value: UInt32) -> (text: UInt64, count: Int) {
        let fours = UInt64(value / 10_000) << 32 | UInt64(value % 10_000)
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let twos = hundreds << 16 | (fours &- hundreds &* 100)
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        let ones = tens << 8 | (twos &- tens &* 10)
        let count = 8 &- (ones | 1).leadingZeroBitCount / 8
        return (ones &+ 0x3030_3030_3030_3030, count)
    }
}
