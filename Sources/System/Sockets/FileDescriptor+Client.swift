import Glibc

extension FileDescriptor {
    /// Connects to an address.
    ///
    /// - Parameters:
    ///   - address: The address to connect to.
    ///   - source: The local address; nil lets the kernel choose.
    ///   - deadline: The time to give up.
    /// - Returns: A connection that does not block.
    /// - Throws: The error of socket or connect; ETIMEDOUT at the deadline.
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

    /// Waits for one descriptor, without an event loop.
    ///
    /// - Parameters:
    ///   - interest: The events to wait for. An error or a hang-up ends the wait as well.
    ///   - deadline: The time to give up.
    /// - Returns: Whether an event came before the deadline.
    /// - Throws: The error of poll.
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

    /// Returns and clears the error of a background operation, 0 for none.
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
