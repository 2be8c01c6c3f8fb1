import ListAPI
import Testing

@Suite("Suggestions name what was probably meant, or nothing")
struct SuggestionTests {
    private static let words = ["limit", "after", "before", "page", "sort", "columns", "group"]

    @Test(
        "one letter in three may be wrong, too many or swapped",
        arguments: [
            ("limt", "limit"), ("limti", "limit"), ("LIMIT", "limit"), ("limits", "limit"),
            ("sotr", "sort"), ("pages", "page"), ("aftr", "after"), ("beforee", "before"),
            ("column", "columns"), ("gruop", "group"), ("colmuns", "columns"),
            ("colour", nil), ("x", nil), ("", nil), ("offset", nil), ("xyz", nil),
        ] as [(String, String?)]
    )
    func nearest(word: String, suggestion: String?) {
        #expect(Suggestion.nearest(to: word, among: Self.words) == suggestion)
    }

    @Test("the nearest is taken, and the first of equals")
    func best() {
        #expect(
            Suggestion.nearest(to: "abcdef", among: ["abcxyf", "abcdxf", "abcdfe"]) == "abcdxf"
        )
        #expect(Suggestion.nearest(to: "abc", among: ["abd", "abe"]) == "abd")
        #expect(Suggestion.nearest(to: "abc", among: []) == nil)
    }

    @Test("a long word is no typing error, whatever it costs to compare")
    func long() {
        let word = String(repeating: "a", count: 65)
        #expect(Suggestion.nearest(to: word, among: [word]) == nil)
        let shorter = String(word.dropLast())
        #expect(Suggestion.nearest(to: shorter, among: [word]) == word)
    }
}
