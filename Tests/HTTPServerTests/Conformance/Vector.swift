import Testing

struct Vector: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]

    /// The status of each answer.
    let statuses: [Int]

    /// Whether a request behind them is answered as well.
    let isKept: Bool

    init(_ text: String, _ statuses: [Int], isKept: Bool) {
        // Scalars below 256 stand for bytes, so that bytes that are not UTF-8 can be written.
        bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        self.statuses = statuses
        self.isKept = isKept
    }

    var testDescription: String {
        String(decoding: bytes.prefix(120), as: UTF8.self).debugDescription
    }

    /// Asks for an answer of status 307 and ends the connection: whether it is answered tells
    /// whether the bytes before it were understood up to their end.
    static let last = Array(
        "GET /the-end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8
    )

    /// Vectors whose requests are all answered with 200.
    private static func served(_ texts: [String]) -> [Vector] {
        texts.map { Vector($0, [200], isKept: true) }
    }

    /// Vectors that are answered once, with a refusal that ends the connection.
    private static func refused(_ status: Int, _ texts: [String]) -> [Vector] {
        texts.map { Vector($0, [status], isKept: false) }
    }

    private static func head(_ line: String, _ fields: String = "", body: String = "") -> String {
        "\(line)\r\nHost: a\r\n\(fields)\r\n\(body)"
    }

    private static func get(_ fields: String) -> String { head("GET / HTTP/1.1", fields) }

    private static func post(_ fields: String, _ body: String) -> String {
        head("POST / HTTP/1.1", fields, body: body)
    }

    private static func host(_ value: String) -> String {
        "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n"
    }

    private static func coded(_ coding: String) -> String {
        post("Transfer-Encoding: \(coding)\r\n", "0\r\n\r\n")
    }

    private static func chunked(_ body: String) -> String {
        post("Transfer-Encoding: chunked\r\n", body)
    }

    private static func times(_ count: Int, _ text: String) -> String {
        String(repeating: text, count: count)
    }
}

extension Vector {
    static let all = lines + targets + methods + fields + hosts + lengths + codings + chunks + kept

    /// RFC 9112 §2 and §3.
    private static let lines: [Vector] =
        served([
            get(""), "\r\n" + get(""), "\r\n\r\n" + get(""), head("GET / HTTP/1.9"),
            head("GET /" + times(7_900, "a") + " HTTP/1.1"),
        ])
        + refused(
            400,
            [
                "\r\n\r\n\r\n" + get(""), "GET / HTTP/1.1\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
                "\n" + get(""), "\r" + get(""), "GET / HTTP/1.1\rHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n",
            ]
                + [
                    "GET  / HTTP/1.1", "GET /  HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/1.1 ",
                    "GET\t/ HTTP/1.1", "GET /\tHTTP/1.1", "GET /", "GET", "GET HTTP/1.1", "   ",
                    "GET / a HTTP/1.1", "G(T / HTTP/1.1", "GET / http/1.1", "GET / HTTP/1",
                    "GET / HTTP/1.10", "GET / HTTP/01.1", "GET / HTTP/11", "GET / HTTP/x.1",
                    "GET / HTTPS/1.1", "GET / HTTP/ 1.1", "GET / HTTP 1.1",
                ].map { head($0) }
        )
        + refused(
            505,
            ["GET / HTTP/0.9", "GET / HTTP/2.0", "GET / HTTP/9.1"].map { head($0) }
                + ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
        )
        + refused(414, [head("GET /" + times(20_000, "a") + " HTTP/1.1")])

