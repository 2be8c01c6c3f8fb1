import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("Answers over a socket")
struct AnswerTests {
    private func server(
        _ configure: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) throws -> TestServer {
        try .sample(configure: configure)
    }

    @Test("large answers and streams keep their place among requests sent together")
    func pipelinedLarge() throws {
        let server = try server()
        let client = try server.connect()
        let targets = ["/hello", "/large?300000", "/hello", "/stream?300000", "/hello"]
        try client.send(targets.map { "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
        for target in targets {
            let response = try client.receiveResponse()
            #expect(response.body.count == (target == "/hello" ? 6 : 300_000), "\(target)")
        }
    }

    @Test("every kind of loopback address is served", arguments: ["127.0.0.1", "::1", "localhost"])
    func addresses(host: String) throws {
        let server = try server { $0.host = host }
        #expect(server.server.addresses.allSatisfy { $0.port == server.port })
        for address in server.server.addresses {
            let client = try server.connect(host: address.host)
            try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveResponse().text == "hello\n")
        }
    }

    @Test(
        "the wildcards take every address",
        arguments: [("0.0.0.0", ["127.0.0.1"]), ("::", ["127.0.0.1", "::1"])]
    )
    func wildcards(host: String, clients: [String]) throws {
        let server = try server { $0.host = host }
        for host in clients {
            let client = try server.connect(host: host)
            try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveResponse().text == "hello\n")
        }
    }
}
