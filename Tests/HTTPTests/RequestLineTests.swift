import Testing

@testable import HTTP

@Suite("Request line (RFC 9112 §3)")
struct RequestLineTests {
    @Test("method, target and version are read")
    func plain() throws {
        let parsed = try expectParsed("GET /users?limit=5 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(parsed.request == #"get ["users"] limit=5 http11"#)
        #expect(parsed.fields == ["host=a"])
        #expect(parsed.consumed == 40)
    }

    @Test("up to two empty lines before the line are skipped", arguments: 0...2)
    func emptyLines(count: Int) throws {
        let empty = String(repeating: "\r\n", count: count)
        let parsed = try expectParsed(empty + "GET / HTTP/1.1\r\nHost: a\r\nx: y\r\n\r\n")
        #expect(parsed.fields == ["host=a", "x=y"])
    }

    @Test("a third empty line is refused")
    func thirdEmptyLine() {
        expectRefused("\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n", .tooManyEmptyLines(limit: 2))
    }

    static let malformed: [(String, ParseError)] = [
        ("GET / HTTP/1.1\nHost: a\r\n\r\n", .bareLineFeed),
        ("\nGET / HTTP/1.1\r\n\r\n", .bareLineFeed),
        ("GET / HTTP/1.1\rHost: a\r\n\r\n", .bareCarriageReturn),
        ("\rGET / HTTP/1.1\r\n\r\n", .bareCarriageReturn),
        ("GET / HTTP/1.1\r\r\n\r\n", .bareCarriageReturn),
        ("GET  / HTTP/1.1\r\n\r\n", .malformedRequestLine),
        ("GET /  HTTP/1.1\r\n\r\n", .malformedRequestLine),
        (" GET / HTTP/1.1\r\n\r\n", .malformedRequestLine),
        ("GET / HTTP/1.1 \r\n\r\n", .malformedRequestLine),
        ("GET\t/ HTTP/1.1\r\n\r\n", .malformedRequestLine),
        ("GET / HTTP/1.1\t\r\n\r\n", .malformedRequestLine),
        ("GET /\r\n\r\n", .malformedRequestLine),
        ("GET\r\n\r\n", .malformedRequestLine),
        (" \r\n\r\n", .malformedRequestLine),
        ("GET / a HTTP/1.1\r\n\r\n", .characterInTarget(0x20)),
        ("GET /a?b=c d e HTTP/1.1\r\n\r\n", .characterInTarget(0x20)),
        ("GET /a b\r\n\r\n", .malformedVersion),
        ("G(T / HTTP/1.1\r\n\r\n", .malformedRequestLine),
        ("GET / http/1.1\r\n\r\n", .malformedVersion),
        ("GET / HTTP/1\r\n\r\n", .malformedVersion),
        ("GET / HTTP/1.10\r\n\r\n", .malformedVersion),
        ("GET / HTTP/11\r\n\r\n", .malformedVersion),
        ("GET / HTTP/x.1\r\n\r\n", .malformedVersion),
        ("GET / HTTPS/1.1\r\n\r\n", .malformedVersion),
        ("GET /\u{0} HTTP/1.1\r\n\r\n", .malformedRequestLine),
        ("GET /\u{7F} HTTP/1.1\r\n\r\n", .malformedRequestLine),
    ]

    @Test("anything but the three parts with one space between is refused", arguments: malformed)
    func refused(text: String, error: ParseError) {
        expectRefused(text, error)
        #expect(error.status == .badRequest)
    }

    @Test("a space in the target is named with its spelling, and not the version")
    func spaceInTarget() {
        #expect(
            ProblemDetails.refused(.characterInTarget(0x20)).detail
                == "The request target holds a character that is written as %20."
        )
    }

    @Test("a later minor version of HTTP/1 is read as 1.1")
    func minorVersion() throws {
        let parsed = try expectParsed("GET / HTTP/1.9\r\nHost: a\r\n\r\n")
        #expect(parsed.request.hasSuffix("http11"))
    }

    @Test(
        "another major version is answered 505",
        arguments: [
            ("GET / HTTP/0.9\r\n\r\n", 0), ("GET / HTTP/2.0\r\n\r\n", 2),
            ("GET / HTTP/9.1\r\n\r\n", 9), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 2),
        ]
    )
    func majorVersion(text: String, major: Int) {
        expectRefused(text, .unsupportedVersion(major: major))
        #expect(ParseError.unsupportedVersion(major: major).status.code == 505)
    }

    @Test("methods are case-sensitive and an unknown one is no reason to refuse the head")
    func methods() throws {
        for method in HTTPMethod.allCases where method != .connect {
            let parsed = try expectParsed("\(method.name) / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(parsed.head.isMethodKnown)
            #expect(parsed.request.hasPrefix("\(method) "))
        }
        for name in ["get", "Get", "PROPFIND", "GE", "GETS", "!#$%&'*+-.^_`|~09AZaz"] {
            let parsed = try expectParsed("\(name) / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(!parsed.head.isMethodKnown, "\(name)")
        }
    }

    @Test("CONNECT is answered 501, whatever its target")
    func connect() {
        expectRefused("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", .connectIsNotServed)
        #expect(ParseError.connectIsNotServed.status.code == 501)
    }

    @Test("a method over its limit is answered 501")
    func longMethod() {
        let fits = String(repeating: "A", count: 32)
        let outcome = readHead(fits + " / HTTP/1.0\r\n\r\n")
        guard case .parsed = outcome else {
            Issue.record("\(outcome)")
            return
        }
        expectRefused(fits + "A / HTTP/1.0\r\n\r\n", .methodTooLong(limit: 32))
        #expect(ParseError.methodTooLong(limit: 32).status.code == 501)
    }

    @Test("a line of the limit passes, one byte more is answered 414")
    func longLine() {
        let target = "/" + String(repeating: "a", count: 16 * 1024 - 14)
        guard case .parsed = readHead("GET \(target) HTTP/1.0\r\n\r\n") else {
            Issue.record("refused at the limit")
            return
        }
        expectRefused("GET \(target)a HTTP/1.0\r\n\r\n", .requestLineTooLong(limit: 16 * 1024))
        #expect(ParseError.requestLineTooLong(limit: 0).status.code == 414)
    }

    @Test("a line without end is refused as soon as it is over the limit")
    func endlessLine() {
        let line = [UInt8](repeating: UInt8(ascii: "a"), count: 16 * 1024 + 1)
        #expect(readHead([line]) == .refused(.requestLineTooLong(limit: 16 * 1024)))
        #expect(readHead([Array(line.dropLast())]) == .needsMoreBytes)
    }
}