    /// RFC 9112 §3.2, RFC 3986.
    private static let targets: [Vector] =
        served(
            [
                "http://b/", "/?a?b=/c", "HTTP://b:80?x", "//a/%41/./b", "/a%2Fb",
                "/[x]@:!$&'()*,;=~",
            ].map { head("GET \($0) HTTP/1.1") }
        )
        + refused(
            400,
            [
                "/\u{E9}", "/\u{0}", "/\u{7F}", "/\u{1}", "/a#b", "/a<b", "/a>b", "/a\"b", "/a\\b",
                "/a^b", "/a`b", "/a{b", "/a|b", "/a}b", "*", "a", "a:80", "https://a/",
                "http://u@a/", "http:///", "?a", "/%", "/%zz", "/%4", "/%00",
                "/%c3", "/%C0%AF", "/..", "/a/../..", "/%2e%2e/a",
            ].map { head("GET \($0) HTTP/1.1") } + [head("OPTIONS *x HTTP/1.1")]
        )

    /// RFC 9110 §9.
    private static let methods: [Vector] =
        served(
            ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
                .map { head("\($0) / HTTP/1.1") } + [head("OPTIONS * HTTP/1.1")]
        )
        + [
            "get / HTTP/1.1", "FOO / HTTP/1.1", "PROPFIND / HTTP/1.1",
        ].map { Vector(head($0), [501], isKept: true) }
        + [
            Vector(
                head("FOO / HTTP/1.1", "Content-Length: 3\r\n", body: "abc"),
                [501],
                isKept: true
            )
        ]
        + refused(
            501,
            [head("CONNECT a:443 HTTP/1.1"), head(times(33, "A") + " / HTTP/1.1")]
        )

    /// RFC 9112 §5, RFC 9110 §5.
    private static let fields: [Vector] =
        served(
            [
                "x:y", "x: \t y \t", "x:", "x: \u{E9}", "!#$%&'*+-.^_`|~0: z", "x: a\tb",
                "Accept: a\r\nAccept: b", "Connection: upgrade\r\nUpgrade: websocket",
            ].map { get($0 + "\r\n") } + [get(times(126, "x: y\r\n"))]
        )
        + refused(
            400,
            [
                "x y: z", "x : z", "x\t: z", ": z", "x", "x(: z", "\u{E9}: z", "x\u{0}: z",
                " x: y", "\tx: y", "x: y\r\n z", "x: a\u{0}b", "x: a\u{1}b", "x: a\u{B}b",
                "x: a\u{7F}b", "x: a\nb: c", "x\n", "x: a\rb", "x: a\r", "x: y\r\n\n",
                "x: y\r\n\rz", "x[]: z", "Host: a", "Host: b",
                "Content-Type: a/b\r\nContent-Type: a/b", "Range: bytes=0-1\r\nRange: bytes=0-1",
            ].map { get($0 + "\r\n") } + ["GET / HTTP/1.1\r\n Host: a\r\n\r\n"]
        )
        + refused(
            431,
            [
                get("x: \(times(16_384, "v"))\r\n"), get(times(200, "x: y\r\n")),
                get(times(5, "x: \(times(8_000, "v"))\r\n")),
            ]
        )

    /// RFC 9112 §3.2.
    private static let hosts: [Vector] =
        served(
            [
                "example.org.", "a:80", "a:", "127.0.0.1:8080", "[::1]:80", "[1:2:3:4:5:6:7:8]",
                "a_b", "\ta ",
            ].map(host)
        )
        + refused(
            400,
            [
                "", "a,b", "a b", "a/b", "u@a", "a:x", "a:65536", ":80", "a?b", "a#b", "[::1",
                "::1", "[::1]x", "a\\b", "a\"", "%zz", "http://a",
            ].map(host) + ["GET / HTTP/1.1\r\n\r\n", "GET http://a/ HTTP/1.1\r\n\r\n"]
        )

