public import HTTP
import System

/// The reason why a server does not start.
public enum ServerError: Error, Equatable, Sendable {
    /// The resolver knows no address of the host.
    case unknownHost(String)

    /// Another socket listens on the address.
    case addressInUse(host: String, port: Int)

    /// The process lacks the right to listen there, as on ports below 1024.
    case permissionDenied(host: String, port: Int)

    /// The address belongs to no interface of this machine.
    case addressUnavailable(host: String, port: Int)

    /// Another server listens at the path of a Unix socket.
    case socketInUse(path: String)

    /// Another file exists at the path of a Unix socket.
    case socketOccupied(path: String)

    /// A Unix socket cannot be created at the path, with this value of errno.
    case socketUnusable(path: String, code: Int32)

    /// The path of a Unix socket is empty or longer than `longest` bytes.
    case invalidSocketPath(path: String, longest: Int)

    /// An inherited descriptor is not a socket that listens for TCP or Unix connections.
    case notAListener(descriptor: Int32)

    /// A limit is out of range.
    case invalidLimit(HTTPLimitError)

    /// The process may not open enough descriptors for the connections.
    case tooFewDescriptors(connections: Int, descriptorLimit: Int)

    /// A system call failed for another reason, with this value of errno.
    case systemCallFailed(name: String, code: Int32)

    init(_ error: SystemError) {
        self = .systemCallFailed(name: error.call, code: error.code)
    }

    init(_ error: SocketFileError, at path: String) {
        switch error {
        case .invalidPath:
            self = .invalidSocketPath(path: path, longest: SocketAddress.longestPath)
        case .inUse: self = .socketInUse(path: path)
        case .occupied: self = .socketOccupied(path: path)
        case .systemCallFailed(let error): self = .socketUnusable(path: path, code: error.code)
        }
    }

    init(_ error: InheritanceError) {
        switch error {
        case .noListener(let descriptor): self = .notAListener(descriptor: descriptor)
        case .invalidCount: preconditionFailure("\(error) of a number")
        }
    }

    init(_ error: SystemError, listeningOn host: String, port: UInt16) {
        let port = Int(port)
        if error.isAddressInUse {
            self = .addressInUse(host: host, port: port)
        } else if error.isPermission {
            self = .permissionDenied(host: host, port: port)
        } else if error.isAddressUnavailable {
            self = .addressUnavailable(host: host, port: port)
        } else {
            self.init(error)
        }
    }
}
