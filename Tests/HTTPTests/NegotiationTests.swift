import HTTP
import TestSupport
import Testing

@Suite("Negotiation (RFC 9110 §12)")
struct NegotiationTests {
    private static let offered: [MediaType] = [.json, .html, .csv, .ndjson]

    static let accepts: [(String?, MediaType?)] = [
        (nil, .json),
        ("*/*", .json),
        ("", .json),
        (" , ,", .json),
        ("text/html", .html),
        ("TEXT/Html", .html),
        ("text/*", .html),
        ("application/*", .json),
        ("image/png", nil),
        ("image/png, text/html;q=0.1", .html),
        ("text/html, application/json", .json),
        ("text/html;q=0.9, application/json;q=0.8", .html),
        ("text/html;q=0.5, */*;q=0.5", .json),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", .html),
        ("application/json;q=0", nil),
        ("*/*, application/json;q=0", .html),
        ("application/json;q=0, */*;q=0.1", .html),
        ("text/*;q=0.3, text/csv;q=0.7, */*;q=0.5", .csv),
        ("*/*;q=0", nil),
        ("application/json;q=0.001", .json),
        ("application/json;q=0.000", nil),
        ("application/json;q=0.", nil),
        ("application/json;q=1.000, text/html;q=0.999", .json),
        ("text/html ; q=0.2 , text/csv\t;\tq=0.3", .csv),
        ("text/html;Q=0.2, text/csv;q=0.1", .html),
        // What does not follow the grammar is ignored.
        ("text/html;q=1.1, text/csv;q=0.1", .csv),
        ("text/html;q=0.1234, text/csv;q=0.1", .csv),
        ("text/html;q=-1, text/csv;q=0.1", .csv),
        ("text/html;q=, text/csv;q=0.1", .csv),
        ("text/html;q, text/csv;q=0.1", .csv),
        ("text/html;q=.5, text/csv;q=0.1", .csv),
        ("text/html;q=1.001, text/csv;q=0.1", .csv),
        ("text/html;q=0x5, text/csv;q=0.1", .csv),
        ("text/html;q=0.x, text/csv;q=0.1", .csv),
        ("text/html;, text/csv;q=0.1", .csv),
        ("text/html x, text/csv;q=0.1", .csv),
        ("*/html, text/csv;q=0.1", .csv),
        ("text/, text/csv;q=0.1", .csv),
        ("/html, text/csv;q=0.1", .csv),
        ("text, text/csv;q=0.1", .csv),
        ("text/html;a=\"x, text/csv", .json),
        ("nonsense", .json),
        // Parameters: a charset is not compared, and others are where no range names the type better.
        ("text/html;charset=utf-8", .html),
        ("text/html;charset=\"UTF-8\";q=0.5, text/csv;q=0.4", .html),
        ("text/html;level=1", .html),
        ("text/html;profile=\"https://a.example/p\"", .html),
        ("text/csv;level=1;q=0.5, text/*;q=0.2", .csv),
        ("text/*;level=1, text/csv;q=0.1", .csv),
        ("*/*;level=1, text/csv;q=0.1", .csv),
        ("text/html;level=1;q=0.1, text/html;q=0.5", .html),
        ("text/html;a=\"b,c;q=0\";q=0.9, text/csv;q=0.1", .html),
        ("text/html;a=\"\\\"\", text/csv;q=0.1", .html),
        ("text/html;q=0.5;ext=1, text/csv;q=0.1", .html),
    ]

    @Test("the media type of the highest quality is chosen", arguments: accepts)
    func mediaType(accept: String?, expected: MediaType?) {
        #expect(Negotiation.best(accept: accept, among: Self.offered) == expected)
    }

    @Test("a parameter a type has makes its range the more specific one")
    func parameters() {
        let profiled = MediaType("text", "html", parameters: "profile=a; charset=utf-8")
        let offered = [MediaType.html, profiled]
        let accept = "text/html;q=0.5, text/html;profile=a"
        #expect(Negotiation.best(accept: accept, among: offered) == profiled)
        #expect(Negotiation.best(accept: "text/html", among: offered) == .html)
    }

    @Test("nothing offered suits nobody")
    func nothingOffered() {
        #expect(Negotiation.best(accept: nil, among: []) == nil)
        #expect(Negotiation.best(accept: "*/*", among: []) == nil)
    }

    static let codings: [(String?, ContentCoding?)] = [
        (nil, .identity),
        ("", .identity),
        ("gzip", .gzip),
        ("GZip", .gzip),
        ("x-gzip", .gzip),
        ("gzip, deflate, br", .gzip),
        ("br", .identity),
        ("*", .gzip),
        ("gzip;q=0", .identity),
        ("gzip;q=0.001", .gzip),
        ("*;q=0.5, gzip;q=0", .identity),
        ("identity", .identity),
        ("identity, gzip;q=0.5", .identity),
        ("identity;q=0.5, gzip", .gzip),
        ("gzip, identity", .gzip),
        ("identity;q=0", nil),
        ("*;q=0", nil),
        ("identity;q=0, gzip", .gzip),
        ("*;q=0, gzip", .gzip),
        ("*;q=0, identity", .identity),
        ("gzip;q=2", .identity),
        ("deflate, gzip;q=1.0, *;q=0.5", .gzip),
    ]

