import HTTP
import ListAPITestSupport
import Testing

@Suite("Pages speak the client's language")
struct LanguageTests {
    @Test(
        "the language is the one of the pages that the client likes best",
        arguments: [
            (nil, "en", "Skip to the list"),
            ("de-DE,de;q=0.9,en;q=0.8", "de", "Zur Liste springen"),
            ("fr", "en", "Skip to the list"),
        ] as [(String?, String, String)]
    )
    func language(field: String?, code: String, words: String) throws {
        let answer = try Client(samples: .inMemory).ask(
            .get,
            "/users.html",
            fields: field.map { [(.acceptLanguage, $0)] } ?? []
        )
        #expect(answer.body.contains("<html lang=\"\(code)\" dir=\"ltr\">"))
        #expect(answer.body.contains(words))
        #expect(answer.field("Vary") == "Accept-Encoding, Accept-Language")
    }

    @Test("each language of a page has an entity tag of its own; JSON has one for all")
    func tags() throws {
        let client = try Client(samples: .inMemory)
        func tag(_ path: String, _ language: String) throws -> String? {
            try client.ask(.get, path, fields: [(.acceptLanguage, language)]).field("ETag")
        }
        #expect(try tag("/users.html", "en") != tag("/users.html", "de"))
        #expect(try tag("/users.json", "en") == tag("/users.json", "de"))
    }
}
