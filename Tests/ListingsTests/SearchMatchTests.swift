import Listings
import Testing

@Suite("Places of searched words")
struct SearchMatchTests {
    @Test(
        "a text has the words that a search finds, and no others",
        arguments: [
            ("cafe", "A Café, cafes", ["Café", "cafes"]), ("cafe shop", "A café, cafes", ["café"]),
            ("\"cafe\"", "A café, cafes", ["café"]), ("gra", "Programs of Grace", ["Grace"]),
            ("京都", "東京都", ["京都"]), ("東京都", "東京都庁", ["東京都"]), ("x", "", []),
            ("a-b", "b a B", ["b", "a", "B"]), ("ä", "a\u{308} b", ["a\u{308}"]), ("q", "abc", []),
        ]
    )
    func words(search: String, text: String, found: [String]) throws {
        let search = try #require(TextSearch(search))
        #expect(search.matches(in: text).map { String(text[$0]) } == found)
    }
}
