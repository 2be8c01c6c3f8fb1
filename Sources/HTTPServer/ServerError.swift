public import HTTP
import Sockets

/// Why a server does not start.
public enum ServerError: Error, Equatable, Sendable {
    /// The resolver knows no address of the host.
    case unknownHost(String)

    /// Another socket listens on the address.
    case addressInUse(host: String, port: Int)

    /// The process lacks the right to listen there, as on ports below 1024.
    case permissionDenied(host: String, port: Int)

    /// The address belongs to no interface of this machine.
    case addressUnavailable(host: String, port: Int)

    /// A limit is out of its range.
    case invalidLimit(HTTPLimitError)

    /// The process may not open enough descriptors for so many connections.
    case tooFewDescriptors(connections: Int, descriptorLimit: Int)

    /// A system call failed for another reason, with this value of errno.
    case systemCallFailed(name: String, code: Int32)

    init(_ error: SystemError) {
        self = .systemCallFailed(name: error.call, code: error.code)
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