    /// RFC 9112 §6.2 and §6.3.
    private static let lengths: [Vector] =
        served([
            post("Content-Length: 5\r\n", "hello"), post("content-length:\t005 \r\n", "hello"),
            post("Content-Length: 0\r\n", ""),
            head("GET / HTTP/1.1", "Content-Length: 5\r\n", body: "hello"),
            head("HEAD / HTTP/1.1", "Content-Length: 5\r\n", body: "hello"),
        ])
        + refused(
            400,
            [
                "", "+5", "-0", "-1", "5 5", "5, 5", "5,6", "0x5", "0o5", "5a", "5.0", "\u{B2}",
                "1_0", "'5'", "5\r\nContent-Length: 5", "5\r\nContent-Length: 6",
            ].map { post("Content-Length: \($0)\r\n", "hello") }
        )
        + refused(
            413,
            ["1048577", "999999999999999999", "18446744073709551617", times(40, "9")]
                .map { post("Content-Length: \($0)\r\n", "") }
        )

    /// RFC 9112 §6.1.
    private static let codings: [Vector] =
        served([coded("\tCHUNKED")])
        + refused(
            400,
            [
                "chunked, chunked", "chunked, gzip", "chunked\r\nTransfer-Encoding: chunked",
                "gzip\r\nTransfer-Encoding: chunked", "", "chunked;a=b", "\"chunked\"", "chun ked",
                ",chunked", "chunked,", "\u{B}chunked", "\u{C}chunked", "chunked\u{0}",
                "\r\n chunked", "chunked\r\nContent-Length: 5", "gzip\r\nContent-Length: 0",
                "identity\r\nContent-Length: 0", "chunked\r\nContent-Length: +5",
            ].map(coded)
                + [
                    post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nX"),
                    post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
                    "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                ]
        )
        + refused(501, ["gzip", "identity", "gzip, chunked", "xchunked"].map(coded))

    /// RFC 9112 §7.1.
    private static let chunks: [Vector] =
        served(
            [
                "5\r\nhello\r\n0\r\n\r\n", "1\r\na\r\n1\r\nb\r\n0\r\n\r\n",
                "A;a;b=c;d=\"e\\\"f\" ; g = h\r\nhelloworld\r\n00\r\n\r\n",
                "5\r\nhello\r\n0\r\nt: u\r\nContent-Length: 50\r\n\r\n",
            ].map(chunked)
        )
        + refused(
            400,
            [
                "+5", "-5", "0x5", "5 ", " 5", "5;", "5;bad[=x", "5;\u{0}a", "5;a\rX", "5;a=",
                "5;a=\"b", "1_0", "x", "", "0000000000000005", "5\n", "5;\n",
                "5;" + times(300, "a"), times(17, "F"),
            ].map { chunked($0 + "\r\nhello\r\n0\r\n\r\n") }
                + [
                    "5\nhello\r\n0\r\n\r\n", "5\rhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
                    "5\r\nhello0\r\n\r\n", "5\r\nhello!!\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\n\n",
                    "5\r\nhello\r\n0\r\n t: u\r\n\r\n", "5\r\nhello\r\n0\r\nt : u\r\n\r\n",
                    "5\r\nhello\r\n0\r\nt\r\n\r\n",
                ].map(chunked)
        )
        + refused(413, [chunked(times(15, "f") + "\r\n"), chunked("100001\r\n")])

    /// RFC 9112 §9, RFC 9110 §10.1.1.
    private static let kept: [Vector] =
        [
            get("Connection: close\r\n"), get("Connection: x, Close\r\n"),
            "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\nHost: a\r\nConnection: x\r\n\r\n",
            get("Connection: close\r\n") + get(""),
        ].map { Vector($0, [200], isKept: false) }
        + served([
            "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
            post("Expect: 100-continue\r\nContent-Length: 5\r\n", "hello"),
        ])
        + refused(417, [post("Expect: magic\r\nContent-Length: 5\r\n", "hello")])
        + [
            Vector(times(3, get("")), [200, 200, 200], isKept: true),
            Vector(get("") + "GET / HTTP/1.1\r\n\r\n", [200, 400], isKept: false),
            Vector(post("Content-Length: 2\r\n", "GE") + get(""), [200, 200], isKept: true),
        ]
}
