import Foundation
import System
import TestSupport

final class PeerServer {
    enum Kind: String, CaseIterable {
        case nginx
        case apache2
        case haproxy

        /// Where the program is; nil where it is not installed.
        var program: String? {
            ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"]
                .map { $0 + rawValue }
                .first(where: FileManager.default.isExecutableFile)
        }
    }

    let port: UInt16

    private let folder: ScratchFolder
    private let process = Process()

    /// Starts a server that reads each request with its body, answers it with 200 and the path of
    /// `Vector.last` with 307, and gives up what takes two seconds.
    convenience init(_ kind: Kind) throws {
        let (port, inner) = (try Self.freePort(), try Self.freePort())
        try self.init(kind, port: port) { folder in
            switch kind {
            case .nginx: Self.nginx(port: port, folder: folder)
            case .apache2: Self.apache(port: port, inner: inner, folder: folder)
            case .haproxy: Self.haproxy(port: port)
            }
        }
    }

    /// Starts a proxy that shares requests out to servers of this machine and asks another one
    /// where one is gone.
    convenience init(_ kind: Kind, before servers: [UInt16]) throws {
        precondition(kind != .apache2, "no settings for a proxy by \(kind)")
        let port = try Self.freePort()
        try self.init(kind, port: port) { folder in
            kind == .nginx
                ? Self.nginx(port: port, folder: folder, before: servers)
                : Self.haproxy(port: port, before: servers)
        }
    }

    private init(_ kind: Kind, port: UInt16, settings: (_ folder: String) -> String) throws {
        self.port = port
        folder = try ScratchFolder()
        try folder.write(Array(settings(folder.path).utf8), to: "settings")
        let file = folder.path + "/settings"
        let arguments =
            switch kind {
            case .nginx: ["-c", file, "-p", folder.path]
            case .apache2: ["-D", "FOREGROUND", "-f", file]
            case .haproxy: ["-q", "-f", file]
            }
        // Whatever becomes of the tests, it ends by itself.
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["600", kind.program ?? kind.rawValue] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntilListening()
    }

    deinit {
        // With its program: `timeout` leads a process group of the two.
        kill(-process.processIdentifier, SIGKILL)
    }

    func connect() throws -> RawConnection { try RawConnection(port: port) }

    /// A port that is free now; nobody takes it before the server but by chance.
    private static func freePort() throws -> UInt16 {
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0]
        return try Listener(address).address.port
    }

    private func waitUntilListening() throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while (try? RawConnection(port: port)) == nil {
            guard process.isRunning, .now < deadline else { throw PeerServerError.notStarted }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }
}

enum PeerServerError: Error {
    case notStarted
}
