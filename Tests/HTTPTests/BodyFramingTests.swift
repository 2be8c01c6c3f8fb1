import Testing

@testable import HTTP

@Suite("Body framing (RFC 9112 §6)")
struct BodyFramingTests {
    private static func framing(_ fields: String, version: String = "1.1") throws -> BodyFraming {
        try expectParsed("POST / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n").head.framing
    }

    @Test("without length and coding there is no body")
    func absent() throws {
        #expect(try Self.framing("") == .absent)
        #expect(try Self.framing("Content-Length: 0\r\n") == .absent)
        #expect(try Self.framing("Content-Length: 000\r\n") == .absent)
    }

    @Test("a row of digits is the length")
    func length() throws {
        #expect(try Self.framing("Content-Length: 5\r\n") == .length(5))
        #expect(try Self.framing("content-length:\t0012 \r\n") == .length(12))
        #expect(try Self.framing("Content-Length: 1048576\r\n") == .length(1_048_576))
        #expect(try Self.framing("Content-Length: 5\r\n", version: "1.0") == .length(5))
    }

    static let refused: [(String, ParseError)] = [
        ("Content-Length: \r\n", .malformedContentLength),
        ("Content-Length: +5\r\n", .malformedContentLength),
        ("Content-Length: -0\r\n", .malformedContentLength),
        ("Content-Length: 5 5\r\n", .malformedContentLength),
        ("Content-Length: 5, 5\r\n", .malformedContentLength),
        ("Content-Length: 5,6\r\n", .malformedContentLength),
        ("Content-Length: 0x5\r\n", .malformedContentLength),
        ("Content-Length: 5a\r\n", .malformedContentLength),
        ("Content-Length: 5.0\r\n", .malformedContentLength),
        ("Content-Length: \u{665}\r\n", .malformedContentLength),
        ("Content-Length: 5\r\nContent-Length: 5\r\n", .repeatedField(.contentLength)),
        ("Content-Length: 5\r\nContent-Length: 6\r\n", .repeatedField(.contentLength)),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", .lengthAndCoding),
        ("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", .lengthAndCoding),
        ("Transfer-Encoding: gzip\r\nContent-Length: 0\r\n", .lengthAndCoding),
        ("Transfer-Encoding: chunked, chunked\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: chunked, gzip\r\n", .malformedTransferEncoding),
        (
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            .malformedTransferEncoding
        ),
        ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding:\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: chunked;a=b\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: \"chunked\"\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: chun ked\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: ,chunked\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: chunked,\r\n", .malformedTransferEncoding),
        ("Transfer-Encoding: \u{B}chunked\r\n", .controlByteInField),
    ]

    @Test("what could be read in two ways is refused", arguments: refused)
    func ambiguous(fields: String, error: ParseError) {
        expectRefused("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n", error)
        #expect(error.status == .badRequest)
    }

    @Test(
        "a well-formed coding other than chunked is answered 501",
        arguments: ["gzip", "identity", "gzip, chunked", "xchunked", "chunkedx", "br,\tchunked"]
    )
    func unsupported(coding: String) {
        expectRefused(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n",
            .unsupportedTransferEncoding
        )
        #expect(ParseError.unsupportedTransferEncoding.status.code == 501)
    }

    @Test(
        "chunked is read in any case",
        arguments: ["chunked", "CHUNKED", "Chunked", " chunked\t"]
    )
    func chunked(coding: String) throws {
        #expect(try Self.framing("Transfer-Encoding: \(coding)\r\n") == .chunked)
    }

    @Test("HTTP/1.0 has no coding")
    func codingInHTTP10() {
        expectRefused("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .codingInHTTP10)
        #expect(ParseError.codingInHTTP10.status == .badRequest)
    }

    @Test(
        "a length over the limit is answered 413, however many digits it has",
        arguments: [
            "1048577", "999999999999999999", "1000000000000000000", "18446744073709551617",
            "99999999999999999999999999999999999999999999", "0000000000000000000",
        ]
    )
    func tooLarge(length: String) {
        expectRefused(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n",
            .bodyTooLarge(limit: 1_048_576)
        )
        #expect(ParseError.bodyTooLarge(limit: 0).status.code == 413)
    }

    @Test(
        "what a Connection field says decides about keeping the connection",
        arguments: [
            ("1.1", "", true),
            ("1.1", "Connection: close\r\n", false),
            ("1.1", "Connection: Close\r\n", false),
            ("1.1", "Connection: x, CLOSE ,y\r\n", false),
            ("1.1", "Connection: x\r\nConnection: close\r\n", false),
            ("1.1", "Connection: keep-alive, close\r\n", false),
            ("1.1", "Connection: closed\r\n", true),
            ("1.1", "Connection: keep-alive\r\n", true),
            ("1.0", "", false),
            ("1.0", "Connection: keep-alive\r\n", true),
            ("1.0", "Connection: Keep-Alive\r\n", true),
            ("1.0", "Connection: x,keep-alive\r\n", true),
            ("1.0", "Connection: keep-alive, close\r\n", false),
            ("1.0", "Connection: x\r\n", false),
        ]
    )
    func keepsConnection(version: String, field: String, keeps: Bool) throws {
        let parsed = try expectParsed("GET / HTTP/\(version)\r\nHost: a\r\n\(field)\r\n")
        #expect(parsed.head.keepsConnection == keeps)
    }

    @Test("an expectation counts only in HTTP/1.1 and with a body")
    func expectation() throws {
        func expects(_ head: String) throws -> Bool {
            try expectParsed(head + "\r\n").head.expectsContinue
        }
        let length = "Content-Length: 5\r\n"
        #expect(try expects("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n" + length))
        #expect(try expects("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n" + length))
        #expect(try !expects("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"))
        #expect(try !expects("POST / HTTP/1.0\r\nExpect: 100-continue\r\n" + length))
        #expect(try !expects("POST / HTTP/1.0\r\nExpect: magic\r\n" + length))
        for value in ["magic", "100-continue, magic", ""] {
            expectRefused(
                "POST / HTTP/1.1\r\nHost: a\r\nExpect: \(value)\r\n\(length)\r\n",
                .unknownExpectation
            )
        }
        #expect(ParseError.unknownExpectation.status.code == 417)
    }
}
