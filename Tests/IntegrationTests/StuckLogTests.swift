import Foundation
import System
import TestSupport
import Testing

@Suite("A log that is not read stops nothing")
struct StuckLogTests {
    /// A request whose line is long, so that few of them fill the log.
    private static let request =
        "GET /-/live HTTP/1.1\r\nHost: localhost\r\nUser-Agent: "
        + String(repeating: "a", count: 2_000) + "\r\n\r\n"
    private static let live = "GET /-/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let metrics = "GET /-/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func droppedLines(_ client: RawConnection) throws -> Int {
        try client.send(Self.metrics)
        let text = try client.receiveResponse().text
        let match = text.firstMatch(of: /\nroster_dropped_log_lines_total ([0-9]+)\n/)
        let sample = try #require(match)
        return try #require(Int(sample.1))
    }

    /// Sends requests in batches until lines of the log are dropped, and expects every answer.
    private func exhaust(_ client: RawConnection, atLeast minimum: Int) throws {
        var answers = 0
        while try droppedLines(client) == 0 || answers < minimum {
            let count = 200
            try client.send(String(repeating: Self.request, count: count))
            for _ in 0..<count { #expect(try client.receiveResponse().status == 200) }
            answers += count
        }
        try client.send(Self.live)
        #expect(try client.receiveResponse().text == "live\n")
    }

    @Test(
        "thousands of requests are answered and SIGTERM ends the program while nobody reads",
        arguments: ["text", "json"]
    )
    func fullPipe(format: String) throws {
        let server = try RosterProcess(serving: ["--access-log", "--log-format", format])
        let client = try server.connect()
        try exhaust(client, atLeast: 3_000)
        server.send(SIGTERM)
        #expect(server.waitForEndingUnread() == .exit(0))
    }

    @Test("the log says how many lines are missing once it is read again")
    func readAgain() throws {
        let server = try RosterProcess(serving: ["--access-log"])
        let client = try server.connect()
        try exhaust(client, atLeast: 0)
        let notice = try #require(
            try server.waitForLine { $0.contains("dropped: the log is not read") }
        )
        let match = try #require(
            notice.wholeMatch(
                of: /roster: ([0-9]+) log lines? w(ere|as) dropped: the log is not read fast enough/
            ),
            "\(notice)"
        )
        #expect(try #require(Int(match.1)) > 0)
        server.send(SIGTERM)
        #expect(try server.waitForEnding().ending == .exit(0))
    }

    @Test("a reader of the log that has gone ends nothing")
    func closedPipe() throws {
        let server = try RosterProcess(serving: ["--access-log"])
        let client = try server.connect()
        try server.closeDiagnostics()
        try exhaust(client, atLeast: 0)
        server.send(SIGTERM)
        #expect(server.waitForEndingUnread() == .exit(0))
    }

    @Test("a pipe as log file is refused without a reader, and written to with one")
    func namedPipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log")
        #expect(try OutsideProgram.run("mkfifo", [path]).code == 0)
        let arguments = ["--port", "0", "--log-file", path]
        let run = try RosterProcess.run(arguments)
        #expect(run.ending == .exit(73))
        #expect(run.lines == ["roster: --log-file: \(path): no program reads from it"])
        let reader = try #require(FileHandle(forUpdatingAtPath: path))
        let server = try RosterProcess(arguments)
        var text = ""
        while !text.contains("serving Users at http://") {
            text += String(decoding: reader.availableData, as: UTF8.self)
        }
        server.send(SIGTERM)
        #expect(server.waitForEndingUnread() == .exit(0))
    }

    @Test("a log on a full disk ends nothing")
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("r.sock")
        let server = try RosterProcess(
            [
                "-c", #"exec "$0" "$@" 2>/dev/full"#,
                RosterProcess.program.path(percentEncoded: false),
                "--host", "unix:\(path)", "--access-log",
            ],
            program: URL(filePath: "/bin/bash")
        )
        var connection: RawConnection?
        while connection == nil {
            connection = try? RawConnection(path: path)
            sched_yield()
        }
        let client = try #require(connection)
        try exhaust(client, atLeast: 0)
        server.send(SIGTERM)
        #expect(server.waitForEndingUnread() == .exit(0))
    }

    @Test("the service of an embedder waits for its log no more than the program does")
    func embedded() throws {
        let server = try RosterProcess(
            [],
            environment: ["ROSTER_PORT": "0", "ROSTER_ACCESS_LOG": "on"],
            program: RosterProcess.program(named: "ReadmeExample")
        )
        try server.waitForLine { $0.contains(" at http://") }
        try exhaust(server.connect(), atLeast: 0)
        server.send(SIGTERM)
        #expect(server.waitForEndingUnread() == .exit(0))
    }

    @Test("lines that wait at the end are written before the program ends")
    func lastLines() throws {
        let server = try RosterProcess(serving: ["--access-log"])
        let client = try server.connect()
        try client.send(String(repeating: Self.live, count: 500))
        for _ in 0..<500 { #expect(try client.receiveResponse().text == "live\n") }
        server.send(SIGTERM)
        let run = try server.waitForEnding()
        #expect(run.ending == .exit(0))
        #expect(run.lines.count { $0.contains(" GET /-/live ") } == 500)
    }
}
