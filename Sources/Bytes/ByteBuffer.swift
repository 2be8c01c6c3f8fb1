/// A growable buffer of bytes that one owner fills, lends and empties again without giving its
/// memory back.
///
/// With ``UniqueArray`` the only raw memory of the pure targets. A buffer that is reused from answer
/// to answer allocates only while it grows: filling an array slice by slice costs four to six times
/// the instructions.
@safe
public struct ByteBuffer: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int

    /// The number of bytes held.
    public private(set) var count: Int {
        @inlinable get { used }
        set { used = newValue }
    }

    @usableFromInline var used = 0

    /// Creates an empty buffer.
    ///
    /// - Parameter minimumCapacity: Bytes to make room for now; 0 takes no memory until something is
    ///   appended, of any other number at least 16 are reserved.
    public init(minimumCapacity: Int = 256) {
        precondition(minimumCapacity >= 0, "negative capacity \(minimumCapacity)")
        guard minimumCapacity > 0 else {
            capacity = 0
            // SAFETY: nothing is read or written there, as no byte lies within a capacity of 0; the
            // address is not 0, and is not freed.
            unsafe base = UnsafeMutablePointer(bitPattern: 16).unsafelyUnwrapped
            return
        }
        capacity = max(16, minimumCapacity)
        // SAFETY: owned by this value alone (it cannot be copied), freed in deinit, bounded by
        // `capacity`.
        unsafe base = .allocate(capacity: capacity)
    }

    deinit { release() }

    private func release() {
        guard capacity > 0 else { return }
        // SAFETY: allocated in init or grow, as there is a capacity; bytes need no
        // deinitialisation.
        unsafe base.deallocate()
    }

    /// Whether the buffer holds no byte.
    @inlinable
    public var isEmpty: Bool { used == 0 }

    /// Forgets the bytes and keeps the memory.
    @inlinable
    public mutating func removeAll() { used = 0 }

    /// Forgets the bytes, and gives the memory back where it has grown past a bound.
    ///
    /// - Parameter maximumCapacity: The bytes of memory that may be kept.
    public mutating func removeAll(keepingAtMost maximumCapacity: Int) {
        used = 0
        guard capacity > maximumCapacity else { return }
        self = ByteBuffer(minimumCapacity: maximumCapacity)
    }

    /// Forgets the first bytes; the rest moves to the front.
    ///
    /// - Complexity: O(bytes that stay).
    public mutating func removeFirst(_ count: Int) {
        precondition(count >= 0 && count <= used, "removing \(count) of \(used) bytes")
        // SAFETY: both ranges lie within the `used` initialised bytes.
        unsafe base.update(from: base + count, count: used - count)
        used -= count
    }

    /// Forgets every byte from `newCount` on.
    public mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= used, "truncating \(used) bytes to \(newCount)")
        used = newCount
    }

    /// Makes room for `extra` more bytes, so that appending them does not allocate.
    @inlinable
    public mutating func reserve(_ extra: Int) {
        if used &+ extra > capacity { grow(by: extra) }
    }

    @usableFromInline
    mutating func grow(by extra: Int) {
        precondition(extra >= 0 && extra < Int.max / 4, "cannot reserve \(extra) bytes")
        let newCapacity = max(capacity * 2, used + extra, 64)
        // SAFETY: the new memory holds at least `used` bytes; the old is freed after the copy.
        let newBase = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
        unsafe newBase.update(from: base, count: used)
        release()
        unsafe base = newBase
        capacity = newCapacity
    }

    /// Appends one byte.
    @inlinable
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        // SAFETY: reserve made room for index `used`.
        unsafe base[used] = byte
        used &+= 1
    }

    /// Appends the UTF-8 of a text.
    @inlinable
    public mutating func append(_ text: String) {
        // Lent, not `withContiguousStorageIfAvailable`, which counts a reference.
        append(text.utf8.span)
    }

    /// Appends the UTF-8 of a literal.
    @inlinable
    public mutating func append(_ literal: StaticString) {
        // SAFETY: a literal's bytes are immortal; the precondition of utf8Start is checked.
        precondition(literal.hasPointerRepresentation)
        let bytes = unsafe UnsafeBufferPointer(
            start: literal.utf8Start,
            count: literal.utf8CodeUnitCount
        )
        unsafe append(contentsOf: bytes)
    }

    /// Appends bytes.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { pointer in
            // SAFETY: `pointer` lives for the closure.
            unsafe append(contentsOf: pointer)
        }
    }

    /// Appends bytes lent by their owner.
    @inlinable
    public mutating func append(_ span: borrowing Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { pointer in
            // SAFETY: `pointer` lives for the closure.
            unsafe append(contentsOf: pointer)
        }
    }

    /// Appends bytes lent by their owner, without a call where they are short.
    ///
    /// For those who append them a hundred times for a page.
    @inlinable
    @inline(__always)
    package mutating func appendHere(_ span: borrowing Span<UInt8>) {
        let count = span.count
        reserve(count)
        unsafe span.withUnsafeBufferPointer { bytes in
            // SAFETY: reserve made room for `count` bytes from `used` on, which are not the span's.
            guard let source = bytes.baseAddress else { return }
            unsafe Self.copy(source, to: base + used, count: count)
        }
        used &+= count
    }

    /// See ``ByteSink``.
    @inlinable
    package mutating func append(
        _ span: borrowing Span<UInt8>,
        unless marks: (UInt64) -> UInt64
    ) -> Bool {
        append(atMost: span.count) { $0.append(span, unless: marks) }
    }

    /// Appends the bytes of another buffer.
    @inlinable
    public mutating func append(_ other: borrowing ByteBuffer) {
        // SAFETY: `other` is borrowed for the call and is not `self`.
        unsafe append(contentsOf: UnsafeBufferPointer(start: other.base, count: other.used))
    }

    /// Appends bytes from raw memory.
    @unsafe
    @inlinable
    public mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(bytes.count)
        // SAFETY: reserve made room for `bytes.count` bytes from `used` on; the source is another
        // object's memory, alive for this call by the caller's promise.
        unsafe Self.copy(start, to: base + used, count: bytes.count)
        used &+= bytes.count
    }

    /// Appends a part of another buffer.
    ///
    /// - Parameters:
    ///   - range: Within the other buffer's bytes.
    ///   - other: Holds them.
    @inlinable
    public mutating func append(_ range: Range<Int>, of other: borrowing ByteBuffer) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= other.used,
            "bytes \(range) of \(other.used)"
        )
        reserve(range.count)
        // SAFETY: the range lies within the other's bytes, and reserve made room for as many; the
        // other is borrowed and is not self.
        unsafe Self.copy(other.base + range.lowerBound, to: base + used, count: range.count)
        used &+= range.count
    }

    /// Replaces one byte.
    @inlinable
    public subscript(_ index: Int) -> UInt8 {
        get {
            precondition(index >= 0 && index < used, "index \(index) of \(used) bytes")
            // SAFETY: checked above.
            return unsafe base[index]
        }
        set {
            precondition(index >= 0 && index < used, "index \(index) of \(used) bytes")
            // SAFETY: checked above.
            unsafe base[index] = newValue
        }
    }

    /// Lends the bytes for the time of a closure.
    @inlinable
    public borrowing func withBytes<R, E: Error>(
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        // SAFETY: `used` bytes from `base` on are initialised and owned by self, which is borrowed.
        let span = unsafe Span(_unsafeStart: base, count: used)
        return try body(span)
    }

    /// Lends the bytes as raw memory, for system calls.
    @unsafe
    @inlinable
    public borrowing func withUnsafeBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        // SAFETY: see withBytes; the caller promises not to keep the pointer.
        try unsafe body(UnsafeRawBufferPointer(start: base, count: used))
    }

    /// Appends what a system call writes straight into the free room.
    ///
    /// - Parameters:
    ///   - maximum: The room offered, in bytes.
    ///   - body: Fills the front of the room and returns how many bytes it wrote (0...maximum).
    /// - Throws: The error of `body`. Nothing is appended then.
    @unsafe
    @inlinable
    public mutating func appendUnsafe<E: Error>(
        maximum: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) {
        reserve(maximum)
        // SAFETY: `maximum` bytes from `used` on are owned and free.
        let room = unsafe UnsafeMutableRawBufferPointer(start: base + used, count: maximum)
        let written = try unsafe body(room)
        precondition(written >= 0 && written <= maximum, "wrote \(written) of \(maximum) bytes")
        used += written
    }

    /// The bytes as an array of their own.
    public borrowing func array() -> [UInt8] {
        // SAFETY: see withBytes.
        unsafe Array(UnsafeBufferPointer(start: base, count: used))
    }

    /// The bytes read as UTF-8; malformed sequences become U+FFFD.
    public borrowing func text() -> String {
        // SAFETY: see withBytes.
        unsafe String(decoding: UnsafeBufferPointer(start: base, count: used), as: UTF8.self)
    }
}

