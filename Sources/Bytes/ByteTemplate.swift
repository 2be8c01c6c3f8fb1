/// Bytes that stay the same from time to time, and the places between them of short values that do
/// not.
@usableFromInline
package struct ByteTemplate<Value>: ~Copyable {
    /// What stays the same before a value, as a part of `text`, and which value it is.
    @usableFromInline
    struct Part {
        @usableFromInline let lead: Range<Int>
        @usableFromInline let value: Value
    }

    /// All that stays the same; padded.
    @usableFromInline let text: ByteBuffer
    @usableFromInline let parts: [Part]
    /// What stands behind the last value.
    @usableFromInline let tail: Range<Int>
    /// The most bytes that it takes with short values, and what is copied along.
    @usableFromInline package let longest: Int

    /// Creates a template.
    ///
    /// - Parameter write: Appends what stays the same, and calls a closure with each value where it
    ///   belongs.
    package init(_ write: (inout ByteBuffer, (Value, borrowing ByteBuffer) -> Void) -> Void) {
        var text = ByteBuffer(minimumCapacity: 512)
        var parts: [Part] = []
        write(&text) { value, text in
            parts.append(Part(lead: (parts.last?.lead.upperBound ?? 0)..<text.count, value: value))
        }
        tail = (parts.last?.lead.upperBound ?? 0)..<text.count
        text.reserve(ByteBuffer.padding)
        longest = text.count + parts.count * ShortBytes.longest + ByteBuffer.padding
        self.parts = parts
        self.text = text
    }

    /// Appends what stays the same, and what a closure appends for each value.
    @inlinable
    @inline(__always)
    package func write(
        to room: inout ByteRoom,
        _ append: (Value, inout ByteRoom) -> Void
    ) {
        for part in parts {
            room.append(part.lead, of: text)
            append(part.value, &room)
        }
        room.append(tail, of: text)
    }

    /// The sum of something for each value.
    @inlinable
    @inline(__always)
    package func sum(_ count: (Value) -> Int) -> Int {
        var sum = 0
        for part in parts { sum += count(part.value) }
        return sum
    }
}

extension ByteRoom {
    /// Appends what stays the same, and the short values between.
    ///
    /// All of it is copied 32 bytes at a time, without a branch on lengths, which differ from value
    /// to value; what comes along is written over by what follows. That there is room is asked once.
    ///
    /// - Precondition: The room has ``ByteTemplate/longest`` bytes.
    @inlinable
    @inline(__always)
    package mutating func append<Value>(
        _ template: borrowing ByteTemplate<Value>,
        _ short: (Value) -> ShortBytes
    ) {
        // SAFETY: both are places in one memory.
        precondition(unsafe end - next >= template.longest, "no room for a template")
        // SAFETY: `longest` bytes are there, and no more are written: the parts of the text follow
        // one another, no value has more than 32 bytes, and behind the last byte there is room for
        // what is copied along. What is read lies within the text and its padding. The template is
        // borrowed, so that the room is not its text's.
        let source = unsafe UnsafeRawPointer(template.text.base)
        var target = unsafe UnsafeMutableRawPointer(next)
        for part in template.parts {
            unsafe Self.copy(part.lead, of: source, to: &target)
            let value = short(part.value)
            // SAFETY: 32 bytes are there for each value.
            unsafe target.storeBytes(of: value.front, as: SIMD2<UInt64>.self)
            unsafe target.storeBytes(of: value.back, toByteOffset: 16, as: SIMD2<UInt64>.self)
            unsafe target += value.count
        }
        // SAFETY: as above, and the places are in one memory.
        unsafe Self.copy(template.tail, of: source, to: &target)
        unsafe next += target - UnsafeMutableRawPointer(next)
    }

    /// Copies a part of a padded text, 32 bytes at a time, and moves behind it.
    @unsafe
    @inlinable
    @inline(__always)
    static func copy(
        _ range: Range<Int>,
        of source: UnsafeRawPointer,
        to target: inout UnsafeMutableRawPointer
    ) {
        var index = range.lowerBound
        // SAFETY: the caller vouches for the part, and for 32 bytes behind it on both sides.
        var place = unsafe target
        repeat {
            let front = unsafe source.loadUnaligned(
                fromByteOffset: index,
                as: SIMD2<UInt64>.self
            )
            let back = unsafe source.loadUnaligned(
                fromByteOffset: index &+ 16,
                as: SIMD2<UInt64>.self
            )
            // SAFETY: as above, on the other side.
            unsafe place.storeBytes(of: front, as: SIMD2<UInt64>.self)
            unsafe place.storeBytes(of: back, toByteOffset: 16, as: SIMD2<UInt64>.self)
            unsafe place += ByteBuffer.padding
            index &+= ByteBuffer.padding
        } while index < range.upperBound
        // SAFETY: behind the part, for which the caller vouches.
        unsafe target += range.upperBound &- range.lowerBound
    }
}
