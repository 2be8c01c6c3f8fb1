import Bytes
import HTTP
import HTTPServer
import Locks
import Synchronization
import System
import TestSupport
import Testing

/// What the handlers of these tests and the tests themselves tell each other.
final class DeferralProbe: Sendable {
    let entered: Gate
    let mayAnswer: Gate
    let cancelled: Gate
    let calls = Atomic(0)

    init() throws {
        entered = try Gate()
        mayAnswer = try Gate()
        cancelled = try Gate()
    }
}

/// Answers at once, or when the gate is opened, or not.
private struct BlockingSample: BlockingHTTPHandler {
    struct Failure: Error {}

    let probe: DeferralProbe

    func respond(to request: HTTPRequest, with response: inout HTTPResponse) throws {
        probe.calls.add(1, ordering: .relaxed)
        response.addField(.contentType, "text/plain")
        switch request.path.rawPath {
        case "/wait":
            probe.entered.open()
            guard try probe.mayAnswer.wait() else { throw Failure() }
            response.body.append("waited ")
            response.body.append(request.body)
        case "/fail": throw Failure()
        case "/stream": response.stream = PatternStream(Probe(), bytes: 100_000)
        default: response.body.append(request.path.rawPath)
        }
    }
}

private struct AsyncSample: AsyncHTTPHandler {
    let probe: DeferralProbe

