import CLinux
import Glibc

package struct Listener: ~Copyable {
    /// To be watched for reading.
    package let descriptor: FileDescriptor

    package enum Accepted: ~Copyable {
        /// Non-blocking and close-on-exec.
        case connection(FileDescriptor)

        case nobody

        /// A client gave up before it was accepted, and the next may be waiting.
        case goneAlready

        /// The process or the machine has no descriptor or memory for another connection now.
        ///
        /// Or the call fails in another way that an immediate retry does not change.
        case impossible(SystemError)
    }

    /// Binds an address exclusively and listens on it.
    ///
    /// The port is shared with no other socket, whatever options that has set. The kernel refuses a
    /// second server on the port, instead of sending it every other connection.
    ///
    /// Port 0 requests any free port. The backlog is that of connections completed before they are
    /// accepted, limited by somaxconn. See `SystemError.isAddressInUse`.
    package init(_ address: SocketAddress, backlog: Int32 = 1_024) throws(SystemError) {
        let descriptor = try Self.socket(for: address)
        try Self.bind(descriptor, to: address)
        try Self.listen(descriptor, backlog: backlog)
        self.init(adopting: descriptor)
    }

    /// Opens a second listener on this one's address, so that the kernel spreads connections over
    /// both.
    ///
    /// Call it before connections are accepted. Only a socket of the same user that requests
    /// sharing first could join, and `init(_:backlog:)` does not.
    package borrowing func sibling(backlog: Int32 = 1_024) throws(SystemError) -> Listener {
        let address = try SocketAddress(of: descriptor)
        try descriptor.setOption(SOL_SOCKET, SO_REUSEPORT, to: 1)
        let sibling = try Self.socket(for: address)
        try sibling.setOption(SOL_SOCKET, SO_REUSEPORT, to: 1)
        try Self.bind(sibling, to: address)
        try Self.listen(sibling, backlog: backlog)
        return Listener(adopting: sibling)
    }

    init(adopting descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    package borrowing func duplicate() throws(SystemError) -> Listener {
        let rawValue = descriptor.rawValue
        let copy = try checked("fcntl") { fcntl(rawValue, F_DUPFD_CLOEXEC, 0) }
        return Listener(adopting: FileDescriptor(adopting: copy))
    }

    package var address: SocketAddress {
        get throws(SystemError) { try SocketAddress(of: descriptor) }
    }

    package borrowing func accept() -> Accepted {
        let rawValue = descriptor.rawValue
        do throws(SystemError) {
            let connection = try checked("accept4") { clinux_accept(rawValue) }
            return .connection(FileDescriptor(adopting: connection))
        } catch {
            return switch error.code {
            case EAGAIN: .nobody
            // Errors on the network path to a client that has already gone (accept(2)).
            case ECONNABORTED, EPROTO, ENOPROTOOPT, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH,
                ENONET, EOPNOTSUPP, ETIMEDOUT, EPERM:
                .goneAlready
            default: .impossible(error)
            }
        }
    }

    private static func socket(for address: SocketAddress) throws(SystemError) -> FileDescriptor {
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let rawValue = try checked("socket") {
            Glibc.socket(address.family, Int32(type), 0)
        }
        let descriptor = FileDescriptor(adopting: rawValue)
        guard address.isIP else { return descriptor }
        // A port is free again at once after its server has ended, even while connections linger.
        try descriptor.setOption(SOL_SOCKET, SO_REUSEADDR, to: 1)
        if address.isIPv6 {
            // "::" accepts IPv4 as well. For other addresses the option makes no difference.
            try descriptor.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
        }
        return descriptor
    }

    static func bind(
        _ descriptor: borrowing FileDescriptor,
        to address: SocketAddress
    ) throws(SystemError) {
        let rawValue = descriptor.rawValue
        _ = try checked("bind") {
            // SAFETY: the kernel reads the address during the call only.
            unsafe address.withAddress { unsafe Glibc.bind(rawValue, $0, address.addressLength) }
        }
    }

    private static func listen(
        _ descriptor: borrowing FileDescriptor,
        backlog: Int32
    ) throws(SystemError) {
        let rawValue = descriptor.rawValue
        _ = try checked("listen") { Glibc.listen(rawValue, backlog) }
    }
}

extension FileDescriptor {
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
