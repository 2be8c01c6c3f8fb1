import Foundation
import TestSupport
import Testing

@Suite("Signals end the program in order")
struct SignalTests {
    @Test("an idle server stops at once", arguments: [SIGTERM, SIGINT])
    func idle(signal: Int32) throws {
        let server = try RosterProcess(serving: [])
        let client = try server.connect()
        try client.send("GET /users?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        server.send(signal)
        #expect(try server.waitForEnding().ending == .exit(0))
        #expect(try client.isEndedByServer())
    }

    @Test("a request that was begun is answered", arguments: [SIGTERM, SIGINT])
    func inFlight(signal: Int32) throws {
        let server = try RosterProcess(serving: ["--loops", "1"])
        let client = try server.connect()
        // The end of the first answer proves that the server reads the second request's beginning.
        try client.send("GET /-/ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().text.hasPrefix("ready\n"))
        try client.send("GET /-/ready HTTP/1.1\r\nHost: local")
        let other = try server.connect()
        try other.send("GET /-/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try other.receiveResponse().text == "live\n")
        server.send(signal)
        try server.waitForLine { $0.contains("stopping; finishing") }
        try client.send("host\r\n\r\n")
        let response = try client.receiveResponse()
        #expect(response.status == 503)
        #expect(response.text == "draining\n")
        #expect(try client.isEndedByServer())
        #expect(try server.waitForEnding().ending == .exit(0))
    }

    @Test(
        "a program that has started threads before it serves drains, too",
        arguments: [SIGTERM, SIGINT]
    )
    func asynchronous(signal: Int32) throws {
        let server = try RosterProcess(
            [],
            environment: ["ROSTER_PORT": "0", "ROSTER_LOOPS": "1"],
            program: RosterProcess.program(named: "AsyncExample")
        )
        try server.waitForLine { $0.contains("serving Entries at http://") }
        let client = try server.connect()
        try client.send("GET /entries HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        try client.send("GET /entries HTTP/1.1\r\nHost: local")
        // The response to another client proves that the server has read the beginning.
        #expect(try server.get("/-/live").text == "live\n")
        server.send(signal)
        try server.waitForLine { $0.contains("not ready any more; stopping in 1 s") }
        server.send(SIGHUP)
        try client.send("host\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        #expect(try server.waitForEnding().ending == .exit(0))
    }

    @Test("a program whose closures block is alive, and ends at its drain limit")
    func blocking() throws {
        let server = try RosterProcess(
            [],
            environment: [
                "ROSTER_PORT": "0", "ROSTER_DRAIN_DELAY": "0", "ROSTER_DRAIN_TIMEOUT": "1",
                "ROSTER_LOOPS": "1", "BLOCKS": "1",
            ],
            program: RosterProcess.program(named: "AsyncExample")
        )
        try server.waitForLine { $0.contains("serving Entries at http://") }
        let request = "GET /entries HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let clients = try (0..<40).map { _ in try server.connect() }
        for client in clients { try client.send(request) }
        // One loop reads the requests in their order.
        for client in clients.dropFirst(16) {
            #expect(try client.receiveResponse().status == 429)
        }
        #expect(try server.get("/-/live").text == "live\n")
        let start = ContinuousClock.now
        server.send(SIGTERM)
        #expect(try server.waitForEnding().ending == .exit(70))
        #expect(ContinuousClock.now - start < .seconds(9))
    }

    @Test("a table that is being read is sent to its end")
    func download() throws {
        let folder = try TemporaryFolder()
        // More than the kernel takes while nobody reads.
        let line = String(repeating: "x", count: 2_000) + "\n"
        let table = "text\n" + String(repeating: line, count: 3_000)
        let file = try folder.write(table, to: "lines.csv")
        let server = try RosterProcess(serving: [file, "--loops", "1"])
        let client = try server.connect()
        try client.send("GET /lines.csv HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let beginning = try client.receive(count: 1)
        server.send(SIGTERM)
        try server.waitForLine { $0.contains("stopping; finishing") }
        let answer = beginning + (try client.receiveAll())
        let response = try #require(try RawResponse.parse(answer, isEnded: true))
        #expect(response.response.body.count(where: { $0 == UInt8(ascii: "\n") }) == 3_001)
        #expect(try server.waitForEnding().ending == .exit(0))
    }

    @Test("a second signal ends the delay at once")
    func impatientWhileServing() throws {
        let server = try RosterProcess(serving: ["--drain-delay", "3600"])
        server.send(SIGTERM)
        try server.waitForLine { $0.contains("not ready any more") }
        #expect(try server.get("/-/ready").status == 503)
        server.send(SIGTERM)
        #expect(try server.waitForEnding().ending == .exit(0))
    }

    @Test("a second signal stops at once, and the program says what it left undone")
    func impatient() throws {
        let server = try RosterProcess(serving: ["--loops", "1"])
        let client = try server.connect()
        try client.send("GET /-/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().text == "live\n")
        try client.send("GET /-/live HTTP/1.1\r\n")
        let other = try server.connect()
        try other.send("GET /-/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try other.receiveResponse().text == "live\n")
        server.send(SIGTERM)
        try server.waitForLine { $0.contains("stopping; finishing") }
        server.send(SIGTERM)
        let run = try server.waitForEnding()
        #expect(run.ending == .exit(70))
        #expect(run.lines.last == "roster: stopped before all requests were finished")
        #expect(try client.isEndedByServer())
    }

    @Test("with a delay the program first says that it is not ready, and still serves")
    func delay() throws {
        let server = try RosterProcess(serving: ["--drain-delay", "3600", "--loops", "2"])
        server.send(SIGTERM)
        try server.waitForLine { $0.contains("not ready any more; stopping in 3600 s") }
        let ready = try server.get("/-/ready")
        #expect(ready.status == 503)
        #expect(ready.text == "draining\n")
        let list = try server.get("/users?limit=1")
        #expect(list.status == 200)
        #expect(list.field("Connection") == "close")
        server.send(SIGTERM)
        #expect(try server.waitForEnding().ending == .exit(0))
    }

    @Test(
        "when the delay is over the program ends, and it need not be waited for",
        arguments: [0, 1]
    )
    func delayIsOver(seconds: Int) throws {
        let server = try RosterProcess(serving: ["--drain-delay", "\(seconds)"])
        try server.stop()
    }

    @Test("what is not finished in time is cut, and the exit code says so")
    func timeout() throws {
        let server = try RosterProcess(serving: ["--drain-timeout", "0", "--loops", "1"])
        let client = try server.connect()
        try client.send("GET /-/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().text == "live\n")
        try client.send("GET /-/live HTTP/1.1\r\n")
        #expect(try server.get("/-/live").text == "live\n")
        server.send(SIGTERM)
        #expect(try server.waitForEnding().ending == .exit(70))
    }

    @Test("nobody can connect to a server that has stopped")
    func refusesConnections() throws {
        // No other test listens at this address, so that none can have taken the port since.
        let host = "127.0.0.11"
        let server = try RosterProcess(serving: ["--host", host])
        let port = try server.port
        #expect(throws: Never.self) { try RawConnection(port: port, host: host) }
        try server.stop()
        #expect(throws: (any Error).self) { try RawConnection(port: port, host: host) }
    }
}
