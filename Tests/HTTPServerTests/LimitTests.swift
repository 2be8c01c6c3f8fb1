import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("Limits over a socket")
struct LimitTests {
    private func server(_ limit: (inout HTTPLimits) -> Void) throws -> TestServer {
        try .sample { limit(&$0.limits) }
    }

    @Test("a head that takes too long is answered with 408, though bytes trickle in")
    func headTimeout() throws {
        let server = try server { $0.headTimeout = .seconds(1) }
        let client = try server.connect()
        let start = ContinuousClock.now
        try client.send("GET /hello HTTP/1.1\r\nA: ")
        let other = try server.connect()
        // A byte of the slow head now and then, between requests of somebody else.
        var requests = 0
        while start.duration(to: .now) < .milliseconds(700) {
            if requests % 50 == 0 { try client.send("a") }
            requests += 1
            try other.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try other.receiveResponse()
        }
        let response = try client.receiveResponse()
        #expect(response.status == 408)
        #expect(response.field("Connection")?.lowercased() == "close")
        #expect(try client.isEndedByServer())
        let duration = start.duration(to: .now)
        #expect(duration >= .seconds(1))
    }

    @Test("a body that stops is answered with 408")
    func bodyTimeout() throws {
        let server = try server { $0.bodyTimeout = .seconds(1) }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
        #expect(try client.receiveResponse().status == 408)
        #expect(try client.isEndedByServer())
    }

    @Test("a silent client is let go without a word, before its first request and after")
    func idleTimeout() throws {
        let server = try server { $0.idleTimeout = .seconds(1) }
        let silent = try server.connect()
        let kept = try server.connect()
        try kept.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try kept.receiveResponse().status == 200)
        #expect(try silent.isEndedByServer())
        #expect(try kept.isEndedByServer())
    }

    @Test("a body over the limit is refused before it is sent")
    func bodyLimit() throws {
        let server = try server { $0.maximumBodyBytes = 100 }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n")
        #expect(try client.receiveResponse().status == 413)
        try client.endOutput()
        #expect(try client.isEndedByServer())
    }

    @Test("a refusal reaches a client that goes on sending three megabytes")
    func lingering() throws {
        let server = try server { $0.maximumBodyBytes = 100 }
        let client = try server.connect()
        try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n")
        try client.send([UInt8](repeating: 7, count: 3_000_000))
        try client.endOutput()
        let answer = try client.receiveAllText()
        #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
        #expect(answer.hasSuffix("}\n"), "\(answer)")
    }

    enum LongRequest: CaseIterable {
        case target
        case field
        case fields

        var text: String {
            switch self {
            case .target: "GET /\(long) HTTP/1.1\r\nHost: h\r\n\r\n"
            case .field: "GET / HTTP/1.1\r\nHost: h\r\nA: \(long)\r\n\r\n"
            case .fields:
                "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "A: b\r\n", count: 200) + "\r\n"
            }
        }

        var status: Int { self == .target ? 414 : 431 }

        private var long: String { String(repeating: "a", count: 20_000) }
    }

    @Test("what is too long is refused", arguments: LongRequest.allCases)
    func heads(request: LongRequest) throws {
        let server = try server { _ in }
        let client = try server.connect()
        try client.send(request.text)
        #expect(try client.receiveResponse().status == request.status)
        try client.endOutput()
        #expect(try client.isEndedByServer())
    }

    @Test("the last request a connection may make says close")
    func requestsPerConnection() throws {
        let server = try server { $0.maximumRequestsPerConnection = 3 }
        let client = try server.connect()
        try client.send(String(repeating: "GET /hello HTTP/1.1\r\nHost: h\r\n\r\n", count: 5))
        #expect(try client.receiveResponse().field("Connection") == nil)
        #expect(try client.receiveResponse().field("Connection") == nil)
        #expect(try client.receiveResponse().field("Connection")?.lowercased() == "close")
        #expect(try client.isEndedByServer())
    }

    @Test("a limit out of its range is refused at the start")
    func invalidLimit() {
        #expect(throws: ServerError.self) { try server { $0.maximumFields = 0 } }
    }
}
