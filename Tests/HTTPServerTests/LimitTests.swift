import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("Limits over a socket")
struct LimitTests {
    private func server(_ limit: (inout HTTPLimits) -> Void) throws -> TestServer {
        try .sample { limit(&$0.limits) }
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

    @Test("a limit out of its range is refused at the start")
    func invalidLimit() {
        #expect(throws: ServerError.self) { try server { $0.maximumFields = 0 } }
    }
}
