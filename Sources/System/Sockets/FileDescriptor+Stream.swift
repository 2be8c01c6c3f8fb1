import Glibc

extension FileDescriptor {
    package enum Received: Equatable, Sendable {
        /// At least one.
        case bytes(Int)

        case nothingYet

        case endOfInput
    }

    package enum Sent: Equatable, Sendable {
        /// Bytes that the kernel has taken, at least one unless none were offered.
        case bytes(Int)

        case queueFull
    }

    /// Does not wait.
    ///
    /// Fills the room from its front, which is not empty. The connection is unusable after an error
    /// such as ECONNRESET.
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
    /// Either buffer may be empty. The connection is unusable after an error such as EPIPE.
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
    /// The file's own position does not change. There is at least one byte to send. Fails with
    /// ENODATA if the file ends early. The connection is unusable after an error.
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

    /// Returns the number of sent bytes that the receiver's system has not acknowledged
    /// (SIOCOUTQ in tcp(7)).
    package borrowing func unsentBytes() throws(SystemError) -> Int {
        let rawValue = rawValue
        var count: Int32 = 0
        _ = try checked("ioctl") {
            // SAFETY: the kernel writes the number during the call only.
            unsafe ioctl(rawValue, UInt(TIOCOUTQ), &count)
        }
        return Int(count)
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

extension FileDescriptor {
    /// Without a source, the kernel chooses the local address.
    ///
    /// The connection does not block. Fails with ETIMEDOUT at the deadline.
    package static func connected(
        to address: SocketAddress,
        from source: SocketAddress? = nil,
        until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> FileDescriptor {
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let rawValue = try checked("socket") {
            socket(address.family, Int32(type), 0)
        }
        let descriptor = FileDescriptor(adopting: rawValue)
        if let source { try Listener.bind(descriptor, to: source) }
        do throws(SystemError) {
            _ = try checked("connect") {
                // SAFETY: the kernel reads the address during the call only.
                unsafe address.withAddress { unsafe connect(rawValue, $0, address.addressLength) }
            }
        } catch {
            guard error.code == EINPROGRESS || error.code == EALREADY else { throw error }
            guard try descriptor.wait(for: .writing, until: deadline) else {
                throw SystemError(call: "connect", code: ETIMEDOUT)
            }
            let code = try descriptor.pendingError()
            guard code == 0 else { throw SystemError(call: "connect", code: code) }
        }
        return descriptor
    }

    /// Does not need an event loop.
    ///
    /// An error or a hang-up ends the wait as well. False if no event came before the deadline.
    package borrowing func wait(
        for interest: Poller.Interest,
        until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> Bool {
        var entry = pollfd(fd: rawValue, events: 0, revents: 0)
        if interest.contains(.reading) { entry.events |= Int16(POLLIN) }
        if interest.contains(.writing) { entry.events |= Int16(POLLOUT) }
        return try checked("poll") {
            // SAFETY: one entry is borrowed for the call.
            unsafe poll(&entry, 1, deadline.milliseconds(after: .now))
        } > 0
    }

    /// 0 if there is none.
    private borrowing func pendingError() throws(SystemError) -> Int32 {
        let rawValue = rawValue
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        _ = try checked("getsockopt") {
            // SAFETY: the kernel writes four bytes during the call only.
            unsafe getsockopt(rawValue, SOL_SOCKET, SO_ERROR, &code, &length)
        }
        return code
    }
}
