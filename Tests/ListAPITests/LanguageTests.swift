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
        "headers of sections are in the language, and look like cells",
        arguments: [
            ("en", "group=shelf", ["No shelf"]), ("de", "group=shelf", ["Ohne Shelf"]),
            ("en", "group=size", ["12,345", "No size"]),
            ("de", "group=size&layout=grid", ["12.345", "Ohne Size"]),
        ]
    )
    func headers(language: String, query: String, titles: [String]) throws {
        let items = [Item(id: "a", size: 12345), Item(id: "b")]
        let fields = [(FieldName.acceptLanguage, language), (.accept, "text/html")]
        let page = try Client([.items(items)]).ask(.get, "/items?\(query)", fields: fields)
        let found = page.body.matches(of: #/<bdi>([^<]*)</bdi></a> <span class="n">/#)
        #expect(found.map { String($0.output.1) } == titles)
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

    @Test("names of lists are not translated")
    func names() throws {
        let client = try Client([.items(.numbered(3), list: "Lists")])
        let fields = [(FieldName.acceptLanguage, "de"), (.accept, "text/html")]
        let answer = try client.ask(.get, "/Lists/99", fields: fields)
        #expect(answer.body.contains("Keine Zeile „99“ in Lists."))
        #expect(answer.body.contains("href=\"/Lists\">Lists</a>"))
        let other = try client.ask(.get, "/Lsits", fields: fields)
        #expect(other.body.contains("href=\"/Lists\">Lists</a>"))
        #expect(other.body.contains(">Alle Listen</a>"))
        let cell = try client.ask(.get, "/Lists/1/-/cells/nothing", fields: fields)
        #expect(cell.body.contains("Keine Spalte „nothing“ in Lists."))
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
