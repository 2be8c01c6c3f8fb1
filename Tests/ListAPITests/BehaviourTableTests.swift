import ListAPI
import TestSupport
import Testing

/// Exact bytes to a running server, and what it has to answer: a row for each rule.
@Suite("The behaviour table, over a socket")
struct BehaviourTableTests {
    enum Ending: Sendable {
        case kept
        case closed
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let request: String
        let status: Int
        let ending: Ending

        init(_ rule: String, _ request: String, _ status: Int, _ ending: Ending) {
            self.rule = rule
            self.request = request
            self.status = status
            self.ending = ending
        }

        var testDescription: String { "\(rule): \(request.prefix(60).debugDescription)" }
    }

    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func get(_ fields: String, target: String = "/-/live") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    private static func post(_ fields: String, _ body: String = "") -> String {
        "POST /-/live HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)"
    }

    private static func target(_ target: String) -> String { get("", target: target) }

    static let requestLines: [Row] = [
        Row("two empty lines are skipped", "\r\n\r\n" + get(""), 200, .kept),
        Row("three are not", "\r\n\r\n\r\n" + get(""), 400, .closed),
        Row("bare LF", "GET /-/live HTTP/1.1\nHost: a\r\n\r\n", 400, .closed),
        Row("bare LF behind a field", "GET /-/live HTTP/1.1\r\nHost: a\n\r\n", 400, .closed),
        Row("CR alone", "GET /-/live HTTP/1.1\rHost: a\r\n\r\n", 400, .closed),
        Row("no version", "GET /-/live\r\nHost: a\r\n\r\n", 400, .closed),
        Row("two spaces", "GET  /-/live HTTP/1.1\r\nHost: a\r\n\r\n", 400, .closed),
        Row("tab", "GET\t/-/live HTTP/1.1\r\nHost: a\r\n\r\n", 400, .closed),
        Row("leading space", " GET /-/live HTTP/1.1\r\nHost: a\r\n\r\n", 400, .closed),
        Row("trailing space", "GET /-/live HTTP/1.1 \r\nHost: a\r\n\r\n", 400, .closed),
        Row("a minor version above 1", "GET /-/live HTTP/1.9\r\nHost: a\r\n\r\n", 200, .kept),
        Row("HTTP/0.9", "GET /-/live HTTP/0.9\r\nHost: a\r\n\r\n", 505, .closed),
        Row("HTTP/2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, .closed),
        Row("lower-case version", "GET /-/live http/1.1\r\nHost: a\r\n\r\n", 400, .closed),
        Row("HTTP/1", "GET /-/live HTTP/1\r\nHost: a\r\n\r\n", 400, .closed),
        Row("HTTP/1.10", "GET /-/live HTTP/1.10\r\nHost: a\r\n\r\n", 400, .closed),
        Row("unknown method", "BREW /-/live HTTP/1.1\r\nHost: a\r\n\r\n", 501, .kept),
        Row("lower-case method", "get /-/live HTTP/1.1\r\nHost: a\r\n\r\n", 501, .kept),
        Row("method that is no token", "G(T /-/live HTTP/1.1\r\nHost: a\r\n\r\n", 400, .closed),
        Row(
            "long method",
            "\(long(33)) /-/live HTTP/1.1\r\nHost: a\r\n\r\n",
            501,
            .closed
        ),
        Row("method of another resource", post(""), 405, .kept),
        Row("CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 501, .closed),
        Row("QUERY", "QUERY /-/live HTTP/1.1\r\nHost: a\r\n\r\n", 405, .kept),
        Row("TRACE", "TRACE /-/live HTTP/1.1\r\nHost: a\r\n\r\n", 405, .kept),
        Row("OPTIONS", "OPTIONS /-/live HTTP/1.1\r\nHost: a\r\n\r\n", 204, .kept),
        Row("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 204, .kept),
        Row("* with GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400, .closed),
        Row("absolute form", target("http://a/-/live"), 200, .kept),
        Row("absolute form of another scheme", target("ftp://a/-/live"), 400, .closed),
        Row("absolute form with user", target("http://u@a/-/live"), 400, .closed),
        Row(
            "absolute form without Host",
            "GET http://a/-/live HTTP/1.1\r\n\r\n",
            400,
            .closed
        ),
        Row("authority form", target("a:80"), 400, .closed),
        Row("no leading slash", target("-/live"), 400, .closed),
        Row("long request line that must pass", target("/" + long(7980)), 404, .kept),
        Row("longer request line", target("/" + long(17_000)), 414, .closed),
    ]

    static let targets: [Row] =
        ["#", "<", ">", "\"", "\\", "^", "`", "{", "|", "}", "\u{7F}"].map {
            Row("byte no target has", target("/-/live\($0)"), 400, .closed)
        } + [
            Row("characters of a query", target("/-/live?a=é^`{|}\\"), 200, .kept),
            Row("UTF-8 as it is", target("/-/livé"), 404, .kept),
            Row("decoded once", target("/-/%6Cive"), 200, .kept),
            Row("decoded twice", target("/-/%256Cive"), 404, .kept),
            Row("half an escape", target("/-/live%4"), 400, .closed),
            Row("no escape", target("/-/live%zz"), 400, .closed),
            Row("NUL", target("/-/live%00"), 400, .closed),
            Row("line feed", target("/-/live%0a"), 404, .kept),
            Row("overlong UTF-8", target("/%c0%af"), 400, .closed),
            Row("dot segments", target("/x/../-/./live"), 200, .kept),
            Row("encoded dot segments", target("/x/%2e%2E/-/live"), 200, .kept),
            Row("above the root", target("/../-/live"), 400, .closed),
            Row("above the root, encoded", target("/%2e%2e/-/live"), 400, .closed),
            Row("encoded slash", target("/-%2flive"), 404, .kept),
            Row("empty segments", target("//-/live"), 404, .kept),
            Row("many segments", target(String(repeating: "/a", count: 65)), 404, .kept),
            Row("query", target("/-/live?a=%zz&b"), 200, .kept),
        ]

    static let fields: [Row] = [
        Row("name that is no token", get("a(b: c\r\n"), 400, .closed),
        Row("empty name", get(": c\r\n"), 400, .closed),
        Row("no colon", get("abc\r\n"), 400, .closed),
        Row("space before the colon", get("a : c\r\n"), 400, .closed),
        Row("folded", get("a: b\r\n c\r\n"), 400, .closed),
        Row("first field folded", "GET /-/live HTTP/1.1\r\n Host: a\r\n\r\n", 400, .closed),
        Row("blanks around a value", get("a: \t b \t \r\n"), 200, .kept),
        Row("empty value", get("a:\r\n"), 200, .kept),
        Row("NUL in a value", get("a: b\0c\r\n"), 400, .closed),
        Row("DEL in a value", get("a: b\u{7F}c\r\n"), 400, .closed),
        Row("bytes over 127 in a value", get("a: é\r\n"), 200, .kept),
        Row("no Host", "GET /-/live HTTP/1.1\r\n\r\n", 400, .closed),
        Row("no Host in HTTP/1.0", "GET /-/live HTTP/1.0\r\n\r\n", 200, .closed),
        Row("Host twice", get("Host: a\r\n"), 400, .closed),
        Row("empty Host", "GET /-/live HTTP/1.1\r\nHost:\r\n\r\n", 400, .closed),
        Row("list as Host", "GET /-/live HTTP/1.1\r\nHost: a,b\r\n\r\n", 400, .closed),
        Row("path in Host", "GET /-/live HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, .closed),
        Row("bad port", "GET /-/live HTTP/1.1\r\nHost: a:99999\r\n\r\n", 400, .closed),
        Row("IPv6 Host", "GET /-/live HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 200, .kept),
        Row("complete name", "GET /-/live HTTP/1.1\r\nHost: a.\r\n\r\n", 200, .kept),
        Row("repeated Range", get("Range: bytes=0-\r\nRange: bytes=0-\r\n"), 400, .closed),
        Row("long field", get("a: \(long(17_000))\r\n"), 431, .closed),
        Row(
            "many fields",
            get(String(repeating: "a: b\r\n", count: 128)),
            431,
            .closed
        ),
        Row(
            "large section",
            get(String(repeating: "a: \(long(1000))\r\n", count: 33)),
            431,
            .closed
        ),
        Row("another expectation", get("Expect: magic\r\n"), 417, .closed),
        Row("upgrade is ignored", get("Connection: upgrade\r\nUpgrade: h2c\r\n"), 200, .kept),
    ]

    static let bodies: [Row] = [
        Row("body of GET is dropped", get("Content-Length: 5\r\n") + "hello", 200, .kept),
        Row("body of another method", post("Content-Length: 5\r\n", "hello"), 405, .kept),
        Row("empty length", post("Content-Length:\r\n"), 400, .closed),
        Row("signed length", post("Content-Length: +5\r\n", "hello"), 400, .closed),
        Row("negative length", post("Content-Length: -5\r\n"), 400, .closed),
        Row("hexadecimal length", post("Content-Length: 0x5\r\n", "hello"), 400, .closed),
        Row("list of lengths", post("Content-Length: 5, 5\r\n", "hello"), 400, .closed),
        Row(
            "equal lengths",
            post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"),
            400,
            .closed
        ),
        Row("huge length", post("Content-Length: 99999999999999999999\r\n"), 413, .closed),
        Row("length over the limit", post("Content-Length: 1048577\r\n"), 413, .closed),
        Row(
            "length and coding",
            post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            400,
            .closed
        ),
        Row(
            "coding in HTTP/1.0",
            "POST /-/live HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
            .closed
        ),
        Row("chunked", chunked("5\r\nhello\r\n0\r\n\r\n"), 405, .kept),
        Row("chunked in any case", chunked("0\r\n\r\n", coding: "ChUnKeD"), 405, .kept),
        Row("chunked twice", chunked("", coding: "chunked, chunked"), 400, .closed),
        Row("chunked not last", chunked("", coding: "chunked, gzip"), 400, .closed),
        Row("coding with parameters", chunked("", coding: "chunked;a=b"), 400, .closed),
        Row("empty coding", chunked("", coding: ""), 400, .closed),
        Row("unknown coding", chunked("", coding: "gzip, chunked"), 501, .closed),
        Row("identity", chunked("", coding: "identity"), 501, .closed),
        Row("signed chunk size", chunked("+5\r\nhello\r\n0\r\n\r\n"), 400, .closed),
        Row("prefixed chunk size", chunked("0x5\r\nhello\r\n0\r\n\r\n"), 400, .closed),
        Row("huge chunk size", chunked("1000000000000000\r\n"), 400, .closed),
        Row("chunk over the limit", chunked("100001\r\n"), 413, .closed),
        Row("space before the size", chunked(" 5\r\nhello\r\n0\r\n\r\n"), 400, .closed),
        Row("extension", chunked("5;a=b;c=\"d;\\\"e\"\r\nhello\r\n0\r\n\r\n"), 405, .kept),
        Row("bad extension", chunked("5;=b\r\nhello\r\n0\r\n\r\n"), 400, .closed),
        Row("long extension", chunked("5;\(long(300))\r\nhello\r\n0\r\n\r\n"), 400, .closed),
        Row("bare LF behind a size", chunked("5\nhello\r\n0\r\n\r\n"), 400, .closed),
        Row("bare LF behind data", chunked("5\r\nhello\n0\r\n\r\n"), 400, .closed),
        Row("data too long", chunked("5\r\nhelloX\r\n0\r\n\r\n"), 400, .closed),
        Row("trailers", chunked("0\r\nHost: b\r\nA: b\r\n\r\n"), 405, .kept),
        Row("bad trailer", chunked("0\r\nA : b\r\n\r\n"), 400, .closed),
        Row(
            "long trailers",
            chunked("0\r\n\(String(repeating: "A: b\r\n", count: 33))\r\n"),
            431,
            .closed
        ),
    ]

    private static func chunked(_ body: String, coding: String = "chunked") -> String {
        post("Transfer-Encoding: \(coding)\r\n", body)
    }

    static let connections: [Row] = [
        Row("HTTP/1.1", get(""), 200, .kept),
        Row("close", get("Connection: close\r\n"), 200, .closed),
        Row("close in a list", get("Connection: x, CLOSE ,y\r\n"), 200, .closed),
        Row("HTTP/1.0", "GET /-/live HTTP/1.0\r\n\r\n", 200, .closed),
        Row(
            "kept HTTP/1.0",
            "GET /-/live HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
            200,
            .kept
        ),
        Row(
            "HTTP/1.0 with both",
            "GET /-/live HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n",
            200,
            .closed
        ),
    ]

    @Test(
        "a request is answered as its rule says",
        arguments: requestLines + targets + fields + bodies + connections
    )
    func row(_ row: Row) throws {
        let server = try TestServer { _ in try MiddlewareTests.middleware() }
        let client = try server.connect()
        let next = "GET /-/version HTTP/1.1\r\nHost: a\r\n\r\n"
        try client.send(row.request + next)
        let answer = try client.receiveResponse()
        #expect(answer.status == row.status)
        #expect(answer.field("Date") != nil)
        if row.status == 405 || row.status == 204 { #expect(answer.field("Allow") != nil) }
        switch row.ending {
        case .kept:
            #expect(answer.field("Connection")?.lowercased() != "close")
            #expect(try client.receiveResponse().text == "\(RosterVersion.current)\n")
        case .closed:
            #expect(answer.field("Connection")?.lowercased() == "close")
            try client.endOutput()
            #expect(try client.isEndedByServer())
        }
        if row.status >= 400 {
            try expectExplained(answer, server)
            #expect(answer.field("Content-Type") == "application/problem+json")
            #expect(!answer.text.contains("aaaaaaaaaa"), "input is echoed")
        }
    }

    private func expectExplained(_ answer: RawResponse, _ server: TestServer) throws {
        let id = try #require(answer.field("X-Request-Id"))
        #expect(answer.text.contains(#""instance":"\#(id)""#), "\(answer.text)")
        let start = #"{"type":""#
        try #require(answer.text.hasPrefix(start), "\(answer.text)")
        let type = answer.text.dropFirst(start.utf8.count).prefix { $0 != "\"" }
        let client = try server.connect()
        try client.send("GET \(type) HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n")
        let page = try client.receiveResponse()
        #expect(page.status == 200, "\(type)")
        #expect(page.text.contains(#""status":\#(answer.status)"#), "\(page.text)")
    }

    @Test(
        "half a request is never answered with success",
        arguments: [
            "GET /-/live HTTP/1.1\r\nHost: a\r\n",
            "GET /-/live HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell",
        ]
    )
    func half(request: String) throws {
        let server = try TestServer { _ in try MiddlewareTests.middleware() }
        let client = try server.connect()
        try client.send(request)
        try client.endOutput()
        #expect(try client.receiveAllText().hasPrefix("HTTP/1.1 400 "))
    }
}
