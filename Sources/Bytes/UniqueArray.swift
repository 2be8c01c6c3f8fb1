import Synchronization

/// A growable buffer of values without references, with one owner, that keeps its memory when it is
/// emptied.
///
/// Unlike an array, it does not check for each appended value whether it has one owner.
@safe
@usableFromInline
package struct UniqueArray<Element: BitwiseCopyable & Sendable>: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline package private(set) var count = 0

    /// The capacity is at least 1.
    package init(minimumCapacity: Int) {
        precondition(minimumCapacity > 0, "room for \(minimumCapacity) values")
        capacity = minimumCapacity
        // SAFETY: owned by this value alone (it cannot be copied), freed in deinit, bounded by
        // `capacity`.
        unsafe base = .allocate(capacity: minimumCapacity)
    }

    deinit {
        // SAFETY: allocated in init or grow; values without references need no deinitialisation.
        unsafe base.deallocate()
    }

    package mutating func removeAll() { count = 0 }

    package mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "truncating \(count) to \(newCount)")
        count = newCount
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ element: Element) {
        if count == capacity { grow() }
        // SAFETY: there is room for a value at `count`.
        unsafe (base + count).initialize(to: element)
        count &+= 1
    }

    @inlinable
    package mutating func reserve(_ extra: Int) {
        while capacity &- count < extra { grow() }
    }

    @usableFromInline
    @inline(never)
    mutating func grow() {
        let newCapacity = capacity * 2
        // SAFETY: the new memory holds all `count` values; the old is freed after the copy.
        let newBase = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        unsafe newBase.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = newBase
        capacity = newCapacity
    }

    @inlinable
    package subscript(_ index: Int) -> Element {
        @inline(__always) get {
            precondition(
                UInt(bitPattern: index) < UInt(bitPattern: count),
                "value \(index) of \(count)"
            )
            // SAFETY: checked above, as a negative place is a large number.
            return unsafe base[index]
        }
        set {
            precondition(index >= 0 && index < count, "value \(index) of \(count)")
            // SAFETY: checked above.
            unsafe base[index] = newValue
        }
    }

    @inlinable
    @inline(__always)
    package borrowing func withSpan<R>(
        _ range: Range<Int>,
        _ body: (borrowing Span<Element>) -> R
    ) -> R {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
        // SAFETY: the values of the range are initialised and owned by self, which is borrowed.
        let span = unsafe Span(_unsafeStart: base + range.lowerBound, count: range.count)
        return body(span)
    }
}

// SAFETY: a buffer is the only owner of its memory and cannot be copied, so handing it to another
// thread hands over the memory as well.
extension UniqueArray: @unchecked Sendable {}

/// A field that makes the compiler borrow its struct by address.
///
/// The compiler copies a large struct for many reads of one field, because its bits can be moved.
/// An atomic value has a fixed address, so its struct is never copied to be read.
package struct AddressOnly: ~Copyable, Sendable {
    private let address = Atomic<Bool>(false)

    package init() {}
}
