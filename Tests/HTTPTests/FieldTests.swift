import Testing

@testable import HTTP

@Suite("Fields (RFC 9112 §5, RFC 9110 §5)")
struct FieldTests {
    private static func head(_ fields: String) -> String {
        "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    static let values: [(String, String)] = [
        ("x: y", "x=y"), ("x:y", "x=y"), ("x: \t y \t", "x=y"), ("X-Y: a b", "x-y=a b"),
        ("x:", "x="), ("x: \t ", "x="), ("x: a:b", "x=a:b"), ("x: \u{E9}", "x=\u{E9}"),
        ("!#$%&'*+-.^_`|~0: z", "!#$%&'*+-.^_`|~0=z"), ("x: a\tb", "x=a\tb"),
    ]

    @Test("blanks around a value are no part of it", arguments: values)
    func value(line: String, field: String) throws {
        let parsed = try expectParsed(Self.head(line))
        #expect(parsed.fields == ["host=a", field])
    }

    static let malformed: [(String, ParseError)] = [
        ("x y: z", .malformedFieldName), ("x : z", .malformedFieldName),
        ("x\t: z", .malformedFieldName), (": z", .malformedFieldName),
        ("x", .malformedFieldName), ("x(: z", .malformedFieldName),
        ("\u{E9}: z", .malformedFieldName), ("x\u{0}: z", .malformedFieldName),
        (" x: y", .foldedField), ("\tx: y", .foldedField), ("x: y\r\n z", .foldedField),
        ("x: a\u{0}b", .controlByteInField), ("x: a\u{1}b", .controlByteInField),
        ("x: a\u{B}b", .controlByteInField), ("x: a\u{7F}b", .controlByteInField),
        ("x: a\nb: c", .bareLineFeed), ("x\n", .bareLineFeed),
        ("x: a\rb", .bareCarriageReturn), ("x: a\r\r", .bareCarriageReturn),
        ("x: y\r\n\n", .bareLineFeed), ("x: y\r\n\rz", .bareCarriageReturn),
    ]

    @Test("a line that breaks the grammar is refused", arguments: malformed)
    func refused(line: String, error: ParseError) {
        expectRefused(Self.head(line), error)
        #expect(error.status == .badRequest)
    }

