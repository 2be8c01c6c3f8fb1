package import Bytes
import Glibc
import Locks

/// The process's second output, for messages and logs.
package enum StandardError {
    /// The thread that writes; nil where every caller writes itself.
    private static let writer = Locked<LogWriter?>(nil)

    /// Whether a person reads it, on a terminal.
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The lines that were dropped because nobody read them or they could not be written.
    package static var lostLines: Int { writer.withLock { $0 }?.lostLines ?? 0 }

    /// Leaves all writing to a thread from now on, so that no other thread waits for a reader.
    ///
    /// A second call has no effect. The process ignores SIGPIPE from then on.
    ///
    /// - Parameter notice: Makes the line that reports lost lines, its end included.
    /// - Throws: ``SystemError`` when there is no descriptor or no thread left.
    package static func writeByThread(
        notice: @escaping @Sendable (LogLoss) -> String
    ) throws(SystemError) {
        try writer.withLock { writer throws(SystemError) in
            if writer == nil { writer = try LogWriter(to: STDERR_FILENO, notice: notice) }
        }
    }

    /// Waits until the thread has written what it was left, or given it up.
    ///
    /// - Parameter timeout: The longest wait.
    package static func flush(within timeout: Duration) {
        writer.withLock { $0 }?.flush(within: timeout)
    }

    /// Calls a closure when all that was written before has left the process; at once where no thread
    /// writes.
    package static func whenWritten(_ job: @escaping @Sendable () -> Void) {
        guard let writer = writer.withLock({ $0 }) else { return job() }
        writer.whenWritten(job)
    }

    /// Writes a text; one that cannot be written is lost, as there is no other place to report it.
    package static func write(_ text: String) {
        guard let writer = writer.withLock({ $0 }) else {
            Stream.write(Array(text.utf8), to: STDERR_FILENO)
            return
        }
        writer.write(text.utf8.span)
    }

    /// Writes the bytes of a buffer, like ``write(_:)-(String)``.
    package static func write(_ buffer: borrowing ByteBuffer) {
        guard let writer = writer.withLock({ $0 }) else {
            Stream.write(buffer.array(), to: STDERR_FILENO)
            return
        }
        buffer.withBytes { writer.write($0) }
    }
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
