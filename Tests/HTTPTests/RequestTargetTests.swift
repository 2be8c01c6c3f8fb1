import Testing

@testable import HTTP

@Suite("Request target (RFC 9112 §3.2, RFC 3986)")
struct RequestTargetTests {
    @Test(
        "a character that has to be percent-encoded is refused, and named",
        arguments: [("#", "%23"), ("<", "%3C"), (">", "%3E"), ("\"", "%22")]
    )
    func forbiddenCharacters(character: String, text: String) throws {
        let error = ParseError.characterInTarget(try #require(character.utf8.first))
        expectRefused("GET /a\(character)b HTTP/1.1\r\nHost: a\r\n\r\n", error)
        expectRefused("GET /?a\(character)b HTTP/1.1\r\nHost: a\r\n\r\n", error)
        let detail = "The request target holds a character that is written as \(text)."
        #expect(ProtocolErrorResponse(.refused(error)).detail == detail)
    }

    @Test(
        "a character that no path has is refused in it",
        arguments: ["\\", "^", "`", "{", "|", "}"]
    )
    func forbiddenInPath(character: String) throws {
        let error = ParseError.characterInTarget(try #require(character.utf8.first))
        expectRefused("GET /a\(character)b?c HTTP/1.1\r\nHost: a\r\n\r\n", error)
    }

    @Test(
        "characters that browsers and curl send as they are mean themselves",
        arguments: ["^", "`", "{", "|", "}", "\\", "é", "Łódź", "名前", "😀", "a\u{301}"]
    )
    func rawCharacters(text: String) throws {
        let items = try HTTPRequest(.get, "/?q=\(text)&\(text)=1").queryItems
        #expect(items.map(\.name) == ["q", text])
        #expect(items.first { $0.name == "q" }?.value == text)
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        #expect(try HTTPRequest(.get, "/a\(text)/b").path.segments == ["a\(text)", "b"])
    }

    @Test(
        "bytes of a target that are no UTF-8 are refused",
        arguments: [[0x80], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xFF]] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) {
        let end = Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        expectRefused(Array("GET /a".utf8) + bytes + end, .invalidUTF8InPath)
        expectRefused(Array("GET /a?b=".utf8) + bytes + end, .invalidUTF8InQuery)
    }

    @Test("the query begins at the first question mark")
    func query() throws {
        let request = try HTTPRequest(.get, "/a?b=c?d=/e")
        #expect(request.path.segments == ["a"])
        #expect(request.query == "b=c?d=/e")
        let empty = try HTTPRequest(.get, "/a?")
        #expect(empty.query == "")
        let missing = try HTTPRequest(.get, "/a")
        #expect(missing.query == nil)
    }

    @Test("an absolute form gives the path, and its authority replaces Host")
    func absoluteForm() throws {
        let request = try HTTPRequest(
            .get,
            "http://example.org:8080/a/b?c",
            fields: [(.host, "other")]
        )
        #expect(request.path.rawPath == "/a/b")
        #expect(request.path.segments == ["a", "b"])
        #expect(request.query == "c")
        #expect(request.authority == "example.org:8080")
        #expect(request.target == "http://example.org:8080/a/b?c")
        let upper = try HTTPRequest(.get, "HTTP://example.org")
        #expect(upper.path.rawPath == "/")
        #expect(upper.path.segments == [""])
        #expect(upper.query == nil)
        let queryOnly = try HTTPRequest(.get, "http://example.org?a=b")
        #expect(queryOnly.path.rawPath == "/")
        #expect(queryOnly.query == "a=b")
    }

    @Test("an absolute form still needs Host in HTTP/1.1")
    func absoluteFormWithoutHost() {
        expectRefused("GET http://a/ HTTP/1.1\r\n\r\n", .missingHost)
    }

    @Test(
        "other schemes, user information, missing authorities and other forms are refused",
        arguments: [
            "https://a/", "ftp://a/", "http:///", "http://", "http://u@a/", "http://u:p@a/",
            "http://a:x/", "http:/a", "http:a", "a", "a/b", "a:80", "*", "*a", "?a", "http://a,b/",
        ]
    )
    func otherForms(target: String) {
        expectRefused("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget)
    }

    @Test("the asterisk belongs to OPTIONS alone")
    func asterisk() throws {
        let request = try HTTPRequest(.options, "*")
        #expect(request.path.isAsterisk)
        #expect(request.path.rawPath == "*")
        #expect(request.path.segments == [])
        expectRefused("OPTIONS *x HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget)
        expectRefused("FOO * HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget)
    }

    static let paths: [(String, [String])] = [
        ("/", [""]),
        ("/users", ["users"]),
        ("/users/", ["users", ""]),
        ("/a//b", ["a", "", "b"]),
        ("//", ["", ""]),
        ("/%41", ["A"]),
        ("/%c3%A9", ["\u{E9}"]),
        ("/%F0%9F%98%80/x", ["\u{1F600}", "x"]),
        ("/a%2Fb", ["a/b"]),
        ("/a%5Cb", ["a\\b"]),
        ("/%25%34%31", ["%41"]),
        ("/a+b", ["a+b"]),
        ("/a%20b", ["a b"]),
        ("/[x]@:!$&'()*,;=~", ["[x]@:!$&'()*,;=~"]),
        ("/.", [""]),
        ("/./", [""]),
        ("/a/.", ["a", ""]),
        ("/a/./b", ["a", "b"]),
        ("/a/..", [""]),
        ("/a/../b", ["b"]),
        ("/a/b/../../c/", ["c", ""]),
        ("/a/b/..", ["a", ""]),
        ("/a/%2e%2E/b", ["b"]),
        ("/a/.%2e/b", ["b"]),
        ("/...", ["..."]),
        ("/a..", ["a.."]),
        ("//..", [""]),
        ("/%2e%2e%2fetc", ["../etc"]),
        ("/a%0d%0ab/%09", ["a\r\nb", "\t"]),
        ("/%1F%7f", ["\u{1F}\u{7F}"]),
    ]

    @Test("a path is split, then decoded once, then its dots are resolved", arguments: paths)
    func path(raw: String, segments: [String]) throws {
        let request = try HTTPRequest(.get, raw)
        #expect(request.path.segments == segments)
        #expect(request.path.rawPath == raw)
        #expect(request.path.isWithinLimits)
    }

    static let refusedPaths: [(String, ParseError)] = [
        ("/%", .malformedPercentEncoding), ("/%4", .malformedPercentEncoding),
        ("/%4/1", .malformedPercentEncoding), ("/%zz", .malformedPercentEncoding),
        ("/%4g", .malformedPercentEncoding), ("/a%", .malformedPercentEncoding),
        ("/%00", .nulInPath), ("/a%00b", .nulInPath),
        ("/%80", .invalidUTF8InPath), ("/%c3", .invalidUTF8InPath),
        ("/%c3/%a9", .invalidUTF8InPath), ("/%C0%AF", .invalidUTF8InPath),
        ("/%E0%80%AF", .invalidUTF8InPath), ("/%ED%A0%80", .invalidUTF8InPath),
        ("/%F5%80%80%80", .invalidUTF8InPath), ("/%ff", .invalidUTF8InPath),
        ("/..", .pathAboveRoot), ("/../a", .pathAboveRoot), ("/a/../..", .pathAboveRoot),
        ("/%2e%2e/a", .pathAboveRoot), ("/./..", .pathAboveRoot),
    ]

    @Test("a path that cannot be decoded is refused", arguments: refusedPaths)
    func refusedPath(raw: String, error: ParseError) {
        #expect(throws: error) { try HTTPRequest(.get, raw) }
        #expect(error.status == .badRequest)
    }

    @Test("too many segments or bytes lead nowhere, and are no fault of the request line")
    func pathLimits() throws {
        let many = try HTTPRequest(.get, String(repeating: "/a", count: 64))
        #expect(many.path.isWithinLimits)
        let tooMany = try HTTPRequest(.get, String(repeating: "/a", count: 65))
        #expect(!tooMany.path.isWithinLimits)
        let long = try HTTPRequest(.get, "/" + String(repeating: "a", count: 4096))
        #expect(long.path.isWithinLimits)
        let tooLong = try HTTPRequest(.get, "/" + String(repeating: "a", count: 4097))
        #expect(!tooLong.path.isWithinLimits)
    }
}
