import Glibc

extension FileDescriptor {
    /// The result of one attempt to receive bytes.
    package enum Received: Equatable, Sendable {
        /// The number of bytes received, at least one.
        case bytes(Int)

        /// The peer has sent no further bytes yet.
        case nothingYet

        /// The peer has ended its output.
        case endOfInput
    }

    /// The result of one attempt to send bytes.
    package enum Sent: Equatable, Sendable {
        /// The number of bytes that the kernel has taken, at least one unless none were offered.
        case bytes(Int)

        /// The send queue is full.
        case queueFull
    }

    /// Receives bytes without waiting.
    ///
    /// - Parameter room: The memory for the bytes, filled from its front; not empty.
    /// - Returns: The number of bytes received, if any.
    /// - Throws: ECONNRESET and similar errors. The connection is unusable then.
    package borrowing func receive(
        into room: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Received {
        precondition(!room.isEmpty, "no room to receive into")
        let rawValue = rawValue
        do throws(SystemError) {
            let count = try checked("recv") {
                unsafe room.withUnsafeMutableBufferPointer { bytes in
                    // SAFETY: the kernel writes at most `bytes.count` bytes during the call only.
                    unsafe recv(rawValue, bytes.baseAddress, bytes.count, 0)
                }
            }
            return count == 0 ? .endOfInput : .bytes(count)
        } catch {
            guard error.code == EAGAIN else { throw error }
            return .nothingYet
        }
    }

    /// Sends bytes of two buffers in one call, without waiting and without SIGPIPE.
    ///
    /// - Parameters:
    ///   - first: The first bytes; may be empty.
    ///   - second: The bytes after them; may be empty.
    /// - Returns: The number of bytes sent, if any.
    /// - Throws: EPIPE, ECONNRESET and similar errors. The connection is unusable then.
    package borrowing func send(
        _ first: borrowing Span<UInt8>,
        _ second: borrowing Span<UInt8>
    ) throws(SystemError) -> Sent {
        let rawValue = rawValue
        do throws(SystemError) {
            // SAFETY: both spans are borrowed for the call and passed on for its duration only.
            let count = try unsafe first.withUnsafeBufferPointer { first throws(SystemError) in
                try unsafe second.withUnsafeBufferPointer { second throws(SystemError) in
                    try unsafe Self.send(rawValue, first, second)
                }
            }
            return .bytes(count)
        } catch {
            guard error.code == EAGAIN else { throw error }
            return .queueFull
        }
    }

    private static func send(
        _ rawValue: Int32,
        _ first: UnsafeBufferPointer<UInt8>,
        _ second: UnsafeBufferPointer<UInt8>
    ) throws(SystemError) -> Int {
        // SAFETY: the kernel only reads the bytes, during the call, although iovec's type would let
        // it write. Both buffers outlive the call.
        let pieces = unsafe (
            iovec(iov_base: .init(mutating: first.baseAddress), iov_len: first.count),
            iovec(iov_base: .init(mutating: second.baseAddress), iov_len: second.count)
        )
        return try unsafe withUnsafePointer(to: pieces) { pointer throws(SystemError) in
            try unsafe pointer.withMemoryRebound(to: iovec.self, capacity: 2) {
                (pieces) throws(SystemError) in
                // SAFETY: the pieces live until the call returns, and it stores no pointer.
                var message = unsafe msghdr()
                unsafe message.msg_iov = UnsafeMutablePointer(mutating: pieces)
                unsafe message.msg_iovlen = 2
                return try checked("sendmsg") {
                    unsafe sendmsg(rawValue, &message, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    /// Sends bytes of a file without copying them through this process.
    ///
    /// The process must ignore SIGPIPE, because this call cannot suppress it.
    ///
    /// - Parameters:
    ///   - file: An open file.
    ///   - offset: The offset of the bytes. The file's own position does not change.
    ///   - count: The number of bytes, at least one.
    /// - Returns: The number of bytes sent, if any.
    /// - Throws: EPIPE, ECONNRESET and similar errors; ENODATA if the file ends early. The
    ///   connection is unusable then.
    package borrowing func send(
        file: Int32,
        from offset: Int64,
        count: Int
    ) throws(SystemError) -> Sent {
        let rawValue = rawValue
        var position = off_t(offset)
        do throws(SystemError) {
            let sent = try checked("sendfile") {
                // SAFETY: the kernel writes the new position during the call only.
                unsafe sendfile(rawValue, file, &position, count)
            }
            guard sent > 0 else { throw SystemError(call: "sendfile", code: ENODATA) }
            return .bytes(sent)
        } catch {
            guard error.code == EAGAIN else { throw error }
            return .queueFull
        }
    }

    /// Sends small pieces at once instead of waiting for more to fill a packet (TCP_NODELAY).
    package borrowing func sendWithoutDelay() throws(SystemError) {
        try setOption(Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
    }

    /// Ends the output of the connection, while receiving continues.
    package borrowing func endOutput() throws(SystemError) {
        let rawValue = rawValue
        _ = try checked("shutdown") { shutdown(rawValue, Int32(SHUT_WR)) }
    }

    /// Makes closing drop unsent bytes and reset the connection.
    package borrowing func resetWhenClosed() throws(SystemError) {
        let rawValue = rawValue
        let now = linger(l_onoff: 1, l_linger: 0)
        _ = try checked("setsockopt") {
            unsafe withUnsafePointer(to: now) { pointer in
                // SAFETY: the kernel reads the structure during the call only.
                unsafe setsockopt(
                    rawValue,
                    SOL_SOCKET,
                    SO_LINGER,
                    pointer,
                    socklen_t(MemoryLayout<linger>.size)
                )
            }
        }
    }
}
