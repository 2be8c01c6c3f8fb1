import Bytes
import HTTP
import Testing

@Suite("Bodies announced (RFC 9110 §10.1.1)")
struct AdmissionTests {
    private static let waiting =
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
    private static let large = "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n"

    private func refusing() -> Conversation {
        var conversation = Conversation()
        conversation.admit = { request, response in
            #expect(request.body.isEmpty)
            response.status = .unsupportedMediaType
            response.body.append("not this")
            return .respond
        }
        return conversation
    }

    @Test("a body nobody will read is answered at once and closes", arguments: [waiting, large])
    func refused(head: String) {
        var conversation = refusing()
        conversation.receive(head)
        #expect(!conversation.text.contains("100 Continue"))
        #expect(conversation.answers.map(\.status) == [415])
        #expect(conversation.answers.map(\.body) == ["not this"])
        #expect(conversation.answers.first?.fields["connection"] == "close")
        #expect(conversation.requests == [])
        #expect(conversation.ending == .lingering)
        // What the client sends all the same is no request.
        conversation.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(conversation.answers.count == 1)
    }

    @Test("a client that does not wait is not asked about a small body")
    func small() {
        var conversation = refusing()
        conversation.receive(Self.waiting + "h")
        conversation.receive("ello")
        #expect(conversation.answers.map(\.status) == [200])
        #expect(conversation.requests == ["POST /a hello"])
        #expect(conversation.ending == .open)
    }

    @Test("a large body that comes with its head is read when it is wanted")
    func largeWithHead() {
        var conversation = Conversation()
        var decisions = 0
        conversation.admit = { _, _ in
            decisions += 1
            return .read
        }
        conversation.receive(Self.large + String(repeating: "x", count: 40_000))
        conversation.receive(String(repeating: "y", count: 30_000) + Self.waiting)
        #expect(decisions == 2)
        #expect(conversation.answers.map(\.status) == [200])
        #expect(conversation.text.hasSuffix("yHTTP/1.1 100 Continue\r\n\r\n"))
    }

    @Test("deciding may fail like answering")
    func failure() {
        struct Failure: Error {}
        var conversation = Conversation()
        conversation.admit = { _, _ in throw Failure() }
        conversation.receive(Self.waiting)
        #expect(conversation.answers.map(\.status) == [500])
        #expect(conversation.ending == .lingering)
    }

    @Test("a method without a use for a body is answered without it")
    func uselessBody() {
        var conversation = Conversation()
        conversation.receive(Self.waiting.replacing("POST", with: "GET"))
        #expect(conversation.requests == ["GET /a "])
        #expect(conversation.answers.map(\.status) == [200])
        #expect(conversation.answers.first?.fields["connection"] == "close")
        #expect(!conversation.text.contains("100 Continue"))
        #expect(conversation.ending == .lingering)
    }

    @Test("HTTP/1.0 gets no interim answer")
    func http10() {
        var conversation = Conversation()
        conversation.receive(
            "POST /a HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
        )
        #expect(conversation.text.isEmpty)
        conversation.receive("hello")
        #expect(conversation.answers.map(\.status) == [200])
    }
}
