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

    @Test(
        "a long text is looked up by four trigrams, those with digits first",
        arguments: [
            ("abcdefghij", #""abc" AND "cde" AND "efg" AND "ghi""#),
            ("99@example", #""99@" AND "9@e" AND "@ex" AND "amp""#),
            ("1234567890", #""123" AND "345" AND "567" AND "789""#),
        ]
    )
    func longText(text: String, query: String) {
        #expect(TrigramIndex.query(for: text) == query)
    }
}
