import Foundation
import TestSupport
import Testing

@Suite("The port for operators")
struct OperationsPortTests {
    @Test("metrics and lists are told there, and draining is, while the lists are still served")
    func port() throws {
        let server = try RosterProcess(
            serving: ["--operations-port", "0", "--drain-delay", "60", "--log-format", "json"]
        )
        let line = try server.waitForLine { $0.contains("operations at http://") } ?? ""
        let found = try #require(line.firstMatch(of: /127\.0\.0\.1:([0-9]+)\/-\/metrics"\}/)).1
        #expect(line.hasPrefix("{\"time\":\""))
        let operations = try RawConnection(port: try #require(UInt16(found)))
        func ask(_ target: String) throws -> RawResponse {
            try operations.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return try operations.receiveResponse()
        }
        #expect(try server.get("/users").status == 200)
        #expect(try server.get("/-/metrics").status == 404)
        #expect(try ask("/users").status == 404)
        #expect(
            try ask("/-/metrics").text.contains(
                "list=\"users\",format=\"json\",status=\"200\"} 1\n"
            )
        )
        #expect(try ask("/-/lists").text.contains("\"id\":\"users\""))
        #expect(try ask("/-/ready").status == 200)
        server.send(SIGTERM)
        _ = try server.waitForLine { $0.contains("not ready any more") }
        #expect(try ask("/-/ready").status == 503)
        #expect(try ask("/-/live").status == 200)
        server.send(SIGTERM)
    }

    @Test("the port has an address of its own, and asks for tokens as the lists do")
    func addressAndTokens() throws {
        func make(_ name: String, _ scope: String) throws -> (token: String, line: String) {
            let run = try RosterProcess.run(["token", name, scope])
            return (String(try #require(run.lines.first?.split(separator: " ").last)), run.output)
        }
        let (reader, monitor) = (try make("a", "users:read"), try make("b", "operate"))
        let folder = try TemporaryFolder()
        let file = try folder.write(reader.line + monitor.line, to: "tokens")
        let server = try RosterProcess(
            serving: ["--operations-port", "127.0.0.2:0", "--tokens", file]
        )
        let line = try server.waitForLine { $0.contains("operations at http://") } ?? ""
        let found = try #require(line.firstMatch(of: /127\.0\.0\.2:([0-9]+)\/-\/metrics/)).1
        let port = try #require(UInt16(found))
        let operations = try RawConnection(port: port, host: "127.0.0.2")
        func status(_ target: String, _ token: String? = nil) throws -> Int {
            let field = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            try operations.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
            return try operations.receiveResponse().status
        }
        for target in ["/-/metrics", "/-/lists"] {
            #expect(try status(target) == 401)
            #expect(try status(target, reader.token) == 403)
            #expect(try status(target, monitor.token) == 200)
        }
        #expect(try status("/-/live") == 200)
        #expect(try status("/-/ready") == 200)
    }
}
