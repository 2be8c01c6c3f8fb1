import Roster
import Testing

import enum Listings.ColumnFormat

@Suite("The appearance of an app")
struct AppearanceTests {
    private struct Paint: Identifiable {
        let id: String
        var photo = "https://cdn.example.org/a.png"
        var price = 12.5
        var maker: String?
    }

    private struct Paints: ListApp {
        var title = "Paints"
        var appearance = Appearance(
            css: "tr[data-kind='paint.row'] th { color: navy }",
            logo: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            footer: "Open <9 to 17>. [Imprint](/imprint)",
            imageHosts: ["cdn.example.org"]
        )
        var nameTemplate =
            "<a href=\"{{link}}\"><strong>{{name}}</strong></a>{{#maker}} by {{maker}}{{/maker}}"

        var lists: some Lists {
            List("paints", [Paint(id: "Na<vy", maker: "Ada & Co"), Paint(id: "Red")]) {
                Column("name", \.id).template(nameTemplate)
                Column(\.photo).format(.image)
                Column(\.price).format(.currency("EUR"))
                Column(\.maker)
            }
            List("rows", [Paint(id: "Azure")]) {
                Column("name", \.id)
            }
            .kind("swatch.row").template("<em>{{name}}</em>")
        }
    }

    @Test("the app adds CSS, a logo and a footer to the built-in pages, and allows images")
    func parts() async throws {
        try await Paints().test { client in
            let page = try await client.get("/paints", accept: "text/html")
            let footer = "Open &lt;9 to 17&gt;. <a href=\"/imprint\">Imprint</a></p></footer>"
            #expect(page.body.contains(footer))
            let sheet = try #require(page.body.firstMatch(of: /href="(\/-\/assets\/style[^"]*)"/))
            let style = try await client.get(String(sheet.1), accept: "text/css")
            #expect(style.status == 200)
            #expect(style.body.hasSuffix("tr[data-kind='paint.row'] th { color: navy }"))
            #expect(style.body.count > 5_000)
            let picture = /src="(\/-\/assets\/page-logo[^"]*)"/
            let source = try #require(page.body.firstMatch(of: picture))
            let logo = try await client.get(String(source.1), accept: "*/*")
            #expect(logo.body == Paints().appearance.logo)
            #expect(logo.field("Content-Type") == "image/svg+xml")
            let policy = try #require(page.field("Content-Security-Policy"))
            #expect(policy.contains("img-src 'self' http://cdn.example.org"))
            #expect(page.body.contains("src=\"https://cdn.example.org/a.png\""))
            #expect(page.body.contains("€"))
        }
    }

    @Test("cells and rows have templates, in tables, in grids and on the page of a row")
    func templates() async throws {
        try await Paints().test { client in
            let cell =
                "<a href=\"/paints/Na%3Cvy\"><strong>Na&lt;vy</strong></a> by Ada &amp; Co"
            for target in ["/paints", "/paints?layout=grid", "/paints/Na%3Cvy"] {
                let page = try await client.get(target, accept: "text/html")
                #expect(page.body.contains(cell), "\(target)")
            }
            let page = try await client.get("/paints", accept: "text/html")
            #expect(page.body.contains("<a href=\"/paints/Red\"><strong>Red</strong></a></th>"))
            // A template needs the values of its columns.
            let chosen = try await client.get("/paints?columns=name", accept: "text/html")
            #expect(!chosen.body.contains("<strong>"))
            let both = try await client.get("/paints?columns=maker,name", accept: "text/html")
            #expect(both.body.contains("<strong>Red</strong>"))
            let row = try await client.get("/rows", accept: "text/html")
            #expect(row.body.contains("<em>Azure</em>"))
            #expect(try await client.get("/paints").rows.map(\.id) == ["Na<vy", "Red"])
        }
    }

    @Test("a part that pages cannot use stops the start with its place")
    func errors() async throws {
        func error(_ change: (inout Paints) -> Void) async -> String? {
            var app = Paints()
            change(&app)
            do {
                try await app.test { _ in }
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(
            await error { $0.appearance.css = "a {\n}\n}" }
                == "appearance: css: line 3: a '}' has no '{' before it"
        )
        #expect(
            await error { $0.appearance.logo = "logo.png" }
                == "appearance: the logo is no SVG; --logo FILE takes other pictures"
        )
        #expect(
            await error { $0.appearance.imageHosts = ["https://a.example"] }
                == "appearance: 'https://a.example' is no host of images, such as cdn.example.org"
        )
        #expect(
            await error { $0.nameTemplate = "<b>{{nam}}</b>" }
                == "list 'paints': paint.row.name.html:1:4: no column 'nam'; there are name, photo, "
                + "price, maker, id, link"
        )
        #expect(
            await error { $0.nameTemplate = "<script>" }
                == "list 'paints': paint.row.name.html:1:8: a template may not have 'script'"
        )
    }

    private struct Twice: ListApp {
        var lists: some Lists {
            List("a", [Paint(id: "1")]) { Column("name", \.id).template("<b>{{name}}</b>") }
            List("b", [Paint(id: "2")]) { Column("name", \.id).template("<i>{{name}}</i>") }
        }
    }

    @Test("two lists with rows of one kind cannot have different templates")
    func conflict() async throws {
        let error = await #expect(throws: AppError.self) { try await Twice().test { _ in } }
        #expect(
            error?.description
                == "list 'b': another list has another template for paint.row.name; give the rows of "
                + "one list a kind of their own: .kind(\"b.row\")"
        )
    }
}