    @Test("gzip is chosen only where it is wanted", arguments: codings)
    func coding(field: String?, expected: ContentCoding?) {
        #expect(Negotiation.best(acceptEncoding: field, among: [.gzip, .identity]) == expected)
    }

    @Test("identity alone is refused only explicitly")
    func identityOnly() {
        #expect(Negotiation.best(acceptEncoding: "gzip", among: [.identity]) == .identity)
        #expect(Negotiation.best(acceptEncoding: "gzip, *;q=0", among: [.identity]) == nil)
    }

    @Test("no text traps the reader", arguments: 0..<20)
    func randomText(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let pieces = ["text/html", "*", "/", ";", "q=", "0.5", ",", "\"", "\\", " ", "=", "é", "x"]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...12, using: &generator))
                .compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            let chosen = Negotiation.best(accept: text, among: [.json])
            #expect(chosen == .json || chosen == nil)
            let coding = Negotiation.best(acceptEncoding: text, among: [.gzip])
            #expect(coding == .gzip || coding == nil)
            if case .tags(let tags) = EntityTagCondition(parsing: text) { #expect(!tags.isEmpty) }
        }
    }
}

@Suite("Entity tags (RFC 9110 §8.8.3, §13.1)")
struct EntityTagTests {
    private static let strong = EntityTag("1", isWeak: false)
    private static let weak = EntityTag("1", isWeak: true)

    @Test("the comparisons are those of the table in §8.8.3.2")
    func comparisons() {
        let other = EntityTag("2", isWeak: true)
        #expect(!Self.weak.matchesStrongly(Self.weak) && Self.weak.matchesWeakly(Self.weak))
        #expect(!Self.weak.matchesStrongly(other) && !Self.weak.matchesWeakly(other))
        #expect(!Self.weak.matchesStrongly(Self.strong) && Self.weak.matchesWeakly(Self.strong))
        #expect(!Self.strong.matchesStrongly(Self.weak) && Self.strong.matchesWeakly(Self.weak))
        #expect(Self.strong.matchesStrongly(Self.strong) && Self.strong.matchesWeakly(Self.strong))
    }

    static let conditions: [(String, EntityTagCondition?)] = [
        ("*", .any), (" *\t", .any),
        ("\"1\"", .tags([strong])), ("W/\"1\"", .tags([weak])),
        ("\"1\", W/\"1\"", .tags([strong, weak])), ("\"1\",\"1\"", .tags([strong, strong])),
        (" , \"1\" , ,", .tags([strong])),
        ("\"a,b\"", .tags([EntityTag("a,b", isWeak: false)])),
        ("\"\"", .tags([EntityTag("", isWeak: false)])),
        ("\"\u{E9}\"", .tags([EntityTag("\u{E9}", isWeak: false)])),
        ("", nil), (",", nil), ("1", nil), ("\"1", nil), ("1\"", nil), ("w/\"1\"", nil),
        ("W/1", nil), ("W /\"1\"", nil), ("\"1\" \"2\"", nil), ("\"1\"x", nil), ("*, \"1\"", nil),
        ("\"a b\"", nil), ("\"a\u{7F}\"", nil), ("**", nil), ("W/", nil),
    ]

    @Test("a condition is read to the byte", arguments: conditions)
    func condition(text: String, expected: EntityTagCondition?) {
        #expect(EntityTagCondition(parsing: text) == expected)
    }

    @Test("a condition matches when one of its tags does")
    func matching() throws {
        let condition = try #require(EntityTagCondition(parsing: "\"0\", W/\"1\""))
        #expect(condition.matchesWeakly(Self.strong))
        #expect(!condition.matchesStrongly(Self.strong))
        #expect(!condition.matchesWeakly(EntityTag("2", isWeak: false)))
        #expect(EntityTagCondition.any.matchesStrongly(Self.weak))
        #expect(EntityTagCondition.any.matchesWeakly(Self.weak))
    }

    @Test(
        "what is written is read back",
        arguments: [strong, weak, EntityTag("a;/b", isWeak: true)]
    )
    func roundTrip(tag: EntityTag) {
        #expect(EntityTagCondition(parsing: tag.value) == .tags([tag]))
    }

    static let languages: [(String?, String)] = [
        (nil, "en"),
        ("", "en"),
        ("*", "en"),
        ("de", "de"),
        ("DE", "de"),
        ("de-AT", "de"),
        ("de-Latn-AT, en;q=0.9", "de"),
        ("fr", "en"),
        ("fr, de;q=0.5, en;q=0.4", "de"),
        ("en;q=0.3, de;q=0.7", "de"),
        ("de;q=0", "en"),
        ("de;q=0, *;q=0.1", "en"),
        ("deu", "en"),
        ("de;q=2, en;q=0.1", "en"),
        ("-", "en"),
    ]

    @Test("the language is found that suits best, or else the first there is", arguments: languages)
    func language(field: String?, expected: String) {
        #expect(Negotiation.best(acceptLanguage: field, among: ["en", "de"]) == expected)
    }
}