// SAFETY: a ByteBuffer is the only owner of its memory and cannot be copied, so handing it to
// another thread hands over the memory as well.
extension ByteBuffer: @unchecked Sendable {}

extension ByteBuffer {
    /// O(bytes), eight at a time.
    package borrowing func isEqual(to other: borrowing ByteBuffer) -> Bool {
        withBytes { own in other.withBytes { own.equals($0) } }
    }

    /// A hash of the bytes that nobody outside of the process can foresee.
    package borrowing func hashOfProcess() -> Int {
        var hasher = Hasher()
        // SAFETY: the `used` bytes are initialised and owned by self, which is borrowed.
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: base, count: used))
        return hasher.finalize()
    }
}

extension ByteBuffer {
    /// Appends an integer in decimal digits.
    public mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }

    /// Appends an integer in decimal digits.
    public mutating func append(decimal value: Int) {
        append(decimal: Int64(value))
    }

    /// Appends an unsigned integer in decimal digits.
    public mutating func append(decimal value: UInt64) {
        append(atMost: 20) { $0.append(decimal: value) }
    }

    /// Appends an integer in decimal, with zeros in front up to a width.
    public mutating func append(decimal value: Int, width: Int) {
        precondition(value >= 0, "a padded number cannot be negative: \(value)")
        var bound = 10
        for _ in 1..<max(width, 1) {
            if value < bound { append(UInt8(ascii: "0")) }
            bound *= 10
        }
        append(decimal: UInt64(value))
    }

    /// Appends an unsigned integer in lower-case hexadecimal digits, without zeros in front.
    public mutating func append(hexadecimal value: UInt64) {
        append(atMost: 16) { $0.append(hexadecimal: value) }
    }

    /// The highest byte is first; see ``ByteSink``.
    @inlinable
    package mutating func append(bigEndian value: UInt64, bytes count: Int) {
        append(atMost: 8) { $0.append(bigEndian: value, bytes: count) }
    }
}

extension ByteBuffer {
    /// The bytes behind a part of a buffer that are copied along with it.
    @inlinable package static var padding: Int { 32 }

    /// Whether there is memory behind the bytes for what is copied along.
    @inlinable package var isPadded: Bool { capacity &- used >= Self.padding }

    /// Finds the first marked byte of a range, 32 bytes at a time.
    ///
    /// `marks` is called with sixteen bytes, also with some after the range. The buffer is padded.
    /// Returns the end of the range where no byte is marked.
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
                let position = front.firstPosition ?? 16 &+ (back.firstPosition ?? 16)
                return min(index &+ position, range.upperBound)
            }
            index &+= 32
        }
        return range.upperBound
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ short: SmallBytes) {
        append(atMost: SmallBytes.longest) { $0.append(short) }
    }
}

extension ByteBuffer {
    /// Passes the bytes of a range to a closure, sixteen at a time.
    ///
    /// The range has at least sixteen bytes. Some of the last sixteen may be passed twice. The
    /// closure receives eight bytes and the eight after them, each with its first byte lowest.
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
    /// The range is within a padded buffer and has one to eight bytes.
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
