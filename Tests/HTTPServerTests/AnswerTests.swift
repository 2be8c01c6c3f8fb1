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

    @Test("a connection is kept for one request after the other")
    func keepAlive() throws {
        let server = try server()
        let client = try server.connect()
        for _ in 0..<100 {
            try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
            let response = try client.receiveResponse()
            #expect(response.status == 200)
            #expect(response.text == "hello\n")
            #expect(response.field("Date") != nil)
            #expect(response.field("Content-Length") == "6")
        }
        #expect(try server.stop() == .drained)
    }

    @Test("Connection: close is answered and followed by the end")
    func close() throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET /hello HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        let response = try client.receiveResponse()
        #expect(response.text == "hello\n")
        #expect(response.field("Connection")?.lowercased() == "close")
        #expect(try client.isEndedByServer())
    }

    @Test("HTTP/1.0 ends after the answer, unless the client asks to keep it")
    func http10() throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try client.receiveResponse().field("Connection")?.lowercased() == "keep-alive")
        try client.send("GET /hello HTTP/1.0\r\n\r\n")
        #expect(try client.receiveAllText().hasSuffix("\r\n\r\nhello\n"))
    }

    @Test("requests sent together are answered in order", arguments: [2, 10, 500])
    func pipelining(count: Int) throws {
        let server = try server()
        let client = try server.connect()
        var requests = ""
        for index in 0..<count { requests += "GET /host HTTP/1.1\r\nHost: h\(index)\r\n\r\n" }
        try client.send(requests)
        for index in 0..<count { #expect(try client.receiveResponse().text == "h\(index)") }
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

    @Test("HEAD gives the fields of GET and no body")
    func head() throws {
        let server = try server()
        let client = try server.connect()
        try client.send("HEAD /large?1000 HTTP/1.1\r\nHost: h\r\n\r\n")
        let head = try client.receiveResponse(to: "HEAD")
        #expect(head.status == 200)
        #expect(head.field("Content-Length") == "1000")
        try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().text == "hello\n")
    }

    @Test("a request is understood however its bytes are cut")
    func byteByByte() throws {
        let server = try server()
        let client = try server.connect()
        for byte in Array("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde".utf8) {
            try client.send([byte])
        }
        #expect(try client.receiveResponse().text == "abcde")
        for byte in Array(
            "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                .utf8
        ) {
            try client.send([byte])
        }
        #expect(try client.receiveResponse().text == "abc")
    }

    @Test("a body arrives whole", arguments: [0, 1, 65_536, 1_000_000])
    func bodies(count: Int) throws {
        let server = try server()
        let client = try server.connect()
        let body = (0..<count).map(patternByte)
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n")
        try client.send(body)
        #expect(try client.receiveResponse().body == body)
    }

    @Test("a client that sends its last request and ends its side gets its answer")
    func halfClose() throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET /large?200000 HTTP/1.1\r\nHost: h\r\n\r\n")
        try client.endOutput()
        #expect(try client.receiveResponse().body.count == 200_000)
        #expect(try client.isEndedByServer())
    }

    enum CutRequest: String, CaseIterable {
        case method = "G"
        case head = "GET / HTTP/1.1\r\nHost: h\r\n"
        case body = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nab"
    }

    @Test(
        "a request cut off by the client is never answered with success",
        arguments: CutRequest.allCases
    )
    func cut(request: CutRequest) throws {
        let server = try server()
        let client = try server.connect()
        try client.send(request.rawValue)
        try client.endOutput()
        let answer = try client.receiveAllText()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        let other = try server.connect()
        try other.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try other.receiveResponse().status == 200)
    }

    @Test("what is malformed is refused, and the connection ends")
    func malformed() throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\nGET  /two-spaces HTTP/1.1\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        let refusal = try client.receiveResponse()
        #expect(refusal.status == 400)
        #expect(refusal.field("Content-Type") == "application/problem+json")
        #expect(refusal.field("Connection")?.lowercased() == "close")
        #expect(try client.isEndedByServer())
    }

    @Test("a handler that throws gives 500, and the next request is answered")
    func failure() throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET /fail HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try client.receiveResponse()
        #expect(response.status == 500)
        #expect(!response.text.contains("never to be seen"))
        try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().text == "hello\n")
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
