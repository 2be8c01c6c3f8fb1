import Glibc

extension Descriptor {
    /// What became of one attempt to take bytes from a connection.
    package enum Received: Equatable, Sendable {
        /// So many bytes were taken, at least one.
        case bytes(Int)

        /// The peer has sent nothing more yet.
        case nothingYet

        /// The peer sends nothing more.
        case endOfInput
    }

    /// What became of one attempt to give bytes to a connection.
    package enum Sent: Equatable, Sendable {
        /// So many bytes were taken by the kernel, at least one unless none were offered.
        case bytes(Int)

        /// The send queue is full.
        case queueFull
    }

    /// Takes what a connection has received, without waiting.
    ///
    /// - Parameter room: Where the bytes go, from its front on; not empty.
    /// - Returns: How many were taken, if any.
    /// - Throws: ECONNRESET and the like; the connection is of no more use then.
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

    /// Gives bytes of two places to a connection in one call, without waiting and without SIGPIPE.
    ///
    /// - Parameters:
    ///   - first: What goes first; may be empty.
    ///   - second: What follows; may be empty.
    /// - Returns: How many were taken, if any.
    /// - Throws: EPIPE, ECONNRESET and the like; the connection is of no more use then.
    package borrowing func send(
        _ first: borrowing Span<UInt8>,
        _ second: borrowing Span<UInt8>
    ) throws(SystemError) -> Sent {
        let rawValue = rawValue
        do throws(SystemError) {
            // SAFETY: both spans are borrowed for the call and lent on for its time only.
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
        // SAFETY: the kernel only reads the bytes, during the call, although iovec's type would let it
        // write; both buffers outlive the call.
        let pieces = unsafe (
            iovec(iov_base: .init(mutating: first.baseAddress), iov_len: first.count),
            iovec(iov_base: .init(mutating: second.baseAddress), iov_len: second.count)
        )
        return try unsafe withUnsafePointer(to: pieces) { pointer throws(SystemError) in
            try unsafe pointer.withMemoryRebound(to: iovec.self, capacity: 2) {
                (pieces) throws(SystemError) in
                // SAFETY: the pieces live until the call returns, and it keeps no pointer.
                var message = unsafe msghdr()
                unsafe message.msg_iov = UnsafeMutablePointer(mutating: pieces)
                unsafe message.msg_iovlen = 2
                return try checked("sendmsg") {
                    unsafe sendmsg(rawValue, &message, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    /// Gives bytes of a file to a connection without copying them through this process.
    ///
    /// The process must ignore SIGPIPE: this call has no way to hold it back.
    ///
    /// - Parameters:
    ///   - file: An open file.
    ///   - offset: Where the bytes begin in it; its own position stays as it is.
    ///   - count: How many, at least one.
    /// - Returns: How many were taken, if any.
    /// - Throws: EPIPE, ECONNRESET and the like, and ENODATA when the file ends before; the
    ///   connection is of no more use then.
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

    /// Says that nothing more will be sent; receiving goes on.
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
