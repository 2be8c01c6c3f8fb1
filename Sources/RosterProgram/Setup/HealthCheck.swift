import ListAPI
import System

/// A liveness check of a running server, for containers without an HTTP client.
enum HealthCheck {
    private static let patience = Duration.seconds(3)

    /// Sends a liveness probe to the configured host and port.
    ///
    /// - Throws: ``Failure`` when the server does not respond with 200 in time.
    static func run(_ configuration: Configuration) throws(Failure) {
        let deadline = ContinuousClock.now + patience
        let host = reachable(configuration.host)
        do {
            guard let address = try address(of: host, port: configuration.port) else {
                throw AddressError.unknownHost(host)
            }
            let connection = try FileDescriptor.connected(to: address, until: deadline)
            try ask(connection)
            let line = try answer(connection, until: deadline)
            guard line.hasPrefix("HTTP/1.1 200 ") else {
                throw Failure(.unavailable, "the server at \(address) responded '\(line)'")
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            let isFile = host.hasPrefix("unix:")
            let place = isFile ? host : "\(host), port \(configuration.port)"
            throw Failure(.unavailable, "no server responds at \(place)")
        }
    }

    private static func address(
        of host: String,
        port: UInt16
    ) throws(AddressError) -> SocketAddress? {
        guard host.hasPrefix("unix:") else {
            return try SocketAddress.resolve(host: host, port: port).first
        }
        return SocketAddress(path: String(host.dropFirst(5)))
    }

    /// Returns the loopback address of a server that listens on all addresses.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    private static func ask(_ connection: borrowing FileDescriptor) throws(SystemError) {
        let request = Array(
            "GET /-/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8
        )
        let nothing: [UInt8] = []
        _ = try connection.send(request.span, nothing.span)
    }

    /// Returns the status line, as far as it arrives before the deadline.
    private static func answer(
        _ connection: borrowing FileDescriptor,
        until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> String {
        var text: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 512)
        while !text.contains(UInt8(ascii: "\n")),
            try connection.wait(for: .reading, until: deadline)
        {
            var span = room.mutableSpan
            switch try connection.receive(into: &span) {
            case .bytes(let count): text += room[..<count]
            case .nothingYet: continue
            case .endOfInput: return String(decoding: text, as: UTF8.self)
            }
        }
        return String(decoding: text.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }
}
