import Bytes
import HTTP
import ListAPI
import Testing

@testable import HTTPServer
@testable import RosterProgram

@Suite("Lines of the access log")
struct AccessLineTests {
    private static let second: Int64 = 784_111_777
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    private func record(
        target: String = "/users/7?token=secret",
        status: HTTPStatus = .ok,
        agent: String? = "curl/8.5",
        referrer: String? = nil,
        client: String? = nil
    ) -> AccessRecord {
        AccessRecord(
            method: .get,
            target: target,
            requestID: "r7",
            status: status,
            bodyBytes: 1234,
            duration: .microseconds(1500),
            queued: .microseconds(20),
            isAborted: false,
            client: "192.0.2.1",
            userAgent: agent,
            referrer: referrer,
            version: .http11,
            note: AccessLogMetadata(
                pattern: "/{list}/{row}",
                list: "users",
                caller: "alice",
                rows: 1,
                reading: .microseconds(700),
                client: client,
                traceID: Self.trace
            )
        )
    }

    /// The answer to what was no request.
    private static let refusal = AccessRecord(
        method: nil,
        target: "",
        requestID: "r8",
        status: .badRequest,
        bodyBytes: 0,
        duration: .zero,
        queued: .zero,
        isAborted: false,
        client: "192.0.2.1"
    )

    private func line(
        _ format: LogFormat,
        _ record: AccessRecord,
        dropped: Int = 0
    ) -> String {
        var buffer = ByteBuffer()
        let line = AccessLine(record, second: Self.second, dropped: dropped)
        switch format {
        case .json: line.writeObject(to: &buffer)
        case .text: line.writeText(to: &buffer)
        case .combined: line.writeCombined(to: &buffer)
        }
        return buffer.text()
    }

    @Test("a text has the client, the trace and the user agent, but no id and no query")
    func text() {
        #expect(
            line(.text, record(), dropped: 3)
                == "1994-11-06T08:49:37Z r7 192.0.2.1 GET /{list}/{row} list users caller alice 200 "
                + "1 rows 1234 bytes in 1.500 ms (queue 0.020, query 0.700) trace \(Self.trace) "
                + #""curl/8.5"; 3 lines were dropped before"#
        )
        #expect(
            line(.text, Self.refusal)
                == "1994-11-06T08:49:37Z r8 192.0.2.1 400 0 bytes in 0.000 ms (queue 0.000)"
        )
    }

    @Test("an object has the same, and a level that failures of the server raise")
    func object() {
        #expect(
            line(.json, record())
                == #"{"time":"1994-11-06T08:49:37Z","level":"info","id":"r7","client":"192.0.2.1","#
                + #""method":"GET","path":"/{list}/{row}","list":"users","caller":"alice","#
                + #""status":200,"rows":1,"bytes":1234,"queueMilliseconds":0.020,"#
                + #""queryMilliseconds":0.700,"milliseconds":1.500,"trace":"\#(Self.trace)","#
                + #""userAgent":"curl/8.5"}"#
        )
        let failed = line(.json, record(status: .serviceUnavailable))
        #expect(failed.contains(#","level":"error","#))
        #expect(line(.json, record(status: .unauthorized)).contains(#","level":"info","#))
    }

    @Test("the combined format is Apache's, with the path as sent and without queries")
    func combined() {
        let start = "192.0.2.1 - alice [06/Nov/1994:08:49:37 +0000] "
        #expect(
            line(.combined, record(referrer: "https://a.example/b?token=secret"))
                == start + #""GET /users/7 HTTP/1.1" 200 1234 "https://a.example/b" "curl/8.5""#
        )
        #expect(
            line(.combined, record(agent: nil))
                == start + #""GET /users/7 HTTP/1.1" 200 1234 "-" "-""#
        )
        #expect(
            line(.combined, Self.refusal, dropped: 2)
                == "roster: 2 access lines were dropped: more than 2000 in a second\n"
                + #"192.0.2.1 - - [06/Nov/1994:08:49:37 +0000] "-" 400 - "-" "-""#
        )
    }

    @Test("the client is the one that a trusted proxy names")
    func proxied() {
        let record = record(client: "203.0.113.9")
        #expect(line(.text, record).contains(" r7 203.0.113.9 GET "))
        #expect(line(.json, record).contains(#""client":"203.0.113.9""#))
        #expect(line(.combined, record).hasPrefix("203.0.113.9 - alice ["))
    }

    @Test("no user agent ends its quotes or its line", arguments: LogFormat.allCases)
    func hostileAgent(format: LogFormat) {
        let text = line(format, record(agent: "a\"b\\c\u{1B}\u{9B}\u{2028}\n"))
        #expect(!text.contains("\n"))
        #expect(!text.unicodeScalars.contains { $0.value < 32 })
        if format == .json {
            #expect(text.contains(#""a\"b\\c\u001b"#), "\(text)")
        } else {
            #expect(text.contains(#""a\"b\\c\x1b\xc2\x9b\xe2\x80\xa8\x0a""#), "\(text)")
        }
    }

    @Test("no format has a query or what it holds", arguments: LogFormat.allCases)
    func secrets(format: LogFormat) {
        for target in ["/users?token=secret", "/users?secret", "http://a/users?secret"] {
            let text = line(format, record(target: target, referrer: "/x#secret"))
            #expect(!text.contains("secret"), "\(text)")
        }
    }
}
