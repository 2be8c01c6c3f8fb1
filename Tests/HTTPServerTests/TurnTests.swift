import Bytes
import HTTP
import HTTPServer
import Locks
import System
import TestSupport
import Testing

@Suite("Connections have their turn")
struct TurnTests {
    private static func work() {
        let end = ContinuousClock.now + .milliseconds(6)
        while ContinuousClock.now < end {}
    }

    /// What has been done, in order; the first slow work waits until somebody else asks something.
    private final class Record: Sendable {
        let done = Locked<[String]>([])
        let begun: EventFD
        let isAsked: EventFD

        init() throws {
            begun = try EventFD()
            isAsked = try EventFD()
        }

        func slow(_ name: String) {
            begun.wake()
            // Readable from then on.
            let deadline = ContinuousClock.now + .seconds(60)
            _ = try? isAsked.descriptor.wait(for: .reading, until: deadline)
            TurnTests.work()
            done.withLock { $0.append(name) }
        }
    }

    private final class SlowStream: HTTPBodyStream {
        private let record: Record
        private var left = 40

        init(_ record: Record) { self.record = record }

        func write(into buffer: inout ByteBuffer) -> HTTPStreamState {
            record.slow("piece")
            for _ in 0..<20_000 { buffer.append(0x61) }
            left -= 1
            return left == 0 ? .finished : .more
        }
    }

    @Test(
        "slow answers to one client are given between answers to the others",
        arguments: [
            String(repeating: "HEAD /slow HTTP/1.1\r\nHost: h\r\n\r\n", count: 40),
            "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n",
        ]
    )
    func slowAnswers(requests: String) throws {
        let record = try Record()
        let server = try TestServer { request, response in
            switch request.path.rawPath {
            case "/slow": record.slow("slow")
            case "/stream": response.stream = SlowStream(record)
            default: record.done.withLock { $0.append("quick") }
            }
        }
        let other = try server.connect()
        let client = try server.connect()
        try client.send(requests)
        let deadline = ContinuousClock.now + .seconds(60)
        #expect(try record.begun.descriptor.wait(for: .reading, until: deadline))
        try other.send("GET /quick HTTP/1.1\r\nHost: h\r\n\r\n")
        record.isAsked.wake()
        #expect(try other.receiveResponse().status == 200)
        let location = try #require(record.done.withLock { $0.firstIndex(of: "quick") })
        #expect(location < 10)
    }
}
