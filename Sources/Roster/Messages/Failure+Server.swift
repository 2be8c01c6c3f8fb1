import HTTPServer
import ListAPI
import System

extension Failure {
    /// Creates the message about a server that does not start.
    init(_ error: ServerError) {
        switch error {
        case .unknownHost(let host):
            self.init(.unavailable, "--host: nobody knows the address of '\(host)'")
        case .addressInUse(let host, let port):
            self.init(
                .unavailable,
                "port \(port) at \(host) is in use by another program; choose another by --port"
            )
        case .permissionDenied(let host, let port):
            self.init(
                .unavailable,
                "port \(port) at \(host) is not for this user; ports from 1024 on are"
            )
        case .addressUnavailable(let host, _):
            self.init(.unavailable, "--host: this machine does not have the address \(host)")
        case .socketInUse(let path):
            self.init(.unavailable, "--host: another program listens at unix:\(path)")
        case .socketOccupied(let path):
            self.init(.unavailable, "--host: \(path) is a file, and no socket")
        case .invalidSocketPath(let path, let longest):
            self.init(
                .configuration,
                "--host: 'unix:\(path)' needs a path of 1 to \(longest) bytes behind unix:"
            )
        case .notAListener(let descriptor):
            self.init(
                .unavailable,
                "LISTEN_FDS: descriptor \(descriptor) is no socket that listens for connections"
            )
        case .invalidLimit(let error):
            self.init(.software, "\(error)")
        case .tooFewDescriptors(let connections, let limit):
            self.init(
                .unavailable,
                "\(connections) connections need more than the \(limit) descriptors this process "
                    + "may open; raise the limit by ulimit -n"
            )
        case .systemCallFailed(let name, let code):
            let reason = SystemError(call: name, code: code).reason
            self.init(.inputOutput, "\(name): \(reason)")
        }
    }
}
