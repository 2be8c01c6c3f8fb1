import Bytes
import Testing

@testable import HTTP

@Suite("Query items and percent-encoding (RFC 3986 §2.1)")
struct QueryTests {
    static let queries: [(String?, [[String?]])] = [
        (nil, []),
        ("", []),
        ("&", []),
        ("a", [["a", nil]]),
        ("a=", [["a", ""]]),
        ("=", [["", ""]]),
        ("=b", [["", "b"]]),
        ("a=b", [["a", "b"]]),
        ("a=b=c", [["a", "b=c"]]),
        ("a=1&b=2&a=3", [["a", "1"], ["b", "2"], ["a", "3"]]),
        ("a=1&&b=2&", [["a", "1"], ["b", "2"]]),
        ("a=b+c", [["a", "b c"]]),
        ("a+b=c", [["a b", "c"]]),
        ("a=%2B", [["a", "+"]]),
        ("a=%26%3D", [["a", "&="]]),
        ("%61=%C3%A9", [["a", "\u{E9}"]]),
        ("a=%2541", [["a", "%41"]]),
        ("a=b;c=d", [["a", "b;c=d"]]),
        ("a?b=/c", [["a?b", "/c"]]),
    ]

    @Test("names and values are decoded once, in order", arguments: queries)
    func items(query: String?, expected: [[String?]]) throws {
        let items = try QueryItems(rawQuery: query)
        #expect(items.map { [$0.name, $0.value] } == expected)
    }

    static let malformed: [(String, QueryError)] = [
        ("a=%", .malformedPercentEncoding(name: "a")),
        ("a=%4", .malformedPercentEncoding(name: "a")),
        ("x=1&b+c=%zz", .malformedPercentEncoding(name: "b c")),
        ("a=%4&b=41", .malformedPercentEncoding(name: "a")),
        ("a%=1", .malformedPercentEncoding(name: "a%")),
        ("a=%ff", .invalidUTF8(name: "a")),
        ("a=%c3", .invalidUTF8(name: "a")),
        ("%c3=%a9", .invalidUTF8(name: "%c3")),
        ("a=%C0%80", .invalidUTF8(name: "a")),
    ]

    @Test("what cannot be decoded is refused with the parameter's name", arguments: malformed)
    func refused(query: String, error: QueryError) {
        #expect(throws: error) { try QueryItems(rawQuery: query) }
    }

    @Test("each byte stands as it is only where its place allows it")
    func encoding() {
        let unreserved =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~"
        let locations: [(PercentEncoding.Location, String)] = [
            (.queryComponent, unreserved), (.pathSegment, unreserved + "!$&'()*+,;=:@"),
        ]
        for (location, kept) in locations {
            for byte in UInt8(0)..<0x80 {
                let text = String(Unicode.Scalar(byte))
                let encoded = PercentEncoding.encode(text, for: location)
                if kept.contains(text) {
                    #expect(encoded == text)
                } else {
                    #expect(encoded.utf8.count == 3 && encoded.hasPrefix("%"))
                }
                #expect(PercentEncoding.decode(encoded) == text)
            }
        }
        #expect(PercentEncoding.encode("é/\u{1F600}", for: .pathSegment) == "%C3%A9%2F%F0%9F%98%80")
    }

    @Test("decoding is strict", arguments: ["%", "%4", "%4g", "a%", "%ff", "%c3%28"])
    func decoding(text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }

    @Test("a plus is no space outside queries")
    func plus() {
        #expect(PercentEncoding.decode("a+b%20c") == "a+b c")
    }
}

@Suite("Limits")
struct LimitTests {
    @Test("the defaults are within their ranges")
    func defaults() throws {
        try HTTPLimits().validate()
    }

    @Test("a value out of its range is refused with its name and what is allowed")
    func outOfRange() {
        var limits = HTTPLimits()
        limits.maximumRequestLineBytes = 7999
        #expect(
            throws: HTTPLimitError(
                name: "maximumRequestLineBytes",
                value: "7999",
                allowed: "8000...1048576"
            )
        ) { try limits.validate() }
        limits = HTTPLimits()
        limits.headTimeout = .milliseconds(10)
        #expect(
            throws: HTTPLimitError(
                name: "headTimeout",
                value: "0.01 seconds",
                allowed: "1...600 seconds"
            )
        ) { try limits.validate() }
    }

    @Test("a value at either end of its range passes")
    func ends() throws {
        var limits = HTTPLimits()
        limits.maximumBodyBytes = 0
        limits.lingerTimeout = .zero
        limits.maximumFields = 4096
        limits.idleTimeout = .seconds(3600)
        try limits.validate()
    }
}
