/// Room at the end of a buffer, written from its front on.
///
/// For rows, which are a dozen short pieces each: where a buffer was told of each, the telling was
/// two fifths of a row's instructions (1,600 for a row of JSON, 900 with room). Every piece is held
/// against the end of the room; inlined, the room stays in registers.
@safe
@usableFromInline
package struct ByteWriter: ~Copyable {
    @usableFromInline var next: UnsafeMutablePointer<UInt8>
    @usableFromInline let end: UnsafeMutablePointer<UInt8>

    /// The owner lends the memory for as long as the room is written.
    @inlinable
    init(_ start: UnsafeMutablePointer<UInt8>, count: Int) {
        // SAFETY: one byte behind memory of `count` bytes, by the caller's promise, is a place.
        unsafe next = start
        unsafe end = start + count
    }

    @inlinable
    package var count: Int {
        @inline(__always) get {
            // SAFETY: both are places in one memory.
            unsafe end - next
        }
    }

    @inlinable
    @inline(__always)
    mutating func take(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        // SAFETY: no count is so great that a place behind memory were before it.
        precondition(unsafe count >= 0 && next + count <= end, "no room for \(count) bytes")
        let start = unsafe next
        // SAFETY: no further than the end, as checked.
        unsafe next = start + count
        return unsafe start
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        // SAFETY: the byte taken is written.
        unsafe take(1).pointee = byte
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ span: borrowing Span<UInt8>) {
        let count = span.count
        // SAFETY: as many bytes are taken as are written.
        let target = unsafe take(count)
        unsafe span.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return }
            // SAFETY: as many bytes are taken as the span has; they are not the span's.
            unsafe ByteBuffer.copy(source, to: target, count: count)
        }
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        precondition(literal.hasPointerRepresentation)
        let count = literal.utf8CodeUnitCount
        // SAFETY: a literal's bytes are immortal; as many are taken.
        unsafe ByteBuffer.copy(literal.utf8Start, to: take(count), count: count)
    }

    /// There must be room for 32 bytes.
    @inlinable
    @inline(__always)
    package mutating func append(_ short: SmallBytes) {
        // SAFETY: a place up to 32 bytes behind one in memory.
        precondition(unsafe next + SmallBytes.longest <= end, "no room for 32 bytes")
        // SAFETY: 32 bytes from `next` on lie within the room, as checked.
        let target = unsafe UnsafeMutableRawPointer(next)
        unsafe target.storeBytes(of: short.front, as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(of: short.back, toByteOffset: 16, as: SIMD2<UInt64>.self)
        // SAFETY: no further than the 32 bytes.
        unsafe next = next + short.count
    }

    /// Appends the first of sixteen bytes.
    ///
    /// The count is 0...16. There must be room for all sixteen bytes.
    @inlinable
    @inline(__always)
    package mutating func append(_ block: SIMD16<UInt8>, count: Int) {
        precondition(count >= 0 && count <= 16, "\(count) bytes of sixteen")
        // SAFETY: both are places in one memory.
        precondition(unsafe end - next >= 16, "no room for 16 bytes")
        // SAFETY: sixteen bytes from `next` on lie within the room, as checked.
        unsafe UnsafeMutableRawPointer(next).storeBytes(of: block, as: SIMD16<UInt8>.self)
        // SAFETY: no further than the sixteen bytes.
        unsafe next = next + count
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ range: Range<Int>, of buffer: borrowing ByteBuffer) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= buffer.used,
            "bytes \(range) of \(buffer.used)"
        )
        let count = range.count
        // SAFETY: the range lies within the buffer's bytes, and as many are taken; the buffer is
        // borrowed, so that the room is not its.
        unsafe ByteBuffer.copy(buffer.base + range.lowerBound, to: take(count), count: count)
    }

    /// See ``ByteSink``.
    @inlinable
    @inline(__always)
    package mutating func append(
        _ span: borrowing Span<UInt8>,
        unless marks: (UInt64) -> UInt64
    ) -> Bool {
        let count = span.count
        if count < 8 {
            guard marks(span.gathered) == 0 else { return false }
            append(span)
            return true
        }
        // SAFETY: both are places in one memory.
        precondition(unsafe count <= end - next, "no room for \(count) bytes")
        let last = count &- 8
        var index = 0
        // SAFETY: there are `count` bytes from `next` on, and each word lies within them: the last
        // one begins at `last`, every other before it.
        let room = unsafe UnsafeMutableRawPointer(next)
        while index < last {
            let word = span.word(at: index)
            guard marks(word) == 0 else { return false }
            unsafe room.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        let word = span.word(at: last)
        guard marks(word) == 0 else { return false }
        unsafe room.storeBytes(of: word.littleEndian, toByteOffset: last, as: UInt64.self)
        unsafe next = next + count
        return true
    }

    @inlinable
    @inline(__always)
    package mutating func append(decimal value: UInt64) {
        if value < SmallBytes.decimalEnd, count >= SmallBytes.longest {
            append(SmallBytes(decimal: value))
        } else {
            // Handed over and taken back, a room stays in registers.
            self = Self.appending(decimal: value, to: self)
        }
    }

    @usableFromInline
    static func appending(decimal value: UInt64, to room: consuming ByteWriter) -> ByteWriter {
        room.append(longDecimal: value)
        return room
    }

    private mutating func append(longDecimal value: UInt64) {
        // Two digits at a time: a third of the instructions of one by one.
        var digits = 1
        var bound = value
        while bound >= 10_000 {
            digits += 4
            bound /= 10_000
        }
        digits += bound >= 1_000 ? 3 : bound >= 100 ? 2 : bound >= 10 ? 1 : 0
        // SAFETY: as many bytes are taken as there are digits to write.
        let target = unsafe UnsafeMutableRawPointer(take(digits))
        var (rest, index) = (value, digits)
        while index >= 2 {
            index -= 2
            let pair = UInt16(truncatingIfNeeded: rest % 100)
            rest /= 100
            let text = (pair / 10 | (pair % 10) << 8) + 0x3030
            // SAFETY: two of the bytes that were taken begin at `index`.
            unsafe target.storeBytes(
                of: text.littleEndian,
                toByteOffset: index,
                as: UInt16.self
            )
        }
        guard index == 1 else { return }
        // SAFETY: of an odd number of bytes the first is left.
        unsafe target.storeBytes(
            of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest),
            as: UInt8.self
        )
    }
}

