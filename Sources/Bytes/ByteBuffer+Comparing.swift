extension ByteBuffer {
    /// Whether another buffer holds the same bytes.
    ///
    /// - Complexity: O(bytes), eight at a time.
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
