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

    /// Appends bytes unless one of them is marked; see ``ByteSink``.
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
