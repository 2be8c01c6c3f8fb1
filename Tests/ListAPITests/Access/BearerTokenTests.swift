import Testing

@testable import ListAPI

@Suite("Tokens of Authorization fields")
struct BearerTokenTests {
    @Test(
        "the scheme is read in any case, and nothing else is a token",
        arguments: [
            ("Bearer abc", "abc"), ("bearer abc", "abc"), ("BEARER   a-b~c", "a-b~c"),
            ("Bearer é", "é"), ("Bearer", nil), ("Bearer ", nil), ("Bearer  ", nil), ("", nil),
            ("Bearerabc", nil), ("Bearer a b", nil), ("Basic YTpi", nil), ("Bearers abc", nil),
            (" abc", nil), ("Bearer\tabc", nil),
        ] as [(String, String?)]
    )
    func forms(value: String, token: String?) {
        #expect(BearerToken.find(in: value).map(String.init) == token)
    }
}
