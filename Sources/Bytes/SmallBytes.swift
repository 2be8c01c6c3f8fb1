/// At most 32 bytes as a value, which is copied without a branch on how many there are.
@usableFromInline
package struct SmallBytes {
    /// The most bytes.
    @inlinable package static var longest: Int { 32 }

    /// The first sixteen as they stand in memory.
    @usableFromInline let front: SIMD2<UInt64>
    /// The last sixteen.
    @usableFromInline let back: SIMD2<UInt64>
    /// The number of valid bytes, 0...32; other bytes are undefined.
    @usableFromInline let count: Int

    @inlinable
    @inline(__always)
    init(front: SIMD2<UInt64>, back: SIMD2<UInt64>, count: Int) {
        self.front = front
        self.back = back
        self.count = count
    }
}

extension SmallBytes {
    /// The first number that ``init(decimal:)`` does not take.
    @inlinable package static var decimalEnd: UInt64 { 10_000_000_000_000_000 }

    /// The digits of a number of at most sixteen.
    @inlinable
    @inline(__always)
    package init(decimal value: UInt64) {
        if value < 10 {
            self.init(front: SIMD2((0x30 | value).littleEndian, 0), back: .zero, count: 1)
        } else if value < 100_000_000 {
            let digits = Self.digits(of: UInt32(truncatingIfNeeded: value))
            self.init(front: SIMD2(digits.text.littleEndian, 0), back: .zero, count: digits.count)
        } else {
            self.init(longDecimal: value)
        }
    }

    // A call: the digits of long numbers would be made in advance for short ones as well.
    @usableFromInline
    @inline(never)
    init(longDecimal value: UInt64) {
        precondition(value < Self.decimalEnd, "\(value) has more than sixteen digits")
        let eightDigits: UInt64 = 100_000_000
        let head = Self.digits(of: UInt32(truncatingIfNeeded: value / eightDigits))
        let rest = UInt32(truncatingIfNeeded: value % eightDigits)
        let tail = Self.eight(of: rest).byteSwapped
        // The rest follows wherever the head ends.
        let first = head.text | tail << UInt64(8 * head.count)
        let second = tail >> UInt64(64 - 8 * head.count)
        self.init(
            front: SIMD2(first.littleEndian, second.littleEndian),
            back: .zero,
            count: head.count + 8
        )
    }

    /// The digits of a number below 10⁸, the first of them lowest, zeros above, and how many there
    /// are.
    @inlinable
    @inline(__always)
    static func digits(of value: UInt32) -> (text: UInt64, count: Int) {
        let text = eight(of: value)
        // The zeros in front are the highest bytes that differ from `0` in nothing.
        let count = 8 &- ((text ^ 0x3030_3030_3030_3030) | 1).leadingZeroBitCount / 8
        return (text.byteSwapped >> UInt64(truncatingIfNeeded: 64 &- 8 &* count), count)
    }

    /// The eight digits of a number below 10⁸, the last of them lowest.
    ///
    /// Made all at once: two numbers of four digits, four of two, eight of one. The products are
    /// those of Granlund and Montgomery's division by multiplication, exact for so few digits.
    @inlinable
    @inline(__always)
    static func eight(of value: UInt32) -> UInt64 {
        let fours = UInt64(value / 10_000) << 32 | UInt64(value % 10_000)
        let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let twos = hundreds << 16 | (fours &- hundreds &* 100)
        let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
        let ones = tens << 8 | (twos &- tens &* 10)
        return ones &+ 0x3030_3030_3030_3030
    }
}
