/// Texts behind one another, each with a NUL at its end, as C takes an array of them.
struct CStrings {
    private var bytes: [CChar] = []
    /// Where each text begins; nil for none.
    private var starts: [Int?] = []

    /// Copies texts; what stands behind a NUL of a text is not seen by C.
    init(_ texts: [String?]) {
        for text in texts {
            starts.append(text.map { _ in bytes.count })
            guard let text else { continue }
            for byte in text.utf8 { bytes.append(CChar(bitPattern: byte)) }
            bytes.append(0)
        }
    }

    /// Lends the addresses of the texts, with null behind them.
    @unsafe
    func withPointers<R>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R) -> R {
        // SAFETY: every start lies in `bytes`, which lives for the call, as the addresses do.
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            for start in starts {
                // SAFETY: the start lies in `bytes`.
                unsafe pointers.append(start.flatMap { unsafe bytes.baseAddress?.advanced(by: $0) })
            }
            // SAFETY: null ends the array.
            unsafe pointers.append(nil)
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
    }
}