extension ByteWriter {
    /// Appends an unsigned integer in lower-case hexadecimal digits, without zeros in front.
    @inlinable
    package mutating func append(hexadecimal value: UInt64) {
        var shift = value == 0 ? 0 : UInt64(63 - value.leadingZeroBitCount) & ~3
        while true {
            let digit = UInt8(truncatingIfNeeded: value &>> shift) & 0xF
            append(digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10))
            guard shift > 0 else { return }
            shift &-= 4
        }
    }

    /// Appends the lowest bytes of a number, the highest of them first.
    ///
    /// Higher bytes than `count` are left out. The count is 0...8; there must be room for
    /// eight.
    @inlinable
    @inline(__always)
    package mutating func append(bigEndian value: UInt64, bytes count: Int) {
        precondition(count >= 0 && count <= 8, "\(count) bytes of a number")
        // SAFETY: both are places in one memory.
        precondition(unsafe end - next >= 8, "no room for a number")
        let bytes = count == 0 ? 0 : (value << UInt64(64 - 8 * count)).bigEndian
        // SAFETY: eight bytes from `next` on lie within the room, as checked.
        unsafe UnsafeMutableRawPointer(next).storeBytes(of: bytes, as: UInt64.self)
        // SAFETY: no further than the eight bytes.
        unsafe next = next + count
    }
}

extension ByteWriter: ByteSink {}

extension ByteBuffer {
    /// Appends what a closure writes into all memory that is free.
    ///
    /// The room is gone when the closure returns.
    @inlinable
    @inline(__always)
    package mutating func append<R>(
        atLeast minimum: Int,
        _ write: (inout ByteWriter) -> R
    ) -> R {
        reserve(minimum)
        return append(atMost: capacity &- used, write)
    }

    /// Appends what a closure writes.
    ///
    /// The room is gone when the closure returns.
    @inlinable
    @inline(__always)
    package mutating func append<R>(
        atMost maximum: Int,
        _ write: (inout ByteWriter) -> R
    ) -> R {
        precondition(maximum >= 0, "negative room \(maximum)")
        reserve(maximum)
        // SAFETY: reserve made room for `maximum` bytes from `used` on, which nobody else reaches
        // while self is borrowed exclusively; a closure cannot make a room.
        var room = unsafe ByteWriter(base + used, count: maximum)
        let result = write(&room)
        // SAFETY: a room that ends elsewhere is another buffer's, exchanged for this one.
        precondition(unsafe room.end == base + (used + maximum), "the room is another one")
        // SAFETY: both are places in this buffer's memory, as the ends are the same.
        unsafe used = room.next - base
        return result
    }

    /// Copies bytes from one memory to another.
    ///
    /// Names, cells and what stands between them are short: 32 bytes or fewer are two words that
    /// may overlap, which takes a third of the instructions of a call.
    @unsafe
    @inlinable
    @inline(__always)
    static func copy(
        _ source: UnsafePointer<UInt8>,
        to target: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        // SAFETY: all that is read and written lies within the `count` bytes that the caller
        // promises on both sides, which do not overlap.
        let from = unsafe UnsafeRawPointer(source)
        let into = UnsafeMutableRawPointer(target)
        let last = count &- 8
        if count > 32 {
            unsafe target.update(from: source, count: count)
        } else if count > 16 {
            // SAFETY: sixteen bytes from 0 and from `count - 16` on lie within both.
            let tail = unsafe from.loadUnaligned(
                fromByteOffset: count &- 16,
                as: SIMD2<UInt64>.self
            )
            let head = unsafe from.loadUnaligned(as: SIMD2<UInt64>.self)
            unsafe into.storeBytes(of: head, as: SIMD2<UInt64>.self)
            unsafe into.storeBytes(of: tail, toByteOffset: count &- 16, as: SIMD2<UInt64>.self)
        } else if last >= 0 {
            // SAFETY: eight bytes from 0 and from `count - 8` on lie within both.
            let tail = unsafe from.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            let head = unsafe from.loadUnaligned(as: UInt64.self)
            unsafe into.storeBytes(of: head, as: UInt64.self)
            unsafe into.storeBytes(of: tail, toByteOffset: last, as: UInt64.self)
        } else if count >= 4 {
            // SAFETY: four bytes from 0 and from `count - 4` on lie within both.
            let tail = unsafe from.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            let head = unsafe from.loadUnaligned(as: UInt32.self)
            unsafe into.storeBytes(of: head, as: UInt32.self)
            unsafe into.storeBytes(of: tail, toByteOffset: count &- 4, as: UInt32.self)
        } else if count > 0 {
            // SAFETY: the three places are below `count`.
            unsafe target[0] = source[0]
            unsafe target[count &>> 1] = source[count &>> 1]
            unsafe target[count &- 1] = source[count &- 1]
        }
    }
}

/// At most 32 bytes as a value, which is copied without a branch on how many there are.
@usableFromInline
package struct SmallBytes {
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
