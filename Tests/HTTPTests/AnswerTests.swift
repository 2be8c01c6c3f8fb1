import Bytes
import HTTP
import TestSupport
import Testing

@Suite("Answers (RFC 9112 §6, RFC 9110 §9.3.2)")
struct AnswerTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private final class Pieces: HTTPBodyStream {
        struct Failure: Error {}

        private var rest: [String]
        private let fails: Bool
        private let onRelease: () -> Void

        init(_ pieces: [String], fails: Bool = false, onRelease: @escaping () -> Void = {}) {
            rest = pieces.reversed()
            self.fails = fails
            self.onRelease = onRelease
        }

        deinit { onRelease() }

        func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
            if let piece = rest.popLast() {
                buffer.append(piece)
                return rest.isEmpty && !fails ? .finished : .more
            }
            if fails { throw Failure() }
            return .finished
        }
    }

    private static func stream(_ pieces: [String], fails: Bool = false) -> Conversation.Handler {
        { _, response in response.stream = Pieces(pieces, fails: fails) }
    }

    @Test("HEAD has the fields of GET and no body")
    func head() {
        var conversation = Conversation { _, response in
            response.addField(.etag, "\"1\"")
            response.body.append("hello")
        }
        conversation.receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
        let answers = conversation.answers
        #expect(answers.map(\.status) == [200, 200])
        #expect(answers.map(\.body) == ["", "hello"])
        #expect(answers.first?.fields == answers.last?.fields)
        #expect(answers.first?.fields["content-length"] == "5")
    }

    @Test(
        "a kept body is sent like any other: in parts of any size, before and behind other answers",
        arguments: [nil, 1, 7, 100] as [Int?]
    )
    func sharedBody(step: Int?) {
        var bytes = ByteBuffer()
        bytes.append("kept for many")
        let kept = SharedBody(bytes)
        var conversation = Conversation { request, response in
            response.body.append("own")
            if request.path.rawPath == "/kept" { response.sharedBody = kept }
        }
        conversation.room = step
        let requests = ["GET /kept", "GET /", "HEAD /kept", "GET /kept", "GET /kept", "GET /"]
        conversation.receive(requests.map { "\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        for _ in 0..<2_000 where step != nil { conversation.makeRoom(step) }
        let answers = conversation.answers
        #expect(
            answers.map(\.body)
                == ["kept for many", "own", "", "kept for many", "kept for many", "own"]
        )
        #expect(
            answers.compactMap { $0.fields["content-length"] } == [
                "13", "3", "13", "13", "13", "3",
            ]
        )
        #expect(answers.allSatisfy { $0.isComplete })
    }

    @Test(
        "204 and 304 have neither body nor length, even when one was filled in",
        arguments: [HTTPStatus.noContent, .notModified]
    )
    func withoutContent(status: HTTPStatus) {
        var conversation = Conversation { _, response in
            response.status = status
            response.body.append("never sent")
        }
        conversation.receive(Self.get + Self.get)
        let answers = conversation.answers
        #expect(answers.map(\.status) == [status.code, status.code])
        #expect(answers.allSatisfy { $0.fields["content-length"] == nil })
        #expect(answers.allSatisfy { $0.fields["transfer-encoding"] == nil })
        #expect(!conversation.text.contains("never sent"))
    }

    @Test("an empty body has length 0")
    func empty() {
        var conversation = Conversation { _, _ in }
        conversation.receive(Self.get)
        #expect(conversation.answers.first?.fields["content-length"] == "0")
    }

    @Test("a response is empty again for the next answer")
    func reuse() {
        var conversation = Conversation { request, response in
            guard request.path.rawPath == "/a" else { return }
            response.status = .notFound
            response.addField("x-own", "1")
            response.body.append("first")
        }
        conversation.receive("GET /a HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
        let second = conversation.answers.last
        #expect(second?.status == 200)
        #expect(second?.body == "")
        #expect(second?.fields["x-own"] == nil)
    }

    @Test("a handler can close the connection")
    func closes() {
        var conversation = Conversation { _, response in response.closesConnection = true }
        conversation.receive(Self.get + Self.get)
        #expect(conversation.answers.map { $0.fields["connection"] } == ["close"])
    }

    @Test("a handler that throws is answered 500, and the connection goes on")
    func handlerFails() {
        struct Failure: Error {}
        var conversation = Conversation { request, response in
            response.addField("x-own", "half")
            response.body.append("half an answer")
            if request.path.rawPath == "/fail" { throw Failure() }
        }
        conversation.receive("GET /fail HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
        let answers = conversation.answers
        #expect(answers.map(\.status) == [500, 200])
        #expect(answers.first?.fields["x-own"] == nil)
        #expect(answers.first?.body.contains("half") == false)
        #expect(conversation.ending == .open)
    }

    @Test("a stream is chunked for HTTP/1.1, and the connection goes on")
    func chunked() {
        var conversation = Conversation(handler: Self.stream(["hello ", "", "world"]))
        conversation.receive(Self.get + Self.get)
        let answers = conversation.answers
        #expect(answers.map(\.body) == ["hello world", "hello world"])
        #expect(answers.allSatisfy { $0.isComplete })
        #expect(answers.first?.fields["content-length"] == nil)
        #expect(conversation.text.hasSuffix("\r\n\r\nb\r\nhello world\r\n0\r\n\r\n"))
        // Head and first piece leave together.
        #expect(conversation.writes == 2)
    }

    @Test("a stream that gives nothing is an empty body")
    func emptyStream() {
        var conversation = Conversation(handler: Self.stream([]))
        conversation.receive(Self.get)
        #expect(conversation.answers.map(\.body) == [""])
        #expect(conversation.answers.first?.isComplete == true)
        var old = Conversation(handler: Self.stream([]))
        old.receive("GET / HTTP/1.0\r\n\r\n")
        #expect(old.answers.map(\.body) == [""])
        #expect(old.ending == .lingering)
    }

    @Test("a stream to HTTP/1.0 ends with the connection, kept alive or not")
    func untilClose() {
        var conversation = Conversation(handler: Self.stream(["hello ", "world"]))
        conversation.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let answer = conversation.answers.first
        #expect(answer?.body == "hello world")
        #expect(answer?.fields["transfer-encoding"] == nil)
        #expect(answer?.fields["connection"] == "close")
        #expect(conversation.ending == .lingering)
    }

    @Test("HEAD never starts a stream")
    func headOfStream() {
        var conversation = Conversation(handler: Self.stream(["hello"]))
        conversation.receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
        #expect(conversation.answers.map(\.body) == ["", "hello"])
        #expect(conversation.answers.first?.fields["transfer-encoding"] == "chunked")
    }

    @Test(
        "a stream that fails resets the connection, so that the part is not taken for the whole",
        arguments: ["1.0", "1.1"]
    )
    func streamFails(version: String) {
        let piece = String(repeating: "x", count: 20_000)
        var conversation = Conversation(handler: Self.stream([piece], fails: true))
        conversation.receive("GET / HTTP/\(version)\r\nHost: a\r\n\r\n")
        #expect(conversation.ending == .reset)
        #expect(conversation.text.contains("xxx"))
    }

    @Test("the next piece is asked for only when the socket has taken the last")
    func backPressure() {
        var asked = 0
        final class EndlessStream: HTTPBodyStream {
            let onWrite: () -> Void
            init(onWrite: @escaping () -> Void) { self.onWrite = onWrite }
            func write(into buffer: inout ByteBuffer) -> HTTPStreamState {
                onWrite()
                buffer.append([UInt8](repeating: UInt8(ascii: "x"), count: 16 * 1024))
                return .more
            }
        }
        let counter = Counter()
        var conversation = Conversation { _, response in
            response.stream = EndlessStream { counter.count += 1 }
        }
        conversation.room = 100_000
        conversation.receive(Self.get)
        asked = counter.count
        #expect(asked == 7)
        conversation.makeRoom(16 * 1024)
        #expect(counter.count == 8)
    }

    private final class Counter {
        var count = 0
    }

    @Test("a stream is released with its connection")
    func release() {
        let counter = Counter()
        let pieces = Array(repeating: String(repeating: "x", count: 20_000), count: 3)
        do {
            var conversation = Conversation { _, response in
                response.stream = Pieces(pieces) { counter.count += 1 }
            }
            conversation.room = 10
            conversation.receive(Self.get)
            #expect(counter.count == 0)
        }
        #expect(counter.count == 1)
    }

    @Test(
        "a value with a control byte is a mistake of the handler",
        arguments: ["a\r\nb", "\u{0}"]
    )
    func controlByte(value: String) async {
        await #expect(processExitsWith: .failure) { [value] in
            var response = HTTPResponse()
            response.addField("x", value)
        }
    }

    @Test("the fields of the server are its own")
    func ownFields() async {
        await #expect(processExitsWith: .failure) {
            var response = HTTPResponse()
            response.addField(.contentLength, "5")
        }
    }

    @Test("fields added can be read back")
    func readBack() {
        var response = HTTPResponse()
        response.addField(.contentType, "text/html")
        response.addField("X-Own", "a: b")
        response.addField(.link) { $0.append("</a>; rel=next") }
        #expect(response.field("content-type") == "text/html")
        #expect(response.field("x-OWN") == "a: b")
        #expect(response.field(.link) == "</a>; rel=next")
        #expect(response.field(.etag) == nil)
    }

    @Test("any split of the output is the same bytes", arguments: 0..<10)
    func partialWrites(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let handler = Self.stream([String(repeating: "ab", count: 30_000), "end"])
        var whole = Conversation(handler: handler)
        whole.receive(Self.get + Self.get)
        var split = Conversation(handler: handler)
        split.room = 0
        split.receive(Self.get + Self.get)
        while split.sent.count < whole.sent.count {
            split.makeRoom(Int.random(in: 1...5000, using: &generator))
        }
        let same = split.sent == whole.sent
        #expect(same)
    }

    @Test("every status with a phrase has one, any other an empty one")
    func reasons() {
        #expect(HTTPStatus.ok.reason.description == "OK")
        #expect(HTTPStatus(code: 299).reason.description == "")
        var conversation = Conversation { _, response in response.status = HTTPStatus(code: 599) }
        conversation.receive(Self.get)
        #expect(conversation.text.hasPrefix("HTTP/1.1 599 \r\n"))
    }
}
