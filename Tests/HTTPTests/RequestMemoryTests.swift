import Testing

@testable import HTTP

@Suite("Memory of requests, shared by the connections of a loop")
struct RequestMemoryTests {
    private let rules = HTTPConnectionRules(limits: HTTPLimits())

    private static func post(_ path: String, _ body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test("an idle connection holds none, before its first request and after the last")
    func idle() {
        var conversation = Conversation(sharing: rules)
        #expect(conversation.requestMemory == 0)
        conversation.receive("\r\n")
        #expect(conversation.requestMemory == 0)
        conversation.receive(Self.post("/a", String(repeating: "b", count: 100_000)))
        conversation.receive(Self.post("/b", "") + Self.post("/c", ""))
        #expect(conversation.requests.count == 3)
        #expect(conversation.requestMemory == 0)
        #expect(rules.spareRequest.hasMemory)
        #expect(rules.spareRequest.body.capacity == 0)
    }

    @Test("a connection that closes after its answer has given it back")
    func closing() {
        var conversation = Conversation(sharing: rules)
        conversation.receive("GET /a HTTP/1.0\r\nHost: a\r\n\r\n")
        #expect(conversation.ending == .lingering)
        #expect(conversation.requestMemory == 0)
        #expect(rules.spareRequest.hasMemory)
    }

    @Test("requests that arrive in turns are answered as each was sent, and one memory is kept")
    func turns() {
        var first = Conversation(sharing: rules)
        var second = Conversation(sharing: rules)
        first.receive(Self.post("/first", "one"))
        let requests = [Self.post("/a?b", "two"), Self.post("/c", "three")].map { Array($0.utf8) }
        for index in 0..<max(requests[0].count, requests[1].count) {
            if index < requests[0].count { first.receive([requests[0][index]]) }
            if index < requests[1].count { second.receive([requests[1][index]]) }
        }
        #expect(first.requests == ["POST /first one", "POST /a two"])
        #expect(second.requests == ["POST /c three"])
        #expect(first.requestMemory == 0)
        #expect(second.requestMemory == 0)
    }

    @Test("what is refused is not answered as the request before it on another connection")
    func refused() {
        var first = Conversation(sharing: rules)
        first.receive("HEAD /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        for bytes in ["\n", "\r\n\r\n\r\n", "GET /a HTTP/9.9\r\n\r\n", "\u{7F}"] {
            var second = Conversation(sharing: rules)
            second.receive(bytes)
            #expect(second.text.hasPrefix("HTTP/1.1 "))
            #expect(second.text.hasSuffix("}\n"), "the body of a refusal is missing")
        }
    }

    @Test("what is refused behind half an empty line is not, either")
    func refusedLater() {
        var first = Conversation(sharing: rules)
        first.receive("\r")
        var second = Conversation(sharing: rules)
        second.receive("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(second.answers.map(\.status) == [200])
        first.receive("X")
        #expect(first.text.hasPrefix("HTTP/1.1 400 "))
        #expect(first.text.hasSuffix("}\n"), "the body of a refusal is missing")
    }
}

extension Conversation {
    /// What the connection has room for in memory made for a request: bytes and fields.
    fileprivate var requestMemory: Int {
        let request = machine.request
        return request.head.capacity + request.fields.capacity + request.body.capacity
    }
}
