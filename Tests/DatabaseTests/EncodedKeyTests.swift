import Database
import Listings
import Testing

@Suite("Values that no cell can carry")
struct StoredKeyTests {
    @Test(
        "only a text that would be read as such a value is dressed",
        arguments: [
            ("\u{10FFFF}t61", true), ("\u{10FFFF}t", true), ("\u{10FFFF}b", false),
            ("\u{10FFFF}r00ff", false),
            ("\u{10FFFF}", false), ("\u{10FFFF}Oslo", false), ("\u{10FFFF}t6", false),
            ("\u{10FFFF}t6G", false), ("\u{10FFFF}x61", false), ("Oslo", false), ("", false),
        ]
    )
    func dressing(text: String, isDressed: Bool) throws {
        #expect(EncodedKey.isMarked(text.utf8.span) == isDressed)
        #expect((EncodedKey.read(text) != nil) == isDressed)
        guard case .text(let dressed) = EncodedKey.value(text.utf8.span) else {
            Issue.record("no text")
            return
        }
        #expect(try #require(EncodedKey.read(dressed)) == Array(text.utf8))
    }
}
