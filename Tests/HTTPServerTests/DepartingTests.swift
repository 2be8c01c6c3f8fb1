import Bytes
import HTTP
import HTTPServer
import Locks
import System
import TestSupport
import Testing

@Suite("Answers that leave together")
struct DepartingTests {
    /// Holds a loop on its thread, behind what it was woken by: to no answer's time, and in no turn
    /// of the clients.
    private final class Holder: Sendable {
        let waker = Locked<HTTPStreamWaker?>(nil)
        let hasWaker: Gate
        private let next = Locked<(begun: Gate, end: Gate)?>(nil)

        init() throws { hasWaker = try Gate() }

        func hold(_ body: () throws -> Void) throws {
            let (begun, end) = (try Gate(), try Gate())
            next.withLock { $0 = (begun, end) }
            #expect(try hasWaker.wait())
            waker.withLock { $0 }?.wake()
            #expect(try begun.wait())
            defer { end.open() }
            try body()
        }

        func look() {
            guard let (begun, end) = next.withLock({ $0.take() }) else { return }
            begun.open()
            _ = try? end.wait()
        }
    }

    private final class BlockingHandler: HTTPTimerHandler {
        let holder: Holder
        let answer: ClosureHandler

        init(_ holder: Holder, _ answer: @escaping ClosureHandler.Respond) {
            self.holder = holder
            self.answer = ClosureHandler(answer)
        }

        func begin(waker: HTTPStreamWaker) {
            holder.waker.withLock { $0 = waker }
            holder.hasWaker.open()
        }

        func tick(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            holder.look()
            return nil
        }

        func respond(
            to request: borrowing HTTPRequest,
            with response: inout HTTPResponse
        ) throws {
            try answer.respond(to: request, with: &response)
        }
    }

    /// A server whose loop is held while clients ask, so that one turn has all that they ask.
    private final class BlockedServer {
        /// What was sent when each request was answered, in order.
        let sent = Locked<[Int]>([])
        let server: TestServer
        private let holder: Holder

        init(configure: (inout HTTPServer.Configuration) -> Void = { _ in }) throws {
            let state = HTTPServerState()
            let probe = Probe()
            let holder = try Holder()
            let configured = { (configuration: inout HTTPServer.Configuration) in
                configuration.state = state
                configure(&configuration)
            }
            server = try TestServer(configure: configured) { [sent] _ in
                BlockingHandler(holder) { request, response in
                    switch request.path.rawPath {
                    case "/slow":
                        DepartingTests.work()
                        fallthrough
                    case "/large":
                        let bytes = state.totals.sentBytes
                        sent.withLock { $0.append(bytes) }
                        let count = Int(request.query ?? "") ?? 0
                        response.body.append(DepartingTests.pattern.span.extracting(..<count))
                    default: try SampleHandler(probe).respond(to: request, with: &response)
                    }
                }
            }
            self.holder = holder
        }

        func client() throws -> RawConnection {
            let client = try server.connect()
            try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveResponse().text == "hello\n")
            return client
        }

        func hold(_ body: () throws -> Void) throws {
            sent.withLock { $0 = [] }
            try holder.hold(body)
        }

        func ask(_ clients: [RawConnection], _ target: String, bytes: Int) throws -> [Int] {
            try hold {
                for client in clients {
                    try client.send("GET \(target)?\(bytes) HTTP/1.1\r\nHost: h\r\n\r\n")
                }
            }
            let body = (0..<bytes).map(patternByte)
            for client in clients { #expect(try client.receiveResponse().body == body) }
            var runs: [Int] = []
            var last: Int?
            for bytes in sent.withLock({ $0 }) {
                if bytes == last { runs[runs.count - 1] += 1 } else { runs.append(1) }
                last = bytes
            }
            return runs
        }
    }

    private static let pattern = (0..<200_000).map(patternByte)

    private static func work() {
        let end = ContinuousClock.now + .milliseconds(3)
        while ContinuousClock.now < end {}
    }

