import Bytes
import HTTP
import Testing

@Suite("Connection (RFC 9112 §9)")
struct ConnectionTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("HTTP/1.1 keeps the connection and says nothing about it")
    func kept() throws {
        var conversation = Conversation()
        for _ in 0..<3 { conversation.receive(Self.get) }
        let answers = conversation.answers
        #expect(answers.map(\.status) == [200, 200, 200])
        #expect(answers.map(\.body) == ["GET /a ", "GET /a ", "GET /a "])
        #expect(answers.allSatisfy { $0.fields["connection"] == nil })
        #expect(conversation.ending == .open)
    }

    @Test("the bytes of an answer are exactly these")
    func bytes() {
        var conversation = Conversation()
        conversation.receive(Self.get)
        let expected = [
            "HTTP/1.1 200 OK", "Date: Sun, 06 Nov 1994 08:49:37 GMT", "Content-Type: text/plain",
            "Content-Length: 7", "", "GET /a ",
        ]
        #expect(conversation.text == expected.joined(separator: "\r\n"))
        #expect(conversation.writes == 1)
    }

    @Test("close is obeyed, announced, and later bytes are not looked at")
    func close() {
        var conversation = Conversation()
        conversation.receive(
            "GET /a HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n" + Self.get
        )
        #expect(conversation.requests == ["GET /a "])
        #expect(conversation.answers.map { $0.fields["connection"] } == ["close"])
        #expect(conversation.ending == .lingering)
        conversation.receive(Self.get)
        #expect(conversation.requests.count == 1)
        conversation.finishSending()
        #expect(conversation.ending == .closed)
    }

    @Test("HTTP/1.0 closes unless it asks to keep, and is told so")
    func http10() {
        var closing = Conversation()
        closing.receive("GET /a HTTP/1.0\r\n\r\n")
        #expect(closing.answers.map { $0.fields["connection"] } == ["close"])
        #expect(closing.ending == .lingering)
        var kept = Conversation()
        kept.receive("GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
        kept.receive("GET /b HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(kept.answers.map { $0.fields["connection"] } == ["keep-alive", "keep-alive"])
        #expect(kept.ending == .open)
    }

    @Test("pipelined requests are answered in order, in one write while they are small")
    func pipelining() {
        var conversation = Conversation()
        let paths = (0..<50).map { "/\($0)" }
        conversation.receive(
            paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
        )
        #expect(conversation.requests == paths.map { "GET \($0) " })
        #expect(conversation.answers.map(\.body) == conversation.requests)
        #expect(conversation.writes == 1)
        #expect(conversation.ending == .open)
    }

    @Test("answers over the gathering limit are written before the next request is read")
    func gathering() {
        var limits = HTTPLimits()
        limits.maximumGatheredBytes = 300
        var conversation = Conversation(limits: limits)
        let text = String(repeating: Self.get, count: 20)
        conversation.receive(text)
        #expect(conversation.answers.count == 20)
        #expect(conversation.writes == 7)
        limits.maximumGatheredBytes = 0
        var single = Conversation(limits: limits)
        single.receive(text)
        #expect(single.answers.count == 20)
        #expect(single.writes == 20)
        let same = single.sent == conversation.sent
        #expect(same)
    }

    @Test("a refusal comes after the answers before it, and closes")
    func refusalInOrder() {
        var conversation = Conversation()
        conversation.receive(Self.get + "GET /b HTTP/1.1\r\n\r\n" + Self.get)
        let answers = conversation.answers
        #expect(answers.map(\.status) == [200, 400])
        #expect(answers.last?.fields["connection"] == "close")
        #expect(conversation.takeRefusal() == .badRequest)
        #expect(conversation.takeRefusal() == nil)
        #expect(conversation.ending == .lingering)
    }

    @Test("a refusal is a problem document that says what was wrong")
    func problem() {
        var conversation = Conversation()
        conversation.receive("GET / HTTP/1.1\r\n\r\n")
        let answer = conversation.answers.first
        #expect(answer?.fields["content-type"] == "application/problem+json")
        #expect(answer?.fields["date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(
            answer?.body == #"{"type":"about:blank","title":"Bad Request","status":400,"#
                + #""detail":"The field Host is missing."}"# + "\n"
        )
    }

    @Test("a refused HEAD gets no body")
    func refusedHead() {
        var conversation = Conversation()
        conversation.receive("HEAD / HTTP/1.1\r\n\r\n")
        #expect(conversation.text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(conversation.text.hasSuffix("\r\n\r\n"))
        // The method of an earlier request must not count for a later one.
        var second = Conversation()
        second.receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        second.receive("\n")
        #expect(second.text.hasSuffix("}\n"))
    }

    @Test("an unknown method is answered 501, its body skipped, the connection kept")
    func unknownMethod() {
        var conversation = Conversation()
        conversation.receive("get / HTTP/1.1\r\nHost: a\r\n\r\n")
        conversation.receive("FOO / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n")
        conversation.receive("abc" + Self.get)
        conversation.receive(
            "FOO / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        )
        #expect(conversation.answers.map(\.status) == [501, 501, 200, 501])
        #expect(conversation.requests == ["GET /a "])
        #expect(conversation.ending == .open)
    }

    @Test("an unknown method with a body too large to drop is answered at once, and closes")
    func unknownMethodWithLargeBody() {
        var conversation = Conversation()
        conversation.receive("FOO / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n")
        #expect(conversation.answers.map(\.status) == [501])
        #expect(conversation.ending == .lingering)
    }

    @Test(
        "a body of a method that has none is dropped",
        arguments: ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]
    )
    func droppedBody(method: String) {
        var conversation = Conversation()
        conversation.receive("\(method) /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
        conversation.receive(Self.get)
        #expect(conversation.requests == ["\(method) /a ", "GET /a "])
    }

    @Test("a body in pieces reaches the handler whole", arguments: ["POST", "PUT", "PATCH"])
    func body(method: String) {
        var conversation = Conversation()
        conversation.receive("\(method) /a HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nhel")
        conversation.receive("lo wor")
        #expect(conversation.requests == [])
        conversation.receive("ld" + Self.get)
        #expect(conversation.requests == ["\(method) /a hello world", "GET /a "])
    }

    @Test("a body over the limit is answered 413 before it is read")
    func largeBody() {
        var declared = Conversation()
        declared.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n")
        #expect(declared.answers.map(\.status) == [413])
        #expect(declared.ending == .lingering)
        var chunked = Conversation()
        chunked.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunked.receive("80000\r\n" + String(repeating: "x", count: 0x80000) + "\r\n80001\r\n")
        #expect(chunked.answers.map(\.status) == [413])
        #expect(chunked.requests == [])
    }

    @Test("100 is sent once, when the client waits for it")
    func expectContinue() {
        let head =
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
        var waiting = Conversation()
        waiting.receive(head)
        #expect(waiting.text == "HTTP/1.1 100 Continue\r\n\r\n")
        waiting.receive("he")
        waiting.receive("llo")
        #expect(waiting.requests == ["POST /a hello"])
        #expect(waiting.answers.map(\.status) == [200])
        var hurrying = Conversation()
        hurrying.receive(head + "h")
        hurrying.receive("ello")
        #expect(hurrying.answers.map(\.status) == [200])
        #expect(!hurrying.text.contains("100 Continue"))
        var pipelined = Conversation()
        pipelined.receive(Self.get + head)
        #expect(pipelined.text.hasSuffix("GET /a HTTP/1.1 100 Continue\r\n\r\n"))
        var tooLarge = Conversation()
        tooLarge.receive(head.replacing("Length: 5", with: "Length: 5000000"))
        #expect(tooLarge.answers.map(\.status) == [413])
        #expect(!tooLarge.text.contains("100 Continue"))
        var unknown = Conversation()
        unknown.receive(head.replacing("100-continue", with: "magic"))
        #expect(unknown.answers.map(\.status) == [417])
        var unknownMethod = Conversation()
        unknownMethod.receive(head.replacing("POST", with: "FOO"))
        #expect(unknownMethod.answers.map(\.status) == [501])
        #expect(unknownMethod.ending == .lingering)
    }

    @Test("the last of the allowed requests is answered with close")
    func requestsPerConnection() {
        var limits = HTTPLimits()
        limits.maximumRequestsPerConnection = 3
        var conversation = Conversation(limits: limits)
        conversation.receive(String(repeating: Self.get, count: 5))
        #expect(conversation.answers.map { $0.fields["connection"] } == [nil, nil, "close"])
        #expect(conversation.ending == .lingering)
    }

    @Test("the end of input closes quietly when nothing is pending")
    func endWhenIdle() {
        var fresh = Conversation()
        fresh.finishSending()
        #expect(fresh.ending == .closed)
        var used = Conversation()
        used.receive(Self.get + "\r\n")
        used.finishSending()
        #expect(used.ending == .closed)
        #expect(used.answers.map(\.status) == [200])
    }

    @Test(
        "the end of input inside a request is answered 400, never with success",
        arguments: [
            "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
        ]
    )
    func endInside(text: String) {
        var conversation = Conversation()
        conversation.receive(text)
        #expect(conversation.text.isEmpty)
        conversation.finishSending()
        #expect(conversation.answers.map(\.status) == [400])
        #expect(conversation.requests.isEmpty)
        #expect(conversation.ending == .closed)
    }

    @Test("a client that stops sending early still gets every answer")
    func halfClose() {
        var conversation = Conversation()
        conversation.room = 10
        conversation.receive(Self.get + Self.get)
        conversation.finishSending()
        #expect(conversation.ending == .open)
        conversation.makeRoom(nil)
        #expect(conversation.answers.map(\.status) == [200, 200])
        #expect(conversation.ending == .closed)
    }

    @Test("input after the last answer is dropped up to a bound")
    func lingering() {
        var limits = HTTPLimits()
        limits.maximumLingerBytes = 100
        var conversation = Conversation(limits: limits)
        conversation.receive("\n")
        conversation.receive([UInt8](repeating: 0, count: 100))
        #expect(conversation.ending == .lingering)
        conversation.receive([0])
        #expect(conversation.ending == .closed)
        let hasDeadline = conversation.hasDeadline
        #expect(!hasDeadline)
    }
}
