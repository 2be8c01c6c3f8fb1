extension ByteBuffer {
    /// Whether another buffer holds the same bytes.
    ///
    /// - Complexity: O(bytes), eight at a time.
    package borrowing func isEqual(to other: borrowing ByteBuffer) -> Bool {
        guard used == other.used else { return false }
        // SAFETY: both ranges lie within the `used` bytes of their owners, which are borrowed.
        let own = unsafe UnsafeRawBufferPointer(start: base, count: used)
        let others = unsafe UnsafeRawBufferPointer(start: other.base, count: used)
        var index = 0
        while index + 8 <= used {
            // SAFETY: eight bytes from `index` on lie within both ranges.
            let left = unsafe own.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let right = unsafe others.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard left == right else { return false }
            index += 8
        }
        while index < used {
            guard unsafe own[index] == others[index] else { return false }
            index += 1
        }
        return true
    }

    /// A hash of the bytes that nobody outside of the process can foresee.
    package borrowing func hashOfProcess() -> Int {
        var hasher = Hasher()
        // SAFETY: the `used` bytes are initialised and owned by self, which is borrowed.
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: base, count: used))
        return hasher.finalize()
    }
}
