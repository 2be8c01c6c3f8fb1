import Bytes
import HTTP
import HTTPServer
import Locks
import TestSupport
import Testing

@Suite("Connections have their turn")
struct TurnTests {
    /// Does what takes longer than a turn may.
    private static func work() {
        let end = ContinuousClock.now + .milliseconds(6)
        while ContinuousClock.now < end {}
    }

    /// What has been done, in order; at the first slow work somebody else asks something.
    private final class Record: Sendable {
        let done = Locked<[String]>([])
        let whenBegun = Locked<(@Sendable () -> Void)?>(nil)

        func slow(_ name: String) {
            whenBegun.withLock { $0.take() }?()
            TurnTests.work()
            done.withLock { $0.append(name) }
        }
    }

    /// A stream of many pieces that take long.
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
        let record = Record()
        let server = try TestServer { request, response in
            switch request.path.rawPath {
            case "/slow": record.slow("slow")
            case "/stream": response.stream = SlowStream(record)
            default: record.done.withLock { $0.append("quick") }
            }
        }
        let other = try server.connect()
        let another = Locked(consume other)
        record.whenBegun.withLock {
            $0 = {
                another.withLock { try? $0.send("GET /quick HTTP/1.1\r\nHost: h\r\n\r\n") }
            }
        }
        let client = try server.connect()
        try client.send(requests)
        let answer = try another.withLock { try $0.receiveResponse() }
        #expect(answer.status == 200)
        let place = try #require(record.done.withLock { $0.firstIndex(of: "quick") })
        #expect(place < 10)
    }
}
