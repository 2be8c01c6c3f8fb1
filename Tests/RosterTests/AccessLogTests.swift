import Bytes
import HTTP
import ListAPITestSupport
import Listings
import Locks
import System
import TestSupport
import Testing

@testable import HTTPServer
@testable import ListAPI
@testable import RosterProgram

@Suite("Access log")
struct AccessLogTests {
    @Test("what an id or an error holds makes no further line")
    func oneLine() {
        let text = "row 'a\nroster: b\r\u{1B}[2J\u{2028}é': failed"
        let line = Diagnostics.line(text, .error, .text, second: 0, dropped: 0)
        #expect(line == "roster: row 'a\\nroster: b\\u{d}\\u{1b}[2J\\u{2028}é': failed\n")
    }

    @Test("lines that are missing are told with their number and the reason")
    func missingLines() {
        let slow = Diagnostics.notice(of: LogLoss(count: 1234))
        #expect(
            slow == "roster: 1234 log lines were dropped: the log is not read fast enough\n"
        )
        let error = SystemError(call: "write", code: 28)
        let full = Diagnostics.notice(of: LogLoss(count: 1, error: error))
        #expect(full == "roster: 1 log line was dropped: No space left on device\n")
        let object = Diagnostics.line("a", .warning, .json, second: 784_111_777, dropped: 2)
        #expect(
            object
                == #"{"time":"1994-11-06T08:49:37Z","level":"warning","message":"a","dropped":2}"#
                + "\n"
        )
    }

    @Test("an answer is one line of JSON, told once its request is named")
    func line() throws {
        let lines = Locked<[String]>([])
        let written = try EventFD()
        let log = AccessLog(
            clock: { 784_111_777 },
            write: { line in
                let text = line.text()
                lines.withLock { $0.append(text) }
                written.wake()
            }
        )
        let server = try TestServer(
            configure: { $0.accessLog = { log.add($0) } },
            makeHandler: { _ in
                var settings = Middleware.Settings()
                settings.notesAnswers = true
                let lists = [try ListDefinition.sampleUsers()]
                return Middleware(try APIHandler(lists, isDraining: { false }), settings)
            }
        )
        let client = try server.connect()
        try client.send("GET /-/live?\"\\ HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.receiveResponse()
        let other = try server.connect()
        try other.send("GET /-/live?a=%22 HTTP/1.1\r\nHost: a\r\nX-Request-Id: r7\r\n\r\n")
        _ = try other.receiveResponse()
        try server.stop()
        let all = lines.withLock { $0 }
        #expect(all.count == 2)
        let refused = #"{"time":"1994-11-06T08:49:37Z","level":"info","id":"req-"#
        #expect(all.first?.hasPrefix(refused) == true, "\(all)")
        #expect(all.first?.contains(#"","client":"127.0.0.1","status":400,"#) == true, "\(all)")
        let expected =
            #"{"time":"1994-11-06T08:49:37Z","level":"info","id":"r7","client":"127.0.0.1","#
            + #""method":"GET","path":"/-/live","status":200,"bytes":5,"queueMilliseconds":"#
        #expect(all.last?.hasPrefix(expected) == true, "\(all)")
        #expect(all.allSatisfy { $0.hasSuffix("}\n") })
    }

    @Test("a flood of answers is no flood of lines, and what was left out is counted")
    func flood() {
        let lines = Locked<[String]>([])
        let second = Locked<Int64>(1)
        let log = AccessLog(
            clock: { second.withLock { $0 } },
            write: { line in
                let text = line.text()
                lines.withLock { $0.append(text) }
            }
        )
        let record = AccessRecord(
            method: .get,
            target: "/",
            requestID: nil,
            status: .ok,
            bodyBytes: 0,
            duration: .zero,
            queued: .zero,
            isAborted: false
        )
        for _ in 0..<AccessLog.maximumLinesPerSecond + 7 { log.add(record) }
        #expect(lines.withLock { $0.count } == AccessLog.maximumLinesPerSecond)
        second.withLock { $0 = 2 }
        log.add(record)
        log.add(record)
        let last = lines.withLock { Array($0.suffix(2)) }
        #expect(last.first?.contains(#""dropped":7}"#) == true)
        #expect(last.last?.contains("dropped") == false)
    }
}
