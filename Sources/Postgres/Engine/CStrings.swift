/// A sequence of NUL-terminated texts that can be passed to C as an array.
struct CStrings {
    private var bytes: [CChar] = []
    private var starts: [Int?] = []

    /// C does not see what follows a NUL inside a text.
    init(_ texts: [String?]) {
        for text in texts {
            starts.append(text.map { _ in bytes.count })
            guard let text else { continue }
            for byte in text.utf8 { bytes.append(CChar(bitPattern: byte)) }
            bytes.append(0)
        }
    }

    @unsafe
    func withPointers<R>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R) -> R {
        // SAFETY: every start is an index in `bytes`, which outlives the call, as do its addresses.
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            for start in starts {
                // SAFETY: the start is an index in `bytes`.
                unsafe pointers.append(start.flatMap { unsafe bytes.baseAddress?.advanced(by: $0) })
            }
            // SAFETY: null terminates the array.
            unsafe pointers.append(nil)
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
    }
}
