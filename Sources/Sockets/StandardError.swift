import Glibc

/// The process's second output, for messages and logs.
package enum StandardError {
    /// Whether a person reads it, on a terminal.
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a text; what cannot be written is lost, as there is nowhere else to say so.
    package static func write(_ text: String) { Stream.write(Array(text.utf8), to: STDERR_FILENO) }
}

/// The process's first output, for what was asked for.
package enum StandardOutput {
    /// Writes a text; what cannot be written is lost.
    package static func write(_ text: String) { Stream.write(Array(text.utf8), to: STDOUT_FILENO) }

    /// Writes bytes, all of them.
    ///
    /// - Throws: ``SystemError`` when they cannot be, on a full disk for example.
    package static func write(_ bytes: [UInt8]) throws(SystemError) {
        if let code = Stream.write(bytes, to: STDOUT_FILENO) {
            throw SystemError(call: "write", code: code)
        }
    }
}

/// Writing to descriptors, to the end.
enum Stream {
    /// Writes all bytes; the result is why they could not be written, if so.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                // SAFETY: written < all.count; the kernel keeps no pointer after the call.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            guard count > 0 || (count == -1 && errno == EINTR) else { return errno }
            written += max(0, count)
        }
        return nil
    }
}
