import Glibc

/// A file without a name: it is gone with its last user, however that one ends.
package final class TemporaryFile: Sendable {
    private let descriptor: Descriptor

    /// Makes an empty file.
    ///
    /// - Parameter folder: Where its bytes are kept.
    /// - Throws: ``SystemError`` when nothing can be written there.
    package init(in folder: String) throws(SystemError) {
        let path = "\(folder)/roster-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let number = try checked("open") {
            // SAFETY: the path lives for the call.
            unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        }
        descriptor = Descriptor(adopting: number)
        // SAFETY: the path lives for the call. A name that stays is a file too many, and no more.
        _ = unsafe unlink(path)
    }

    /// The kernel's number of the file, good for as long as this object lives.
    package var number: Int32 { descriptor.rawValue }

    /// Writes bytes at the end.
    ///
    /// - Throws: ``SystemError`` when there is no room, for example; some may have been written.
    package func append(_ bytes: borrowing Span<UInt8>) throws(SystemError) {
        let number = number
        // SAFETY: the bytes are lent for the closure, which keeps no address.
        try unsafe bytes.withUnsafeBytes { (all) throws(SystemError) in
            var written = 0
            while written < all.count {
                // SAFETY: written < all.count, and the bytes are lent for the closure.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written...])
                written += try checked("write") {
                    // SAFETY: the kernel reads `rest.count` bytes and keeps no address.
                    unsafe write(number, rest.baseAddress, rest.count)
                }
            }
        }
    }
}
