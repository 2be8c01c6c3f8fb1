import Testing

@testable import SQLite

@Suite("The index of trigrams")
struct TrigramIndexTests {
    @Test(
        "a query names each trigram once",
        arguments: [
            ("abc", #""abc""#), ("abcd", #""abc" AND "bcd""#), ("aaaaa", #""aaa""#),
            (#"a"b"#, #""a""b""#), ("zoë", #""zoë""#), ("ab", ""), ("", ""),
        ]
    )
    func query(text: String, query: String) {
        #expect(TrigramIndex.query(for: text) == query)
        #expect(TrigramIndex.isHelpful(for: text) == !query.isEmpty)
    }

    @Test("a long text is looked up by its first trigrams")
    func longText() {
        let text = String((0x4E00..<0x4E80).compactMap(Unicode.Scalar.init).map(Character.init))
        #expect(TrigramIndex.query(for: text).split(separator: " AND ").count == 16)
    }
}
