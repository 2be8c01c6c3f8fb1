import ListAPI
import System

enum HealthCheck {
    private static let timeout = Duration.seconds(3)

    static func run(_ configuration: Configuration) throws(Failure) {
        let deadline = ContinuousClock.now + timeout
        let host = reachable(configuration.host)
        do {
            guard let address = try address(of: host, port: configuration.port) else {
                throw AddressError.unknownHost(host)
            }
            let connection = try FileDescriptor.connected(to: address, until: deadline)
            try ask(connection)
            let line = try response(connection, until: deadline)
            guard line.hasPrefix("HTTP/1.1 200 ") else {
                throw Failure(.unavailable, "the server at \(address) responded '\(line)'")
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            let isFile = host.hasPrefix("unix:")
            let location = isFile ? host : "\(host), port \(configuration.port)"
            throw Failure(.unavailable, "no server responds at \(location)")
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

    private static func response(
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
