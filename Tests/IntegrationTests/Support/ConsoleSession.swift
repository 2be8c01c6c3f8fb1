import Foundation
import Testing

final class ConsoleSession {
    private let folder: TemporaryFolder
    private var server: RosterProcess?
    private var addresses: [(shown: String, real: String)] = []

    init() throws { folder = try TemporaryFolder() }

    /// Stops the server, and starts another one with arguments.
    ///
    /// The arguments are read by a shell. A port for operators that a page shows becomes a free one.
    func startServer(_ arguments: String?) throws {
        addresses = []
        if let server { try server.stop() }
        server = nil
        guard let arguments else { return }
        let shown = "127.0.0.1:9100"
        let hasOperations = arguments.contains("--operations-port \(shown)")
        let words = arguments.replacing(shown, with: "127.0.0.1:0")
        let server = try RosterProcess(
            ["-c", "exec '\(RosterProcess.program.path)' \(words)"],
            environment: ["ROSTER_PORT": "0", "ROSTER_DRAIN_DELAY": "0"],
            program: URL(filePath: "/bin/sh"),
            folder: folder.url
        )
        self.server = server
        let line = try server.waitForLine {
            $0.contains("serving ") && ($0.contains(" at http://") || $0.contains(" at unix:"))
        }
        try #require(line != nil, "roster \(arguments) ended: \(server.lines)")
        if let port = try? server.port {
            addresses.append((shown: "127.0.0.1:8080", real: "127.0.0.1:\(port)"))
        }
        guard hasOperations else { return }
        let operations = try server.waitForLine { $0.contains("operations at http://") }
        let match = try #require(operations?.firstMatch(of: /http:\/\/([0-9.]+:[0-9]+)\//))
        addresses.append((shown: shown, real: String(match.1)))
    }

    func run(_ command: String) throws -> (status: Int32, output: String) {
        let text = addresses.reduce(command) { $0.replacing($1.shown, with: $1.real) }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", text]
        process.currentDirectoryURL = folder.url
        let programs = RosterProcess.program.deletingLastPathComponent().path
        process.environment = ["PATH": "\(programs):/usr/local/bin:/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let printed = addresses.reduce(String(decoding: bytes, as: UTF8.self)) {
            $0.replacing($1.real, with: $1.shown)
        }
        return (process.terminationStatus, printed)
    }
}
