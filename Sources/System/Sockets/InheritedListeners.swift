import Glibc

/// Sockets that a service manager opened before it started this process (sd_listen_fds(3)).
package enum InheritedListeners {
    private static let firstDescriptor: Int32 = 3
    private static let largestCount = 256

    /// `LISTEN_FDS`, if `LISTEN_PID` names this process; else 0.
    package static func count(
        in environment: [String: String]
    ) throws(InheritanceError) -> Int {
        // Variables for another process are ignored.
        guard environment["LISTEN_PID"] == "\(getpid())", let text = environment["LISTEN_FDS"]
        else { return 0 }
        guard let count = Int(text), (1...largestCount).contains(count) else {
            throw .invalidCount(text)
        }
        return count
    }

    /// Called once for each socket.
    ///
    /// The first index is 0. The listener is non-blocking and close-on-exec. Fails if the socket
    /// does not listen for streams.
    package static func take(_ index: Int) throws(InheritanceError) -> Listener {
        let rawValue = firstDescriptor + Int32(index)
        guard fcntl(rawValue, F_GETFD) != -1 else { throw .noListener(descriptor: rawValue) }
        let descriptor = FileDescriptor(adopting: rawValue)
        guard option(SO_ACCEPTCONN, of: rawValue) == 1,
            option(SO_TYPE, of: rawValue) == Int32(SOCK_STREAM.rawValue),
            fcntl(rawValue, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(rawValue, F_SETFL, O_NONBLOCK) == 0,
            let address = try? SocketAddress(of: descriptor), address.isIP || address.path != nil
        else { throw .noListener(descriptor: rawValue) }
        return Listener(adopting: descriptor)
    }

    private static func option(_ option: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // SAFETY: the kernel writes four bytes during the call only.
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, option, &value, &length)
        return result == 0 ? value : nil
    }
}

package enum InheritanceError: Error, Hashable, Sendable {
    /// `LISTEN_FDS` is not a number from 1 to 256.
    case invalidCount(String)
    /// The descriptor is not open, or not a socket that listens for TCP or Unix connections.
    case noListener(descriptor: Int32)
}