    func respond(to request: HTTPRequest, with response: inout HTTPResponse) async throws {
        probe.calls.add(1, ordering: .relaxed)
        response.addField(.contentType, "text/plain")
        switch request.path.rawPath {
        case "/wait":
            probe.entered.open()
            let gate = probe.mayAnswer
            let isOpen = try await withCheckedThrowingContinuation { continuation in
                var threads = ThreadGroup()
                do {
                    try threads.start(named: "gate") {
                        continuation.resume(with: Result { try gate.wait() })
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
                threads.detach()
            }
            guard isOpen else { throw BlockingSample.Failure() }
            response.body.append("waited ")
            response.body.append(request.body)
        case "/sleep":
            probe.entered.open()
            do {
                try await Task.sleep(for: .seconds(3_600))
            } catch {
                probe.cancelled.open()
                throw error
            }
        case "/fail": throw BlockingSample.Failure()
        case "/stream": response.stream = PatternStream(Probe(), bytes: 100_000)
        default: response.body.append(request.path.rawPath)
        }
    }
}

private final class PoolExecutor: TaskExecutor {
    static let shared = PoolExecutor()

    private let queue = JobQueue(maximumWaiting: 10_000)

    private init() {
        queue.expect(threads: 4)
        var threads = ThreadGroup()
        for number in 0..<4 {
            // Without one the tests that need it fail.
            try? threads.start(named: "tasks-\(number)") { [queue] in queue.work() }
        }
        threads.detach()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // SAFETY: each job is run once, and this executor is never released.
        _ = queue.offer { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Answers `/loop` itself and leaves the rest to another handler.
private final class MixedHandler: HTTPHandler {
    private let rest: any HTTPHandler

    init(_ rest: any HTTPHandler) { self.rest = rest }

    func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        guard request.path.rawPath == "/loop" else {
            return try rest.respond(to: request, with: &response)
        }
        response.body.append("loop")
    }
}

@Suite("Answers made elsewhere than on the loop")
struct DeferredAnswerTests {
    enum Kind: CaseIterable {
        case worker
        case task
    }

    private func server(
        _ kind: Kind,
        _ probe: DeferralProbe,
        workers: WorkerPool = WorkerPool(threads: 4),
        _ configure: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer(configure: configure) { _ in
            switch kind {
            case .worker: MixedHandler(WorkerHandler(BlockingSample(probe: probe), on: workers))
            case .task:
                MixedHandler(TaskHandler(AsyncSample(probe: probe), on: PoolExecutor.shared))
            }
        }
    }

    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n"
    }

    private static func post(_ path: String, _ body: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test(
        "the loop goes on while an answer is made, and sends it when it is",
        arguments: Kind.allCases
    )
    func loopGoesOn(kind: Kind) throws {
        let probe = try DeferralProbe()
        let server = try server(kind, probe)
        let slow = try server.connect()
        try slow.send(Self.post("/wait", "for me"))
        #expect(try probe.entered.wait())
        let other = try server.connect()
        for path in ["/loop", "/quick"] {
            try other.send(Self.get(path))
            #expect(try other.receiveResponse().status == 200)
        }
        probe.mayAnswer.open()
        let response = try slow.receiveResponse()
        #expect(response.text == "waited for me")
        #expect(response.field("Connection") == nil)
        try slow.send(Self.get("/loop"))
        #expect(try slow.receiveResponse().text == "loop")
    }

    @Test(
        "pipelined requests are answered in order, whoever answers them",
        arguments: Kind.allCases
    )
    func order(kind: Kind) throws {
        let probe = try DeferralProbe()
        let server = try server(kind, probe)
        let client = try server.connect()
        try client.send(Self.get("/loop") + Self.get("/wait") + Self.get("/loop") + Self.get("/a"))
        // What comes before has left already.
        #expect(try client.receiveResponse().text == "loop")
        probe.mayAnswer.open()
        #expect(try client.receiveResponse().text == "waited ")
        #expect(try client.receiveResponse().text == "loop")
        #expect(try client.receiveResponse().text == "/a")
        let paths = (0..<500).map { $0 % 3 == 0 ? "/loop" : "/\($0)" }
        try client.send(paths.map { Self.get($0) }.joined())
        for path in paths {
            #expect(try client.receiveResponse().text == (path == "/loop" ? "loop" : path))
        }
    }

    @Test(
        "the log tells how long requests waited for the loop, and not for whom it waited",
        arguments: Kind.allCases
    )
    func queued(kind: Kind) throws {
        let probe = try DeferralProbe()
        let times = Locked<[Duration]>([])
        let server = try server(kind, probe) {
            $0.accessLog = { record in times.withLock { $0.append(record.queued) } }
        }
        let client = try server.connect()
        try client.send(Self.get("/wait"))
        #expect(try probe.entered.wait())
        // What is asked while the answer is made moves the clock of the loop.
        let other = try server.connect()
        try other.send(Self.get("/loop"))
        #expect(try other.receiveResponse().text == "loop")
        probe.mayAnswer.open()
        #expect(try client.receiveResponse().status == 200)
        try server.stop()
        let queued = times.withLock { $0 }
        #expect(queued.count == 2)
        #expect(queued.allSatisfy { $0 >= .zero }, "\(queued)")
    }

    @Test(
        "a handler that throws is answered for with 500, and nothing else breaks",
        arguments: Kind.allCases
    )
    func failure(kind: Kind) throws {
        let failures = Locked(0)
        let server = try server(kind, try DeferralProbe()) {
            $0.eventLog = { event in
                if case .handlerFailed = event { failures.withLock { $0 += 1 } }
            }
        }
        let client = try server.connect()
        try client.send(Self.get("/fail") + Self.get("/next"))
        let response = try client.receiveResponse()
        #expect(response.status == 500)
        #expect(response.field("Content-Type") == "application/problem+json")
        #expect(try client.receiveResponse().text == "/next")
        #expect(failures.withLock { $0 } == 1)
    }

    @Test(
        "a stream, and HEAD without a body, come from elsewhere as well",
        arguments: Kind.allCases
    )
    func streams(kind: Kind) throws {
        let server = try server(kind, try DeferralProbe())
        let client = try server.connect()
        try client.send(Self.get("/stream"))
        let response = try client.receiveResponse()
        #expect(response.body.count == 100_000)
        #expect(response.body.last == patternByte(at: 99_999))
        try client.send("HEAD /abc HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse(to: "HEAD").field("Content-Length") == "4")
    }

    @Test(
        "an answer that takes too long is 503 and close, and dropped when it comes",
        arguments: Kind.allCases
    )
    func deadline(kind: Kind) throws {
        let probe = try DeferralProbe()
        let records = Locked<[Int]>([])
        let server = try server(kind, probe) {
            $0.limits.handlerTimeout = .seconds(1)
            $0.accessLog = { record in records.withLock { $0.append(record.status.code) } }
        }
        let client = try server.connect()
        try client.send(Self.get("/wait"))
        let response = try client.receiveResponse()
        #expect(response.status == 503)
        #expect(response.field("Retry-After") != nil)
        #expect(response.field("Connection") == "close")
        try client.endOutput()
        #expect(try client.isEndedByServer())
        probe.mayAnswer.open()
        let other = try server.connect()
        try other.send(Self.get("/next"))
        #expect(try other.receiveResponse().text == "/next")
        try server.stop()
        #expect(records.withLock { $0 } == [503, 200])
    }

    @Test(
        "a task is cancelled when its client leaves, in order or by a reset",
        arguments: [true, false]
    )
    func cancellation(isOrderly: Bool) throws {
        let probe = try DeferralProbe()
        let failures = Locked(0)
        let server = try server(.task, probe) {
            $0.eventLog = { event in
                if case .handlerFailed = event { failures.withLock { $0 += 1 } }
            }
        }
        do {
            let client = try server.connect()
            try client.send(Self.get("/sleep"))
            #expect(try probe.entered.wait())
            if !isOrderly { try client.resetWhenReleased() }
        }
        #expect(try probe.cancelled.wait())
        try server.stop()
        #expect(failures.withLock { $0 } == 0)
    }

    @Test("a task is cancelled when its time is over")
    func cancelledByDeadline() throws {
        let probe = try DeferralProbe()
        let server = try server(.task, probe) { $0.limits.handlerTimeout = .seconds(1) }
        let client = try server.connect()
        try client.send(Self.get("/sleep"))
        #expect(try client.receiveResponse().status == 503)
        #expect(try probe.cancelled.wait())
    }

    @Test(
        "a client that only stops sending gets the answer",
        arguments: Kind.allCases,
        ["1.0", "1.1"]
    )
    func halfClose(kind: Kind, version: String) throws {
        let probe = try DeferralProbe()
        let server = try server(kind, probe)
        let client = try server.connect()
        try client.send(Self.get("/wait").replacing("HTTP/1.1", with: "HTTP/" + version))
        try client.endOutput()
        #expect(try probe.entered.wait())
        // The end of input has been seen once a later connection has been answered.
        let other = try server.connect()
        try other.send(Self.get("/loop"))
        #expect(try other.receiveResponse().status == 200)
        probe.mayAnswer.open()
        #expect(try client.receiveResponse().text == "waited ")
        #expect(try client.isEndedByServer())
    }

    @Test("a server that drains waits for the answer, and says close", arguments: Kind.allCases)
    func drain(kind: Kind) throws {
        let probe = try DeferralProbe()
        let server = try server(kind, probe)
        let client = try server.connect()
        try client.send(Self.get("/wait") + Self.get("/never"))
        #expect(try probe.entered.wait())
        server.server.stop()
        probe.mayAnswer.open()
        let response = try client.receiveResponse()
        #expect(response.text == "waited ")
        #expect(response.field("Connection") == "close")
        try client.endOutput()
        #expect(try client.isEndedByServer())
        #expect(try server.waitForEnding() == .drained)
    }

    @Test("the drain deadline waits for no worker and no task", arguments: Kind.allCases)
    func cut(kind: Kind) throws {
        let probe = try DeferralProbe()
        let server = try server(kind, probe) { $0.drainTimeout = .milliseconds(100) }
        let client = try server.connect()
        try client.send(Self.get("/wait"))
        #expect(try probe.entered.wait())
        #expect(try server.stop() == .cut(connections: 1))
        probe.mayAnswer.open()
    }

    @Test("a request that finds no room is answered 503 with Retry-After, and may be sent again")
    func overload() throws {
        let probe = try DeferralProbe()
        let workers = WorkerPool(threads: 1, maximumWaiting: 1)
        let server = try server(.worker, probe, workers: workers)
        let busy = try server.connect()
        try busy.send(Self.get("/wait"))
        #expect(try probe.entered.wait())
        let waiting = try server.connect()
        try waiting.send(Self.get("/waiting"))
        // Its request has been taken once a later connection has been answered.
        let refused = try server.connect()
        try refused.send(Self.get("/loop"))
        #expect(try refused.receiveResponse().status == 200)
        try refused.send(Self.get("/refused"))
        let response = try refused.receiveResponse()
        #expect(response.status == 503)
        #expect(response.field("Retry-After") == "5")
        #expect(response.field("Connection") == nil)
        probe.mayAnswer.open()
        #expect(try busy.receiveResponse().status == 200)
        #expect(try waiting.receiveResponse().text == "/waiting")
        try refused.send(Self.get("/again"))
        #expect(try refused.receiveResponse().text == "/again")
    }

    @Test(
        "what a worker has not begun when its client leaves is not begun",
        arguments: [true, false]
    )
    func forsaken(isOrderly: Bool) throws {
        let probe = try DeferralProbe()
        let server = try server(.worker, probe, workers: WorkerPool(threads: 1))
        let busy = try server.connect()
        try busy.send(Self.get("/wait"))
        #expect(try probe.entered.wait())
        do {
            let leaving = try server.connect()
            try leaving.send(Self.get("/leaving"))
            let other = try server.connect()
            try other.send(Self.get("/loop"))
            #expect(try other.receiveResponse().status == 200)
            if !isOrderly { try leaving.resetWhenReleased() }
        }
        let other = try server.connect()
        // What was sent at the end of input is reset before a later request is read.
        for _ in 0..<3 {
            try other.send(Self.get("/loop"))
            #expect(try other.receiveResponse().status == 200)
        }
        probe.mayAnswer.open()
        #expect(try busy.receiveResponse().status == 200)
        try other.send(Self.get("/last"))
        #expect(try other.receiveResponse().text == "/last")
        #expect(probe.calls.load(ordering: .relaxed) == 2)
    }

    @Test("many clients on several loops share the workers", arguments: Kind.allCases)
    func manyClients(kind: Kind) throws {
        let server = try server(kind, try DeferralProbe()) { $0.loops = 2 }
        let clients = try (0..<50).map { _ in try server.connect() }
        for round in 0..<20 {
            for (index, client) in clients.enumerated() {
                try client.send(Self.post("/\(index)-\(round)", "abc"))
            }
            for (index, client) in clients.enumerated() {
                #expect(try client.receiveResponse().text == "/\(index)-\(round)")
            }
        }
        #expect(try server.stop() == .drained)
    }
}
