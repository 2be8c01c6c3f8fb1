import Testing

@testable import HTTP

@Suite("Memory of requests, shared by the connections of a loop")
struct RequestMemoryTests {
    private let rules = HTTPConnectionConfiguration(limits: HTTPLimits())

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

    @Test("answers that wait hold none, so that who asks the same next is recognised")
    func waiting() {
        var numbers: [UInt64?] = []
        let rules = HTTPConnectionConfiguration(limits: HTTPLimits(), takeHeadNumbers: { 1..<100 })
        let handler: Conversation.Handler = { request, response in
            numbers.append(request.headNumber)
            Conversation.echo(request, &response)
        }
        for last in ["", "Connection: close\r\n"] {
            let head = "GET /a HTTP/1.1\r\nHost: a\r\n\(last)\r\n"
            var first = Conversation(sharing: rules, handler: handler)
            var second = Conversation(sharing: rules, handler: handler)
            first.room = 0
            second.room = 0
            first.receive(head)
            #expect(first.requestMemory > 0)
            let firstIsReleased = first.releaseRequest()
            second.receive(head)
            let secondIsReleased = second.releaseRequest()
            #expect(firstIsReleased && secondIsReleased)
            #expect(first.requestMemory == 0)
            #expect(second.requestMemory == 0)
            second.makeRoom(nil)
            first.makeRoom(nil)
            for answers in [first.answers, second.answers] {
                #expect(answers.map(\.status) == [200])
            }
            #expect(first.ending == (last.isEmpty ? .open : .lingering))
        }
        #expect(numbers == [1, 1, 2, 2])
    }

    @Test(
        "what is not over is held on to",
        arguments: [
            "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\n",
            "GET /a HTTP/1.1\r\nHost: a\r\n\r\nPOST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nb",
        ]
    )
    func unfinished(bytes: String) {
        var conversation = Conversation(sharing: rules)
        conversation.room = 0
        conversation.receive(bytes)
        let isReleased = conversation.releaseRequest()
        #expect(!isReleased)
        conversation.makeRoom(nil)
        #expect(conversation.answers.map(\.status) == [200])
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
    fileprivate var requestMemory: Int {
        let request = machine.request
        return request.head.capacity + request.fields.capacity + request.body.capacity
    }
}