    @Test(
        "answers of one turn leave together, as many as may wait",
        arguments: [(8, 2_000, 8), (40, 2_000, 32), (12, 60_000, 5)]
    )
    func together(clients: Int, bytes: Int, most: Int) throws {
        let server = try BlockedServer()
        let clients = try (0..<clients).map { _ in try server.client() }
        // A machine that does something else meanwhile makes any answer slow, but not every time.
        var hasLeftTogether = false
        for _ in 0..<200 where !hasLeftTogether {
            let runs = try server.ask(clients, "/large", bytes: bytes)
            #expect(runs.allSatisfy { $0 <= most })
            hasLeftTogether = runs.contains { $0 > 1 }
        }
        #expect(hasLeftTogether)
    }

    @Test("small and large answers leave at once", arguments: [10, 1_023, 65_537, 200_000])
    func atOnce(bytes: Int) throws {
        let server = try BlockedServer()
        let clients = try (0..<8).map { _ in try server.client() }
        for _ in 0..<3 {
            let runs = try server.ask(clients, "/large", bytes: bytes)
            #expect(runs == Array(repeating: 1, count: 8))
        }
    }

    @Test("behind a slow answer nobody waits but for the next")
    func slow() throws {
        let server = try BlockedServer()
        let clients = try (0..<8).map { _ in try server.client() }
        let runs = try server.ask(clients, "/slow", bytes: 2_000)
        // What was sent is looked at behind the work: the answer that waited has left before.
        #expect(runs == Array(repeating: 1, count: 8))
    }

    @Test(
        "everybody gets the own answer, however it is asked for",
        arguments: 0..<8 as Range<UInt64>
    )
    func mixed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let server = try BlockedServer { $0.limits.lingerTimeout = .milliseconds(50) }
        for _ in 0..<4 {
            var clients = try (0..<48).map { _ in try server.client() }
            var expected: [[Int]] = []
            try server.hold {
                // Some leave without a word, or with a request on the way.
                let leaving = clients.filter { _ in Int.random(in: 0..<8, using: &generator) == 0 }
                for client in leaving {
                    if Bool.random(using: &generator) {
                        try client.send("GET /large?2000 HTTP/1.1\r\nHost: h\r\n\r\n")
                    }
                    try client.resetWhenReleased()
                }
                clients.removeAll { client in leaving.contains { $0 === client } }
                for client in clients {
                    let count = Int.random(in: 1...3, using: &generator)
                    let sizes = (0..<count).map { _ in
                        [0, 20, 1_024, 3_000, 60_000, 70_000].randomElement(using: &generator) ?? 0
                    }
                    expected.append(sizes)
                    for (location, size) in sizes.enumerated() {
                        let kind = Bool.random(using: &generator) ? "large" : "stream"
                        let isLast = location == count - 1
                        let version =
                            isLast && kind == "large" ? Int.random(in: 0...1, using: &generator) : 1
                        try client.send("GET /\(kind)?\(size) HTTP/1.\(version)\r\nHost: h\r\n")
                        if isLast { try client.send("Connection: close\r\n") }
                        try client.send("\r\n")
                    }
                }
            }
            for (client, sizes) in zip(clients, expected) {
                for size in sizes {
                    let response = try client.receiveResponse()
                    #expect(response.status == 200)
                    #expect(response.body == (0..<size).map(patternByte))
                }
                #expect(try client.isEndedByServer())
            }
        }
        #expect(try server.server.stop() == .drained)
    }

    @Test("answers that wait leave before a drain closes what is idle")
    func drain() throws {
        let server = try BlockedServer { $0.limits.lingerTimeout = .milliseconds(50) }
        let clients = try (0..<8).map { _ in try server.client() }
        try server.hold {
            for client in clients { try client.send("GET /large?2000 HTTP/1.1\r\nHost: h\r\n\r\n") }
            server.server.server.stop()
        }
        for client in clients {
            #expect(try client.receiveResponse().body == (0..<2_000).map(patternByte))
        }
        #expect(try server.server.waitForEnding() == .drained)
    }

    @Test("connections that make room for others have been answered", arguments: [1, 3, 8])
    func makingRoom(maximum: Int) throws {
        let server = try BlockedServer { $0.limits.maximumConnections = maximum }
        var clients: [RawConnection] = []
        try server.hold {
            clients = try (0..<40).map { _ in try server.server.connect() }
            for client in clients { try client.send("GET /large?2000 HTTP/1.1\r\nHost: h\r\n\r\n") }
        }
        while !clients.isEmpty {
            let client = clients.removeFirst()
            #expect(try client.receiveResponse().body == (0..<2_000).map(patternByte))
        }
    }
}
