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

    @Test("Hebrew pages are written from right to left")
    func rightToLeft() throws {
        let fields = [(FieldName.acceptLanguage, "he")]
        let page = try Client(samples: .inMemory).ask(.get, "/users.html", fields: fields)
        #expect(page.body.contains("<html lang=\"he\" dir=\"rtl\">"))
        #expect(page.body.contains("60 שורות"))
    }

    @Test(
        "problems are in the language of the client, and leave the parts of the request as they are",
        arguments: [
            ("/users?agee=3", "Keine Spalte und kein Parameter „agee“. Spalten: "),
            ("/users?age=x", "„age“ ist eine ganze Zahl in Ziffern, nicht „x“."),
            ("/users?sort=nix", "Keine Spalte „nix“; Spalten: "),
            ("/users/Conflict", "Keine Zeile „Conflict“ in users."),
            ("/nothing", "Keine Liste „nothing“."),
            ("/users?limit=0", "Adresse berichtigen"),
        ]
    )
    func problems(target: String, words: String) throws {
        let fields = [(FieldName.acceptLanguage, "de"), (.accept, "text/html")]
        let answer = try Client(samples: .inMemory).ask(.get, target, fields: fields)
        #expect(answer.status == 400 || answer.status == 404)
        #expect(answer.body.contains(words), "\(answer.body)")
        #expect(!answer.body.contains("Nothing") && !answer.body.contains("No "))
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
