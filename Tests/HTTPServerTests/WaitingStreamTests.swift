import Bytes
import HTTP
import HTTPServer
import Locks
import System
import TestSupport
import Testing

@Suite("Streams that wait, over a socket")
struct WaitingStreamTests {
    /// Takes letters from any thread and sends them.
    private final class Mailbox: Sendable {
        private let letters = Locked<[String]>([])
        private let waker = Locked<HTTPStreamWaker?>(nil)
        let released: EventFD

        init() throws { released = try EventFD() }

        func post(_ letter: String) {
            letters.withLock { $0.append(letter) }
            waker.withLock { $0 }?.wake()
        }

        func take() -> [String] {
            letters.withLock { letters in
                defer { letters = [] }
                return letters
            }
        }

        func open(_ waker: HTTPStreamWaker) { self.waker.withLock { $0 = waker } }

        var isReleased: Bool {
            get throws {
                try released.descriptor.wait(for: .reading, until: .now.advanced(by: .seconds(20)))
            }
        }
    }

    private final class Stream: HTTPBodyStream {
        private let mailbox: Mailbox
        /// Whether there may be more at once behind a letter, which is looked for then.
        private let looksBehind: Bool

        init(_ mailbox: Mailbox, looksBehind: Bool = false) {
            self.mailbox = mailbox
            self.looksBehind = looksBehind
        }

        deinit { mailbox.released.wake() }

        func begin(waker: HTTPStreamWaker) { mailbox.open(waker) }

        func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
            for letter in mailbox.take() {
                if letter == "end" { return .finished }
                buffer.append(letter)
                if looksBehind { return .more }
            }
            return .waiting(atMost: .seconds(3600))
        }
    }

    private func server(_ mailbox: Mailbox) throws -> TestServer {
        try TestServer { request, response in
            switch request.path.rawPath {
            case "/stream": response.stream = Stream(mailbox)
            case "/looking": response.stream = Stream(mailbox, looksBehind: true)
            case "/pieces":
                response.stream = Stream(mailbox)
                response.waitsForPieces = true
            default:
                response.body.append("other")
            }
        }
    }

    private static let get = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("what another thread has is sent at once, and the connection is kept")
    func woken() throws {
        let mailbox = try Mailbox()
        let server = try server(mailbox)
        let client = try server.connect()
        try client.send(Self.get)
        _ = try client.receive { bytes in
            String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\n") ? bytes.count : nil
        }
        for letter in ["one", "two", "three"] {
            mailbox.post(letter)
            let frame = "\(String(letter.count, radix: 16))\r\n\(letter)\r\n"
            let received = try client.receive(count: frame.utf8.count)
            #expect(received == Array(frame.utf8))
        }
        mailbox.post("end")
        #expect(try client.receive(count: 5) == Array("0\r\n\r\n".utf8))
        try client.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receiveResponse().text == "other")
    }

    @Test("a stream that has nothing right behind a piece goes on when it is woken")
    func nothingBehind() throws {
        let mailbox = try Mailbox()
        let server = try server(mailbox)
        let client = try server.connect()
        // Enough to be sent before more is looked for.
        let letter = String(repeating: "x", count: 20_000)
        try client.send("GET /looking HTTP/1.1\r\nHost: a\r\n\r\n")
        for _ in 0..<3 {
            mailbox.post(letter)
            _ = try client.receive { bytes in
                String(decoding: bytes, as: UTF8.self).hasSuffix("x\r\n") ? bytes.count : nil
            }
        }
        mailbox.post("end")
        #expect(try client.receive(count: 5) == Array("0\r\n\r\n".utf8))
    }

    @Test("a server that drains ends the stream of nobody who only sends no more")
    func halfClosedDrain() throws {
        let mailbox = try Mailbox()
        let server = try server(mailbox)
        let client = try server.connect()
        try client.send("GET /pieces HTTP/1.1\r\nHost: a\r\n\r\n")
        mailbox.post("one")
        _ = try client.receive { bytes in
            String(decoding: bytes, as: UTF8.self).hasSuffix("one\r\n") ? bytes.count : nil
        }
        try client.endOutput()
        let other = try server.connect()
        try other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try other.receiveResponse().text == "other")
        server.server.stop()
        // Closed when the server has noticed.
        #expect(try other.isEndedByServer())
        mailbox.post("two")
        mailbox.post("end")
        #expect(try client.receive(count: 13) == Array("3\r\ntwo\r\n0\r\n\r\n".utf8))
        #expect(try server.waitForEnding() == .drained)
    }

    @Test("a stream without end that has ended leaves its place, also on the same connection")
    func placeLeft() throws {
        let mailbox = try Mailbox()
        let server = try TestServer {
            $0.limits.maximumStreamsPerAddress = 1
        } makeHandler: { _ in
            ClosureHandler { _, response in
                response.stream = Stream(mailbox)
                response.isLasting = true
            }
        }
        let client = try server.connect()
        for _ in 0..<3 {
            try client.send(Self.get)
            mailbox.post("end")
            #expect(try client.receiveResponse().status == 200)
        }
    }
}
