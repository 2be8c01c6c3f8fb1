import Glibc

/// A file without a name, which is deleted with its last user, however that one ends.
package final class TemporaryFile: Sendable {
    private let descriptor: FileDescriptor

    /// The bytes are stored in the folder.
    package init(in folder: String) throws(SystemError) {
        let path = "\(folder)/roster-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let number = try checked("open") {
            // SAFETY: the path lives for the call.
            unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        }
        descriptor = FileDescriptor(adopting: number)
        // SAFETY: the path lives for the call. If the name cannot be removed, only a file remains.
        _ = unsafe unlink(path)
    }

    /// Valid as long as this object lives.
    package var number: Int32 { descriptor.rawValue }

    /// After an error, for example on a full disk, some bytes may have been written.
    package func append(_ bytes: borrowing Span<UInt8>) throws(SystemError) {
        let number = number
        // SAFETY: the bytes are borrowed for the closure, which stores no address.
        try unsafe bytes.withUnsafeBytes { (all) throws(SystemError) in
            var written = 0
            while written < all.count {
                // SAFETY: written < all.count, and the bytes are borrowed for the closure.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written...])
                written += try checked("write") {
                    // SAFETY: the kernel reads `rest.count` bytes and stores no address.
                    unsafe write(number, rest.baseAddress, rest.count)
                }
            }
        }
    }
}

extension TemporaryFile {
    /// Appends all bytes of standard input.
    ///
    /// The closure receives the number of bytes so far, after each read.
    package func appendInput(onProgress: (Int) -> Void) throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        var total = 0
        while true {
            let count = try checked("read") {
                // SAFETY: the kernel writes at most the bytes that the array has.
                unsafe Glibc.read(STDIN_FILENO, &chunk, chunk.count)
            }
            guard count > 0 else { return }
            try append(chunk.span.extracting(0..<count))
            total += count
            onProgress(total)
        }
    }
}

package enum TextFile {
    /// Replaces an existing file.
    package static func write(_ text: String, to path: String) throws(SystemError) {
        // SAFETY: the path lives for the call.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
        defer { close(descriptor) }
        if let code = Stream.write(Array(text.utf8), to: descriptor) {
            throw SystemError(call: "write", code: code)
        }
    }
}
