import Foundation
import HTTP
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@testable import ListAPI

@Suite("A running server serves its documentation")
struct DocumentationTests {
    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    private static let catalog = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Roster/Roster.docc")

    @Test(
        "the Accept field or the suffix selects the format, Markdown where it does not matter",
        arguments: [
            ("", nil, "text/markdown"), ("", "*/*", "text/markdown"), ("", browser, "text/html"),
            ("", "text/markdown", "text/markdown"), ("", "text/*", "text/markdown"),
            ("", "text/html, text/markdown;q=0.9", "text/html"), (".md", browser, "text/markdown"),
            (".html", nil, "text/html"), (".html", "text/markdown", "text/html"),
        ] as [(String, String?, String)]
    )
    func formats(suffix: String, accept: String?, mediaType: String) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            for page in ["", "/querying", "/problems"] {
                let answer = try client.get("/-/docs\(page)\(suffix)", accept: accept)
                #expect(answer.status == 200)
                #expect(answer.field("Content-Type") == "\(mediaType); charset=utf-8")
                #expect(answer.field("Cache-Control") == "no-cache")
                #expect(answer.field("X-Content-Type-Options") == "nosniff")
                let isPage = mediaType == "text/html"
                #expect((answer.field("Content-Security-Policy") != nil) == isPage)
                let vary = answer.fields.filter { $0.name == "Vary" }.map(\.value).joined()
                #expect(vary.contains(/Accept(,|$)/) == suffix.isEmpty)
            }
        }
    }

    @Test("Markdown is the article of the repository", arguments: ["Querying", "Problems"])
    func markdown(article: String) throws {
        let file = Self.catalog.appending(path: "\(article).md")
        let answer = try Client(samples: .inMemory).get("/-/docs/\(article.lowercased())")
        #expect(try answer.body == String(contentsOf: file, encoding: .utf8))
    }

    @Test("a page has the frame of all pages, in the language of the client")
    func page() throws {
        let client = try Client(samples: .inMemory)
        let page = try client.get("/-/docs/querying.html").body
        #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\""))
        #expect(page.contains("<title>Querying</title>"))
        #expect(page.contains("<article class=\"doc\" lang=\"en\" dir=\"ltr\">"))
        #expect(page.contains("<h2 id=\"pages-and-cursors\">Pages and cursors</h2>"))
        #expect(page.contains("<a href=\"/-/docs/problems\">Problems</a> lists all kinds"))
        #expect(page.contains("see Following</td>"))
        #expect(page.contains("href=\"/-/docs/querying.md\">Markdown</a>"))
        let german = try client.ask(
            .get,
            "/-/docs/querying.html",
            fields: [(.acceptLanguage, "de")]
        )
        #expect(german.body.hasPrefix("<!doctype html>\n<html lang=\"de\""))
        #expect(german.body.contains("<a href=\"/-/docs\">Dokumentation</a>"))
        #expect(german.field("ETag") != (try client.get("/-/docs/querying.html").field("ETag")))
    }

    @Test("every link of the index leads to a section", arguments: ["/-/docs", "/-/docs.html"])
    func index(address: String) throws {
        let client = try Client(samples: .inMemory)
        let index = try client.get(address).body
        let links = index.matches(of: /["(](\/-\/docs\/[a-z]+)(?:#([^")]+))?[")]/)
        #expect(links.count > 15)
        for link in links {
            let page = try client.get(String(link.1), accept: "text/html")
            #expect(page.status == 200)
            if let id = link.2 {
                let isThere = page.body.contains("id=\"\(id)\"")
                #expect(isThere, "\(link.0)")
            }
        }
    }

    @Test("a client that has the page gets 304", arguments: ["/-/docs", "/-/docs/problems.html"])
    func conditions(address: String) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            let tag = try #require(try client.get(address).field("ETag"))
            #expect(tag.hasPrefix("\""))
            let again = try client.ask(.get, address, fields: [(.ifNoneMatch, tag)])
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(again.field("ETag") == tag)
            let head = try client.ask(.head, address)
            #expect(head.status == 200 && head.body.isEmpty && head.field("ETag") == tag)
            let packed = try client.ask(.head, address, fields: [(.acceptEncoding, "gzip")])
            #expect(packed.field("ETag") != tag)
            let options = try client.ask(.options, address)
            #expect(options.status == 204 && options.field("Allow") == "GET, HEAD, OPTIONS")
            #expect(try client.ask(.post, address, body: "").status == 405)
        }
    }

    @Test(
        "other addresses, parameters and formats are refused",
        arguments: [
            ("/-/docs/none", nil, 404), ("/-/docs/Querying.md", nil, 404), ("/-/docs/", nil, 404),
            ("/-/docs/.md", nil, 404), ("/-/docs/following", browser, 404),
            ("/-/docs/querying/x", nil, 404), ("/-/docs.json", nil, 404),
            ("/-/docs/none.html", nil, 404), ("/-/docs?q=1", nil, 400),
            ("/-/docs/querying.md?limit=1", nil, 400), ("/-/docs", "application/json", 406),
            ("/-/docs/problems", "image/png", 406), ("/-/docs/..%2Fquerying", nil, 404),
        ] as [(String, String?, Int)]
    )
    func refusals(target: String, accept: String?, status: Int) throws {
        let client = try Client(samples: .inMemory)
        let answer = try client.get(target, accept: accept)
        #expect(answer.status == status)
        let isPage = accept == Self.browser || target.hasSuffix(".html")
        #expect(answer.mediaType == (isPage ? "text/html" : "application/problem+json"))
        guard status == 406 else { return }
        let problem = try answer.json()
        for format in ["md", "html"] {
            let address = try #require(problem.link(format))
            #expect(try client.get(address, accept: accept).status == 200)
        }
    }

    @Test("the directory links to it")
    func directory() throws {
        let client = try Client(samples: .inMemory)
        let directory = try client.get("/", accept: "text/html")
        #expect(directory.body.contains("<a href=\"/-/docs\">Documentation</a>"))
    }

    @Test("links are below the base path of the request")
    func basePath() throws {
        var settings = Middleware.Settings()
        settings.basePath = try #require(BasePath("/lists"))
        let api = try APIHandler([try .sampleUsers()], isDraining: { false })
        let middleware = Middleware(api, settings)
        func text(_ target: String) throws -> String {
            try MiddlewareTests.ask(middleware, target).text
        }
        #expect(try text("/lists/-/docs").contains("(/lists/-/docs/querying#filters)"))
        let page = try text("/-/docs/querying.html")
        #expect(page.contains("<a href=\"/lists/-/docs/problems\">Problems</a>"))
        #expect(page.contains("<a href=\"/lists/-/docs\">Documentation</a>"))
        #expect(page.contains("href=\"/lists/-/docs/querying.md\""))
    }

    @Test("the description of the service has the pages")
    func description() throws {
        let paths = try Client(samples: .inMemory).get("/-/openapi.json").json()["paths"]
        #expect(paths?["/-/docs", "get", "operationId"]?.text == "documentation")
        let pages = paths?["/-/docs/{page}", "get", "parameters"]?.elements.first?["schema", "enum"]
        #expect(pages?.elements.compactMap(\.text) == ["querying", "problems"])
    }
}
