import ListAPITestSupport
import TestSupport
import Testing

@Suite("The format is negotiated (RFC 9110 §12), and a suffix decides")
struct NegotiationTests {
    private static let browser =
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

    @Test(
        "the best of what the client accepts is chosen, JSON where it does not matter",
        arguments: [
            (nil, "application/json"),
            ("*/*", "application/json"),
            ("application/*", "application/json"),
            (browser, "text/html"),
            ("text/html", "text/html"),
            ("text/*", "text/html"),
            ("text/csv", "text/csv"),
            ("application/x-ndjson", "application/x-ndjson"),
            ("text/html, application/json", "application/json"),
            ("application/json;q=0.5, text/csv", "text/csv"),
            ("text/csv;q=0.2, text/html;q=0.3, */*;q=0.1", "text/html"),
            ("application/json;q=0, */*", "text/html"),
            ("image/png, */*;q=0.1", "application/json"),
        ] as [(String?, String)]
    )
    func accept(field: String?, mediaType: String) throws {
        for way in Way.allCases {
            let answer = try Client(samples: way).get("/users?limit=3", accept: field)
            #expect(answer.status == 200)
            #expect(answer.mediaType == mediaType)
            #expect(answer.field("Vary") == "Accept, Accept-Encoding, Accept-Language")
            #expect(try answer.rows().count == 3)
        }
    }

    @Test(
        "a suffix wins over the Accept field",
        arguments: [
            ("/users.json", "application/json"),
            ("/users.html", "text/html; charset=utf-8"),
            ("/users.csv", "text/csv; charset=utf-8; header=present"),
            ("/users.ndjson", "application/x-ndjson"),
            ("/users/3.json", "application/json"),
            ("/users/3.html", "text/html; charset=utf-8"),
            ("/users/-/sections.json", "application/json"),
            ("/users/-/sections.html", "text/html; charset=utf-8"),
            ("/users/-/sections/Writer.csv", "text/csv; charset=utf-8; header=present"),
            ("/users/-/sections/Writer.ndjson", "application/x-ndjson"),
            ("/users/-/schema.json", "application/json"),
            ("/users/-/schema.html", "text/html; charset=utf-8"),
            ("/.json", "application/json"),
            ("/.html", "text/html; charset=utf-8"),
        ]
    )
    func suffix(target: String, contentType: String) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            for accept in ["text/html", "application/json", "image/png", Self.browser] {
                let answer = try client.get(target, accept: accept)
                #expect(answer.status == 200)
                #expect(answer.field("Content-Type") == contentType)
                #expect(answer.field("Vary") == "Accept-Encoding, Accept-Language")
                #expect(answer.field("X-Content-Type-Options") == "nosniff")
            }
        }
    }

    private static let all = ["json", "html", "csv", "ndjson", "xlsx"]

    @Test(
        "nothing acceptable is refused with all there is",
        arguments: [
            ("/users", "image/png", Self.all),
            (
                "/users?limit=2", "application/json;q=0, text/*;q=0",
                Self.all
            ),
            ("/users/3", "text/csv", ["json", "html"]),
            ("/users/3.csv", "*/*", ["json", "html"]),
            ("/users/3%2Ec%73v", "*/*", ["json", "html"]),
            ("/users/-/sections.ndjson", "*/*", ["json", "html"]),
            ("/users/-/sections/Writer", "image/png", Self.all),
            ("/users/-/schema", "text/csv", ["json", "html"]),
            ("/", "text/csv", ["json", "html"]),
            ("/.csv", "*/*", ["json", "html"]),
        ]
    )
    func notAcceptable(target: String, accept: String, formats: [String]) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            let answer = try client.get(target, accept: accept)
            #expect(answer.status == 406)
            // What a suffix decides does not vary by Accept.
            let hasSuffix = target.contains(".") || target.contains("%2E")
            #expect(answer.field("Vary")?.contains(/Accept(,|$)/) ?? false != hasSuffix)
            guard answer.mediaType == "application/problem+json" else {
                #expect(answer.mediaType == "text/plain")
                continue
            }
            let problem = try answer.json()
            #expect(problem["type"]?.text == "/-/problems/not-acceptable")
            let others =
                formats.count > 2
                ? ", text/csv, application/x-ndjson, "
                    + "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" : ""
            let detail = "This address offers application/json, text/html\(others)."
            #expect(problem["detail"]?.text == detail)
            for format in formats {
                let address = try #require(problem.link(format))
                #expect(try client.get(address, accept: accept).status == 200, "\(address)")
            }
            guard case .object(let links) = problem["links"] else { continue }
            #expect(links.keys.sorted() == formats.sorted())
        }
    }

    @Test("an unknown suffix is part of the name")
    func unknownSuffix() throws {
        let client = try Client([.items([Item(id: "a.txt"), Item(id: "a")])])
        #expect(try client.get("/items/a.txt").json()["row", "id"]?.text == "a.txt")
        #expect(try client.get("/items/a.JSON").status == 404)
        #expect(try client.get("/items.xml").status == 404)
    }
}
