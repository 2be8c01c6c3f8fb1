import HTTP
import HTTPServer
import Locks
import System
import TestSupport
import Testing

@Suite("What a server tells of its work")
struct LogTests {
    private final class Log: Sendable {
        let lines = Locked<[String]>([])
        let written: EventFD

        init() throws { written = try EventFD() }

        func write(_ line: String) {
            lines.withLock { $0.append(line) }
            written.wake()
        }
    }

    private func records(
        of requests: String,
        count: Int,
        _ finish: (RawConnection) throws -> Void = { _ = try $0.receiveAll() }
    ) throws -> [String] {
        let log = try Log()
        let server = try TestServer.sample { configuration in
            configuration.accessLog = { record in
                let method = record.method?.name ?? "-"
                let aborted = record.isAborted ? " aborted" : ""
                // The texts of problems are not this test's business.
                let isProblem = record.status.code >= 400 && record.bodyBytes > 0
                let bytes = isProblem ? "some" : "\(record.bodyBytes)"
                log.write("\(method) \(record.target) \(record.status.code) \(bytes)\(aborted)")
            }
        }
        do {
            let client = try server.connect()
            try client.send(requests)
            try finish(client)
        }
        try server.stop()
        return log.lines.withLock { $0 }
    }

    @Test("each answer is logged once, in order, refusals as well")
    func accessLog() throws {
        let host = " HTTP/1.1\r\nHost: h\r\n\r\n"
        let lines = try records(
            of: "GET /hello" + host + "HEAD /large?100" + host + "GET /fail?x=%41" + host
                + "GET /missing" + host + "GET /hello" + host + "nonsense\r\n\r\n",
            count: 6
        )
        #expect(
            lines == [
                "GET /hello 200 6", "HEAD /large?100 200 0", "GET /fail?x=%41 500 some",
                "GET /missing 404 0", "GET /hello 200 6", "-  400 some",
            ]
        )
    }

    @Test("a stream is logged when it is over, with its bytes")
    func streams() throws {
        let lines = try records(of: "GET /stream?100000 HTTP/1.0\r\n\r\n", count: 1)
        #expect(lines.count == 1)
        let bytes = lines.first?.split(separator: " ").last.flatMap { Int($0) } ?? 0
        #expect(lines.first?.hasPrefix("GET /stream?100000 200 ") == true)
        // The head counts with the first piece.
        #expect((100_000...101_000).contains(bytes))
    }

    @Test("a handler that throws is told with its error")
    func events() throws {
        let log = try Log()
        let server = try TestServer.sample { configuration in
            configuration.eventLog = { event in
                guard case .handlerFailed(let method, let target, let error) = event else { return }
                log.write("\(method.name) \(target) \(error)")
            }
        }
        let client = try server.connect()
        try client.send("GET /fail?a HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().status == 500)
        #expect(log.lines.withLock { $0 } == ["GET /fail?a Failure()"])
    }

    private final class NumberingHandler: HTTPHandler {
        private struct Failure: Error {}
        private var count = 0

        func respond(to request: borrowing HTTPRequest, with response: inout HTTPResponse) throws {
            throw Failure()
        }

        func refuse(_ refusal: ProtocolErrorResponse, with response: inout HTTPResponse) {
            count += 1
            response.addField(.xRequestID, "n\(count)")
        }
    }

    @Test("a failed request and a broken one behind it are logged with the ids of their answers")
    func failedIDs() throws {
        let log = try Log()
        let server = try TestServer(
            configure: { configuration in
                configuration.accessLog = { record in
                    let id = record.requestID ?? "-"
                    let client = record.client ?? "-"
                    log.write("\(record.status.code) \(record.target) \(id) \(client)")
                }
            },
            makeHandler: { _ in NumberingHandler() }
        )
        let client = try server.connect()
        try client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\nnonsense\r\n\r\n")
        let answers = String(decoding: try client.receiveAll(), as: UTF8.self)
        #expect(answers.contains("X-Request-Id: n1\r\n"))
        #expect(answers.contains("X-Request-Id: n2\r\n"))
        try server.stop()
        let lines = log.lines.withLock { $0 }
        #expect(lines == ["500 /a n1 127.0.0.1", "400  n2 127.0.0.1"])
    }

    @Test("that all connections are open is told when another one comes")
    func connectionsAtLimit() throws {
        let log = try Log()
        let server = try TestServer.sample { configuration in
            configuration.limits.maximumConnections = 1
            configuration.eventLog = { event in
                guard case .connectionsAtLimit(let maximum) = event else { return }
                log.write("\(maximum)")
            }
        }
        let first = try server.connect()
        try first.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try first.receiveResponse().status == 200)
        #expect(log.lines.withLock { $0 }.isEmpty)
        let second = try server.connect()
        let deadline = ContinuousClock.now.advanced(by: .seconds(20))
        let isTold = try log.written.descriptor.wait(for: .reading, until: deadline)
        #expect(isTold)
        #expect(log.lines.withLock { $0 }.first == "1")
        try second.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try second.receiveResponse().status == 200)
    }

    @Test("a stream that throws is told with its error and what was sent of it")
    func failedStreams() throws {
        let log = try Log()
        let server = try TestServer.sample { configuration in
            configuration.accessLog = { log.write("\($0.target) aborted: \($0.isAborted)") }
            configuration.eventLog = { event in
                guard case .streamFailed(let method, let target, let bytes, let error) = event
                else { return }
                log.write("\(method.name) \(target) \(error) \(bytes > 20_000)")
            }
        }
        let client = try server.connect()
        try client.send("GET /broken-stream?a HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(throws: (any Error).self) { _ = try client.receiveResponse() }
        #expect(
            log.lines.withLock { $0 } == [
                "GET /broken-stream?a Failure() true", "/broken-stream?a aborted: true",
            ]
        )
    }
}
