import Foundation
import System
import TestSupport
import Testing

@Suite("The program takes what it is started with")
struct ActivationTests {
    private static let request = "GET /-/live HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Runs a line of the shell with the program as `$0`.
    private func shell(
        _ line: String,
        _ arguments: [String],
        input: FileHandle? = nil
    ) throws -> RosterProcess {
        try RosterProcess(
            ["-c", line, RosterProcess.program.path(percentEncoded: false)] + arguments,
            program: URL(filePath: "/bin/bash"),
            input: input
        )
    }

    /// Tries again until something is there, a hundred thousand times at most.
    private func eventually<Value>(_ attempt: () throws -> Value?) throws -> Value {
        for _ in 0..<100_000 {
            if let value = try attempt() { return value }
            sched_yield()
        }
        throw RosterError.neverCame
    }

    private enum RosterError: Error { case neverCame }

    @Test("a socket that is open already is served, whatever the address set", arguments: [1, 3])
    func inheritedSocket(loops: Int) throws {
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0]
        let listener = try Listener(address)
        let port = try listener.address.port
        let input = FileHandle(
            fileDescriptor: listener.descriptor.rawValue,
            closeOnDealloc: false
        )
        let server = try shell(
            #"exec 3<&0 </dev/null; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" "$@""#,
            ["--host", "192.0.2.1", "--loops", "\(loops)"],
            input: input
        )
        let line = try server.waitForLine { $0.contains(" at http://") }
        #expect(line == "roster: serving Users at http://127.0.0.1:\(port)/users")
        for _ in 0..<10 {
            let client = try RawConnection(port: port)
            try client.send(Self.request)
            #expect(try client.receiveResponse().text == "live\n")
        }
        server.send(SIGTERM)
        #expect(try server.waitForEnding().ending == .exit(0))
    }

    @Test("a descriptor that is no listening socket keeps the program from starting")
    func noSocket() throws {
        let run = try shell(
            #"exec 3</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" "$@""#,
            []
        ).waitForEnding()
        #expect(run.ending == .exit(69))
        let text = "LISTEN_FDS: descriptor 3 is no socket that listens for connections"
        #expect(run.lines == ["roster: \(text)"])
    }

    @Test("a Unix socket is served and asked for its health, and its file goes with the program")
    func unixSocket() throws {
        let folder = try TemporaryFolder()
        let host = "unix:" + folder.path("r.sock")
        let server = try RosterProcess(["--host", host])
        let line = try server.waitForLine { $0.contains("serving") }
        #expect(line == "roster: serving Users at \(host), /users")
        let client = try RawConnection(path: folder.path("r.sock"))
        try client.send(Self.request)
        #expect(try client.receiveResponse().text == "live\n")
        #expect(try RosterProcess.run(["--health", "--host", host]).ending == .exit(0))
        let second = try RosterProcess.run(["--host", host])
        #expect(second.ending == .exit(69))
        #expect(second.lines == ["roster: --host: another program listens at \(host)"])
        try server.stop()
        #expect(!FileManager.default.fileExists(atPath: folder.path("r.sock")))
        #expect(try RosterProcess.run(["--health", "--host", host]).ending == .exit(69))
    }

    @Test("no socket becomes standard error where the program is started without one")
    func closedDescriptors() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("r.sock")
        let line = #"exec "$0" "$@" <&- >&- 2>&-"#
        let server = try shell(
            line,
            ["--host", "unix:\(path)", "--access-log", "--log-format", "json"]
        )
        let client = try eventually { try? RawConnection(path: path) }
        try client.send(Self.request + Self.request)
        #expect(try client.receiveResponse().text == "live\n")
        #expect(try client.receiveResponse().text == "live\n")
        for descriptor in 0...2 {
            let link = "/proc/\(server.identifier)/fd/\(descriptor)"
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            #expect(target == "/dev/null")
        }
        try server.stop()
    }

    @Test("a log file takes everything that is said, and SIGHUP opens it anew")
    func logFile() throws {
        let folder = try TemporaryFolder()
        let (path, log) = (folder.path("r.sock"), folder.path("log"))
        let server = try RosterProcess([
            "--host", "unix:\(path)", "--log-file", log, "--access-log", "--log-format", "json",
        ])
        func text(_ name: String) -> String {
            (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
        }
        let client = try eventually { try? RawConnection(path: path) }
        try client.send(Self.request)
        #expect(try client.receiveResponse().status == 200)
        try FileManager.default.moveItem(atPath: log, toPath: folder.path("log.1"))
        server.send(SIGHUP)
        let isOpenedAnew = try eventually {
            try client.send(Self.request)
            _ = try client.receiveResponse()
            return text("log").contains("/-/live") ? true : nil
        }
        #expect(isOpenedAnew)
        #expect(text("log.1").contains("\"serving Users at unix:\(path), /users\"}\n"))
        #expect(text("log.1").contains(#""path":"/-/live""#))
        server.send(SIGTERM)
        let run = try server.waitForEnding()
        #expect(run.ending == .exit(0))
        #expect(run.lines.isEmpty)
        let refused = try RosterProcess.run(["--log-file", folder.path("no/log")])
        #expect(refused.ending == .exit(73))
        let reason = "No such file or directory"
        #expect(refused.lines == ["roster: --log-file: \(folder.path("no/log")): \(reason)"])
    }
}
