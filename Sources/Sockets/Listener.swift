import CLinux
import Glibc

/// A socket that takes connections.
package struct Listener: ~Copyable {
    /// What the event loop watches, for reading.
    package let descriptor: Descriptor

    /// What became of one attempt to take a connection.
    package enum Accepted: ~Copyable {
        /// A connection, not blocking, closed when a program is executed.
        case connection(Descriptor)

        /// Nobody is waiting.
        case nobody

        /// A client gave up before it was taken; the next may be waiting.
        case goneAlready

        /// The process or the machine has no descriptor or memory for another connection now; or
        /// the call fails in a way that will not change by trying again at once.
        case impossible(SystemError)
    }

    /// Binds an address and listens on it, alone.
    ///
    /// The port is shared with no other socket, whatever that has set: a second server on the same
    /// port is refused by the kernel instead of being given every other connection.
    ///
    /// - Parameters:
    ///   - address: Port 0 for any free port.
    ///   - backlog: Connections the kernel completes before they are taken; at most its somaxconn.
    /// - Throws: What socket, bind and listen report; see `SystemError.isAddressInUse`.
    package init(_ address: SocketAddress, backlog: Int32 = 1_024) throws(SystemError) {
        let descriptor = try Self.socket(for: address)
        try Self.bind(descriptor, to: address)
        try Self.listen(descriptor, backlog: backlog)
        self.init(adopting: descriptor)
    }

    /// Opens a second listener on this one's address; the kernel spreads connections over both.
    ///
    /// Call it before connections are taken. No other program's socket can join unless the same user
    /// runs it and it asks for sharing before anything else, which `init(_:backlog:)` does not.
    package borrowing func sibling(backlog: Int32 = 1_024) throws(SystemError) -> Listener {
        let address = try SocketAddress(of: descriptor)
        try descriptor.setOption(SOL_SOCKET, SO_REUSEPORT, to: 1)
        let sibling = try Self.socket(for: address)
        try sibling.setOption(SOL_SOCKET, SO_REUSEPORT, to: 1)
        try Self.bind(sibling, to: address)
        try Self.listen(sibling, backlog: backlog)
        return Listener(adopting: sibling)
    }

    init(adopting descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// Opens another descriptor of this very socket, for a loop that shares it.
    package borrowing func duplicate() throws(SystemError) -> Listener {
        let rawValue = descriptor.rawValue
        let copy = try checked("fcntl") { fcntl(rawValue, F_DUPFD_CLOEXEC, 0) }
        return Listener(adopting: Descriptor(adopting: copy))
    }

    /// The address bound, with its port.
    package var address: SocketAddress {
        get throws(SystemError) { try SocketAddress(of: descriptor) }
    }

    /// Takes the connection that waits longest.
    package borrowing func accept() -> Accepted {
        let rawValue = descriptor.rawValue
        do throws(SystemError) {
            let connection = try checked("accept4") { clinux_accept(rawValue) }
            return .connection(Descriptor(adopting: connection))
        } catch {
            return switch error.code {
            case EAGAIN: .nobody
            // What went wrong on the way to a client that is not there any more (accept(2)).
            case ECONNABORTED, EPROTO, ENOPROTOOPT, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH,
                ENONET, EOPNOTSUPP, ETIMEDOUT, EPERM:
                .goneAlready
            default: .impossible(error)
            }
        }
    }

    private static func socket(for address: SocketAddress) throws(SystemError) -> Descriptor {
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let rawValue = try checked("socket") {
            Glibc.socket(address.family, Int32(type), 0)
        }
        let descriptor = Descriptor(adopting: rawValue)
        guard address.isIP else { return descriptor }
        // A port is free again at once after its server has ended, though connections linger.
        try descriptor.setOption(SOL_SOCKET, SO_REUSEADDR, to: 1)
        if address.isIPv6 {
            // "::" takes IPv4 as well; for other addresses it makes no difference.
            try descriptor.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
        }
        return descriptor
    }

    static func bind(
        _ descriptor: borrowing Descriptor,
        to address: SocketAddress
    ) throws(SystemError) {
        let rawValue = descriptor.rawValue
        _ = try checked("bind") {
            // SAFETY: the kernel reads the address during the call only.
            unsafe address.withAddress { unsafe Glibc.bind(rawValue, $0, address.addressLength) }
        }
    }

    private static func listen(
        _ descriptor: borrowing Descriptor,
        backlog: Int32
    ) throws(SystemError) {
        let rawValue = descriptor.rawValue
        _ = try checked("listen") { Glibc.listen(rawValue, backlog) }
    }
}

extension Descriptor {
    /// Sets an integer option of a socket.
    borrowing func setOption(_ level: Int32, _ option: Int32, to value: Int32) throws(SystemError) {
        let rawValue = rawValue
        _ = try checked("setsockopt") {
            unsafe withUnsafePointer(to: value) { pointer in
                // SAFETY: the kernel reads four bytes during the call only.
                unsafe setsockopt(
                    rawValue,
                    level,
                    option,
                    pointer,
                    socklen_t(MemoryLayout<Int32>.size)
                )
            }
        }
    }
}