    @Test("the first line may not be a continuation either")
    func leadingBlank() {
        expectRefused("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .foldedField)
    }

    @Test("names are compared without case, values of several lines joined in order")
    func lookUp() throws {
        let request = try HTTPRequest(
            .get,
            fields: [("ACCEPT", "a"), ("x-own", "1"), ("accept", "b"), ("X-Own", "2"), ("e", "")]
        )
        #expect(request.field(.accept) == "a, b")
        #expect(request.field("X-OWN") == "1, 2")
        #expect(request.field("e") == "")
        #expect(request.field("missing") == nil)
        #expect(request.field(.ifNoneMatch) == nil)
        #expect(request.hasField("e"))
        #expect(!request.hasField("f"))
    }

    @Test("bytes that are not UTF-8 are read as ISO 8859-1, none is lost")
    func opaqueBytes() throws {
        var parser = RequestParser()
        var request = HTTPRequest()
        let bytes =
            Array("GET / HTTP/1.0\r\nx: ".utf8) + [0xE9, 0x20, 0xFF] + Array("\r\n\r\n".utf8)
        _ = try parser.parse(bytes.span, into: &request, limits: HTTPLimits())
        #expect(request.field("x") == "\u{E9} \u{FF}")
    }

    @Test("every known field is recognised in any case, and none twice")
    func knownFields() {
        for field in WellKnownFieldName.allCases {
            let name = field.wireName.description
            for spelling in [name, name.lowercased(), name.uppercased()] {
                #expect(WellKnownFieldName.named(Array(spelling.utf8).span) == field)
                #expect(FieldName(spelling) == FieldName(field))
            }
            #expect(FieldName(name).name == name)
        }
        #expect(WellKnownFieldName.allCases.count <= 64, "repeated fields are noted in 64 bits")
    }

    @Test("U+212A is no k")
    func kelvinSign() throws {
        expectRefused(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chun\u{212A}ed\r\n\r\n",
            .malformedTransferEncoding
        )
    }

    @Test("the fields can be listed in order, names as they were sent")
    func listing() throws {
        var request = HTTPRequest()
        var parser = RequestParser()
        let bytes = Array("\r\nGET /%41?b HTTP/1.1\r\nHost: a\r\nX-Own:  1\r\nx-OWN:\r\n\r\n".utf8)
        _ = try parser.parse(bytes.span, into: &request, limits: HTTPLimits())
        let lines = request.sentFields.map { "\($0.name)=\($0.value)" }
        #expect(lines == ["Host=a", "X-Own=1", "x-OWN="])
        #expect(request.field("x-own") == "1, ")
        #expect(request.target == "/%41?b")
    }

    @Test("a field line of the limit passes, one byte more is answered 431")
    func longLine() throws {
        let value = String(repeating: "v", count: 16 * 1024 - 3)
        _ = try expectParsed(Self.head("x: " + value))
        expectRefused(Self.head("x: v" + value), .fieldLineTooLong(limit: 16 * 1024))
        let name = String(repeating: "n", count: 16 * 1024 + 1)
        expectRefused(Self.head(name), .fieldLineTooLong(limit: 16 * 1024))
        #expect(ParseError.fieldLineTooLong(limit: 0).status.code == 431)
    }

    @Test("a section of the limit passes, one byte more is answered 431")
    func largeSection() throws {
        // "Host: a" and three more lines, each with two bytes of line end.
        let line = "x: " + String(repeating: "v", count: 10_000)
        let rest = 32 * 1024 - 9 - 2 * (line.utf8.count + 2) - 2
        let last = "y: " + String(repeating: "w", count: rest - 3)
        _ = try expectParsed(Self.head("\(line)\r\n\(line)\r\n\(last)"))
        expectRefused(
            Self.head("\(line)\r\n\(line)\r\n\(last)w"),
            .fieldSectionTooLarge(limit: 32 * 1024)
        )
        #expect(ParseError.fieldSectionTooLarge(limit: 0).status.code == 431)
    }

    @Test("as many fields as the limit pass, one more is answered 431")
    func manyFields() throws {
        let lines = Array(repeating: "x: y", count: 127).joined(separator: "\r\n")
        _ = try expectParsed(Self.head(lines))
        expectRefused(Self.head(lines + "\r\nx: y"), .tooManyFields(limit: 128))
        #expect(ParseError.tooManyFields(limit: 0).status.code == 431)
    }

    @Test(
        "single fields that matter are refused when repeated, even alike",
        arguments: [
            FieldName.contentType, .ifModifiedSince, .range, .authorization, .host, .contentLength,
        ]
    )
    func repeated(name: FieldName) {
        let fields = "\(name.name): 1\r\n\(name.name): 1"
        expectRefused("GET / HTTP/1.1\r\n\(fields)\r\n\r\n", .repeatedField(name))
    }
}

@Suite("Host (RFC 9112 §3.2)")
struct HostTests {
    @Test(
        "names, addresses and ports are accepted",
        arguments: [
            "a", "example.org", "example.org.", "a:80", "a:65535", "a:", "127.0.0.1:8080",
            "[::1]", "[::1]:80", "[::]", "[2001:db8::a:1]", "[1:2:3:4:5:6:7:8]",
            "[::ffff:192.0.2.1]", "[1::]", "xn--bcher-kva.example", "a_b", "%41", "a!$&'()*+;=",
        ]
    )
    func accepted(host: String) throws {
        let request = try HTTPRequest(.get, "/", fields: [(.host, host)])
        #expect(request.authority == host)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "a,b", "a b", "a/b", "u@a", "a:x", "a:65536", "a:123456", "a:-1", ":80", "a:80:80",
            "a?b", "a#b", "[::1", "::1", "[::1]x", "[:::1]", "[1:2:3:4:5:6:7]", "[]", "[:]",
            "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7::8]", "[12345::]", "[::1.2.3]", "[::256.1.1.1]",
            "[::01.1.1.1]", "[::1.2.3.4.5]", "[::1.2.3x4]", "[1::2::3]", "[v1.a]", "[::1%25eth0]",
            "[1:]", "[g::]", "%4", "%zz", "a\\b",
            "http://a", "a\"",
        ]
    )
    func refused(host: String) {
        expectRefused("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", .malformedHost)
        expectRefused("GET / HTTP/1.0\r\nHost: \(host)\r\n\r\n", .malformedHost)
    }

    @Test("HTTP/1.1 needs one, HTTP/1.0 does not")
    func missing() throws {
        expectRefused("GET / HTTP/1.1\r\n\r\n", .missingHost)
        _ = try expectParsed("GET / HTTP/1.0\r\n\r\n")
    }
}
