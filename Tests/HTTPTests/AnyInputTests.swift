import Bytes
import HTTP
import TestSupport
import Testing

@Suite("Any input, cut anywhere")
struct AnyInputTests {
    static let heads: [String] =
        [
            "GET /users?limit=5 HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nX-Own: \tb c \r\n\r\n",
            "\r\n\r\nPOST /%41/../b HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: 5\r\n\r\nhello",
            "OPTIONS * HTTP/1.0\r\nConnection: keep-alive\r\nx:\r\n\r\nGET / HTTP/1.1\r\n",
            "PUT http://a/b?c HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: Chunked\r\n"
                + "Expect: 100-continue\r\n\r\n0\r\n\r\n",
            "get / HTTP/1.1\r\nHost: a\r\n\r\n",
        ] + RequestLineTests.malformed.map(\.0)
        + FieldTests.malformed.map { "GET / HTTP/1.1\r\nHost: a\r\n\($0.0)\r\n\r\n" }
        + BodyFramingTests.refused.map { "POST / HTTP/1.1\r\nHost: a\r\n\($0.0)\r\n" }

    @Test("every cut of a head reads alike", arguments: heads)
    func everyCutOfAHead(text: String) {
        let bytes = Array(text.utf8)
        let whole = readHead([bytes])
        #expect(whole != .needsMoreBytes)
        for chunks in chunkings(of: bytes) {
            #expect(readHead(chunks) == whole, "\(chunks)")
        }
    }

    @Test("every cut of a head over a small limit reads alike")
    func everyCutOverTheLimit() {
        var limits = HTTPLimits()
        limits.maximumRequestLineBytes = 20
        limits.maximumFieldLineBytes = 12
        limits.maximumFieldSectionBytes = 30
        limits.maximumFields = 3
        let texts = [
            "GET /12345678901234567890 HTTP/1.1\r\n", "GET /1234567 HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nx: 1234567890\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n1234567890123\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nx: 123456\r\ny: 1234567\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nx: 123456\r\ny: 123456\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nx:\r\ny:\r\nz:\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nx:\r\ny:\r\n\r\n",
        ]
        for text in texts {
            let bytes = Array(text.utf8)
            let whole = readHead([bytes], limits: limits)
            for chunks in chunkings(of: bytes) {
                #expect(readHead(chunks, limits: limits) == whole, "\(text) \(chunks)")
            }
        }
    }

    static let conversations: [String] = [
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\nHEAD /b HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /b HTTP/1.1\r\n"
            + "Host: a\r\nConnection: close\r\n\r\nGET /c HTTP/1.1\r\nHost: a\r\n\r\n",
        "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n0\r\n"
            + "t: u\r\n\r\nFOO /b HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
            + "\r\nGET /c HTTP/1.1\r\nHost: a\r\n\r\nGET /d HTTP/1.1\r\n\r\n",
        "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /b HTTP/1.0\r\n\r\nGET /c",
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\nPOST /b HTTP/1.1\r\nHost: a\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX",
    ]

    @Test("every cut of a conversation is answered alike", arguments: conversations)
    func everyCutOfAConversation(text: String) {
        let bytes = Array(text.utf8)
        var whole = Conversation()
        whole.receive(bytes)
        let (requests, sent, ending) = (whole.requests, whole.sent, whole.ending)
        #expect(!sent.isEmpty)
        for chunks in chunkings(of: bytes) {
            var conversation = Conversation()
            for chunk in chunks { conversation.receive(chunk) }
            #expect(conversation.requests == requests, "\(chunks)")
            #expect(conversation.sent == sent, "\(chunks)")
            #expect(conversation.ending == ending, "\(chunks)")
        }
    }

    /// Bytes that come close to requests, so that they go deep into the parser.
    private static let fragments: [String] = [
        "GET", "POST", "HEAD", "OPTIONS", "FOO", " ", " /", "/a", "/../", "%41", "%", "*", "?",
        "http://a", " HTTP/1.1", " HTTP/1.0", "\r\n", "\r\n\r\n", "\n", "\r", ":", "Host: a\r\n",
        "Content-Length: ", "5", "0", "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n",
        "Connection: close\r\n", "Connection: keep-alive\r\n", "5\r\nhello\r\n", "0\r\n\r\n",
        ";a=b",
        "\"", "\\", ",", "\t", "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n",
    ]

    @Test("no bytes trap, and half a request is never answered with success", arguments: 0..<40)
    func randomBytes(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            var conversation = Conversation()
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                var bytes: [UInt8] = []
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    if Int.random(in: 0..<8, using: &generator) == 0 {
                        bytes.append(UInt8.random(in: 0...255, using: &generator))
                    } else {
                        bytes += (Self.fragments.randomElement(using: &generator) ?? "").utf8
                    }
                }
                conversation.receive(bytes)
                if Int.random(in: 0..<10, using: &generator) == 0 {
                    conversation.wait(.seconds(40))
                }
                if Int.random(in: 0..<40, using: &generator) == 0 { conversation.drain() }
            }
            conversation.finishSending()
            let answers = conversation.answers
            let successes = answers.filter { $0.status == 200 }.count
            let requests = conversation.requests.count
            #expect(successes == requests, "seed \(seed): \(conversation.text.debugDescription)")
            #expect(answers.allSatisfy { $0.isComplete }, "seed \(seed)")
            let ending = conversation.ending
            #expect(ending == .closed || ending == .lingering, "seed \(seed)")
        }
    }

    @Test("what is sent as a request is read back as it was", arguments: 0..<20)
    func roundTrip(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            let segments = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                randomText(using: &generator)
            }
            let value = randomText(using: &generator)
            let path = segments.map { "/" + PercentEncoding.encode($0, for: .pathSegment) }.joined()
            let query = "q=" + PercentEncoding.encode(value, for: .queryComponent)
            let request = try HTTPRequest(.get, "\(path)?\(query)")
            #expect(request.path.segments == segments)
            let items = try request.queryItems.map { [$0.name, $0.value] }
            #expect(items == [["q", value]])
        }
    }

    /// Text that a path segment can hold: neither empty nor of dots, without control bytes.
    private func randomText(using generator: inout SeededGenerator) -> String {
        var text = "x"
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            let scalar = Unicode.Scalar(UInt32.random(in: 0x20...0x2FF, using: &generator))
            if let scalar, scalar.value != 0x7F { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
