package import Bytes
import Glibc
import Locks

package enum StandardError {
    /// Nil while every caller writes directly.
    private static let writer = Locked<LogWriter?>(nil)

    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The number of lines that were dropped, because the reader was too slow or a write failed.
    package static var lostLines: Int { writer.withLock { $0 }?.lostLines ?? 0 }

    /// Moves all writing to a thread, so that no other thread waits for a reader.
    ///
    /// A second call has no effect. The process ignores SIGPIPE and SIGXFSZ from then on.
    ///
    /// `notice` makes the line that reports lost lines, its end included.
    package static func writeByThread(
        notice: @escaping @Sendable (LogLoss) -> String
    ) throws(SystemError) {
        try writer.withLock { writer throws(SystemError) in
            if writer == nil { writer = try LogWriter(to: STDERR_FILENO, notice: notice) }
        }
    }

    /// Waits until the thread has written or dropped all lines.
    package static func flush(within timeout: Duration) {
        writer.withLock { $0 }?.flush(within: timeout)
    }

    /// Calls a closure when all earlier output is written.
    ///
    /// Without a writing thread it is called at once.
    package static func whenWritten(_ job: @escaping @Sendable () -> Void) {
        guard let writer = writer.withLock({ $0 }) else { return job() }
        writer.whenWritten(job)
    }

    /// The text is lost if the write fails, because no other place can report it.
    package static func write(_ text: String) {
        guard let writer = writer.withLock({ $0 }) else {
            Stream.write(Array(text.utf8), to: STDERR_FILENO)
            return
        }
        writer.write(text.utf8.span)
    }

    package static func write(_ buffer: borrowing ByteBuffer) {
        guard let writer = writer.withLock({ $0 }) else {
            Stream.write(buffer.array(), to: STDERR_FILENO)
            return
        }
        buffer.withBytes { writer.write($0) }
    }
}

package enum StandardOutput {
    /// Bytes that cannot be written are ignored.
    package static func write(_ text: String) { Stream.write(Array(text.utf8), to: STDOUT_FILENO) }

    /// Fails on a full disk, for example.
    package static func write(_ bytes: [UInt8]) throws(SystemError) {
        if let code = Stream.write(bytes, to: STDOUT_FILENO) {
            throw SystemError(call: "write", code: code)
        }
    }
}

enum Stream {
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                // SAFETY: written < all.count; the kernel stores no pointer after the call.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            guard count > 0 || (count == -1 && errno == EINTR) else { return errno }
            written += max(0, count)
        }
        return nil
    }
}
