import Glibc

/// An output of whole lines to a descriptor.
///
/// It is used by one thread, which may block in ``write(_:)``.
struct LogOutput {
    /// The maximum bytes that a pipe takes without interleaving those of other writers (PIPE_BUF).
    private static let pieceBytes = 4096

    private let descriptor: Int32
    /// Whether a failed write has left the beginning of a line.
    private var isInsideLine = false
    private(set) var error: SystemError?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes lines, in pieces of whole lines.
    ///
    /// Returns the number of lines that were not written, or not to their end.
    mutating func write(_ lines: borrowing Span<UInt8>) -> Int {
        guard !lines.isEmpty else { return 0 }
        if isInsideLine {
            guard write([UInt8(ascii: "\n")].span, from: 0, to: 1) == 1 else {
                return Self.count(lines, from: 0)
            }
            isInsideLine = false
        }
        var start = 0
        while start < lines.count {
            let end = Self.endOfPiece(of: lines, from: start)
            let written = write(lines, from: start, to: end)
            guard written == end else {
                isInsideLine = written > start && lines[written - 1] != UInt8(ascii: "\n")
                return Self.count(lines, from: written)
            }
            start = end
        }
        return 0
    }

    private static func count(_ lines: borrowing Span<UInt8>, from start: Int) -> Int {
        var count = 0
        for index in start..<lines.count where lines[index] == UInt8(ascii: "\n") { count += 1 }
        return count
    }

    /// Returns the end of the last line that ends within a piece, or the end of a longer line.
    private static func endOfPiece(of lines: borrowing Span<UInt8>, from start: Int) -> Int {
        guard lines.count - start > pieceBytes else { return lines.count }
        var end = start + pieceBytes
        while end > start, lines[end - 1] != UInt8(ascii: "\n") { end -= 1 }
        if end > start { return end }
        end = start + pieceBytes
        while end < lines.count, lines[end - 1] != UInt8(ascii: "\n") { end += 1 }
        return end
    }

    private mutating func write(
        _ bytes: borrowing Span<UInt8>,
        from start: Int,
        to end: Int
    ) -> Int {
        var written = start
        while written < end {
            let count = unsafe bytes.withUnsafeBytes { all in
                // SAFETY: written < end <= all.count; the kernel stores no pointer after the call.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written..<end])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                written += count
                continue
            }
            let code = count == 0 ? ENOSPC : errno
            switch code {
            case EINTR: break
            // Another process has made the descriptor non-blocking.
            case EAGAIN: waitForRoom()
            default:
                error = SystemError(call: "write", code: code)
                return written
            }
        }
        return written
    }

    private func waitForRoom() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // SAFETY: one entry is borrowed for the call. A failed wait is followed by another write.
        _ = unsafe poll(&entry, 1, 1_000)
    }
}
