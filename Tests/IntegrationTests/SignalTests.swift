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
        #expect(try client.receiveResponse().text == "ready\n")
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
        #expect(response.field("Connection")?.lowercased() == "close")
        #expect(try client.isEndedByServer())
        #expect(try server.waitForEnding().ending == .exit(0))
    }

    @Test("a table that is being read is sent to its end")
    func download() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(People(20_000).csv, to: "people.csv")
        let server = try RosterProcess(serving: [file, "--loops", "1"])
        let client = try server.connect()
        try client.send("GET /people.csv HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let beginning = try client.receive(count: 1)
        server.send(SIGTERM)
        try server.waitForLine { $0.contains("stopping; finishing") }
        let answer = beginning + (try client.receiveAll())
        let response = try #require(try RawResponse.parse(answer, isEnded: true))
        #expect(response.response.text.split(separator: "\r\n").count == 20_001)
        #expect(try server.waitForEnding().ending == .exit(0))
    }

    @Test("nobody can connect to a server that has stopped")
    func refusesConnections() throws {
        let server = try RosterProcess(serving: [])
        try server.stop()
        #expect(throws: (any Error).self) { try server.connect() }
    }
}
