import Bytes
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("Heads that are sent again")
struct RepeatedHeadTests {
    private static let heads: [String] = [
        "GET /users?limit=5 HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n",
        "GET /users?limit=6 HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n",
        "GET /users?limit=5 HTTP/1.1\r\nHost: a\r\nAccept: text/htmx\r\n\r\n",
        "GET /users?limit=5 HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nX: y\r\n\r\n",
        "HEAD /users?limit=5 HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\nGET /users HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://b/users HTTP/1.1\r\nHost: a\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a/%2e%2e/%C3%A9 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    ]
    private static let bodies: [String] = [
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none",
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\ntwo",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
    ]
    private static let refused: [String] = [
        "GET /users?limit=5 HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n :\r\n\r\n",
        "GET /users HTTP/9.1\r\n\r\n", "BREW /tea HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    private static func description(of request: borrowing HTTPRequest) -> String {
        let fields = request.sentFields.map { "\($0.name)=\($0.value)" }
        return "\(request.method) \(request.version) \(request.target) \(request.path.segments) "
            + "\(request.query ?? "-") \(request.authority ?? "-") \(fields) \(request.body)"
    }

    private static func describe(_ request: borrowing HTTPRequest, _ response: inout HTTPResponse) {
        response.body.append(description(of: request))
    }

    private static func alone(_ bytes: [UInt8]) -> String {
        var conversation = Conversation(handler: describe)
        conversation.receive(bytes)
        return conversation.text
    }

    @Test("are told handlers as if each had been read, however they are cut", arguments: 0..<30)
    func property(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let rules = HTTPConnectionConfiguration(limits: HTTPLimits())
        let common = (0..<2).compactMap { _ in Self.heads.randomElement(using: &generator) }
        for _ in 0..<40 {
            var (sent, expected): ([UInt8], String) = ([], "")
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let texts = Bool.random(using: &generator) ? common : Self.heads + Self.bodies
                let request = Array((texts.randomElement(using: &generator) ?? "").utf8)
                sent += request
                expected += Self.alone(request)
            }
            if Int.random(in: 0..<4, using: &generator) == 0 {
                let request = Array((Self.refused.randomElement(using: &generator) ?? "").utf8)
                sent += request
                expected += Self.alone(request)
            }
            var conversation = Conversation(sharing: rules, handler: Self.describe)
            var rest = sent[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...300, using: &generator))
                conversation.receive(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            #expect(conversation.text == expected, "seed \(seed)")
        }
    }

    @Test("have one number, which no other head of any loop has")
    func numbers() throws {
        let readers = [RequestReader(), RequestReader()]
        var heads: [UInt64: Int] = [:]
        for round in 0..<3 {
            for (index, text) in Self.heads.enumerated() {
                for (loop, reader) in readers.enumerated() {
                    let first = try #require(reader.read(Array(text.utf8))?.headNumber)
                    let second = try #require(reader.read(Array(text.utf8))?.headNumber)
                    #expect(first == second)
                    let known = heads.updateValue(loop * 100 + index, forKey: first)
                    #expect(known == nil, "\(text.debugDescription) in round \(round)")
                }
            }
        }
        #expect(heads.count == 2 * 3 * Self.heads.count)
    }

    @Test("a client that waits with its body is told each time to send it")
    func expectations() {
        let head =
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        var conversation = Conversation()
        for (round, body) in ["one", "two", "six"].enumerated() {
            conversation.receive(head)
            #expect(conversation.text.split(separator: "100 Continue").count == round + 2)
            conversation.receive(body)
        }
        #expect(conversation.requests == ["POST /a one", "POST /a two", "POST /a six"])
        // Who has sent it is not told.
        conversation.receive(head + "ten")
        #expect(conversation.requests.last == "POST /a ten")
        #expect(conversation.text.split(separator: "100 Continue").count == 4)
    }

    @Test("each body goes to the sink that was given for it")
    func sinks() {
        let sinks = [Sink(), Sink(), Sink()]
        var limits = HTTPLimits()
        limits.maximumHandedBodyBytes = 1 << 20
        var conversation = Conversation(limits: limits)
        var handed = 0
        conversation.admit = { request, _ in
            #expect(request.sink == nil)
            handed += 1
            return handed == 2 ? .read : .hand(to: sinks[handed - 1])
        }
        for body in ["one", "two", "six"] {
            conversation.receive(
                "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            conversation.receive("3\r\n\(body)\r\n0\r\n\r\n")
        }
        #expect(conversation.requests == ["POST /a ", "POST /a two", "POST /a "])
        #expect(sinks.map(\.text) == ["one", "", "six"])
    }

    private final class Sink: HTTPBodySink {
        private let received = Mutex("")

        var text: String { received.withLock { $0 } }

        func take(_ bytes: borrowing Span<UInt8>) {
            let text = bytes.text
            received.withLock { $0 += text }
        }
    }

    @Test("a request whose head was changed, or that a program has made, has no number")
    func changed() throws {
        let reader = RequestReader()
        #expect(try HTTPRequest(.get, "/a").headNumber == nil)
        let request = try #require(reader.read(.get, "/a"))
        #expect(request.headNumber != nil)
        var copies = [request, request, request, request]
        copies[0].method = .head
        copies[1].version = .http10
        copies[2].path = RequestPath()
        copies[3].body = [1]
        #expect(copies.map { $0.headNumber == nil } == [true, true, true, false])
        #expect(reader.read(.get, "/a")?.headNumber == request.headNumber)
    }

    @Test("numbers are taken when there are none left, and never twice")
    func blocks() {
        var blocks: [Range<UInt64>] = [9..<12, 3..<4]
        let rules = HTTPConnectionConfiguration(
            limits: HTTPLimits(),
            takeHeadNumbers: { blocks.removeFirst() }
        )
        #expect((0..<4).map { _ in rules.numberHead() } == [9, 10, 11, 3])
        #expect(HTTPConnectionConfiguration(limits: HTTPLimits()).numberHead() == nil)
    }
}
