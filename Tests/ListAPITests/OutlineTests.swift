import HTTP
import ListAPITestSupport
import Listings
import Locks
import MemoryLists
import Testing

@Suite("Outlines: rows below rows, as they are asked for")
struct OutlineTests {
    /// Folders of a title and the titles below it; `Notes` has 120 items, each without any.
    private static let folders = [
        "docs": ["guides", "R&D <x>"], "guides": ["a/b.json"],
        "notes": (1...120).map { "note \($0)" },
    ]

    /// Registrations whose rows have rows of the same below them lead to themselves: they are kept for
    /// good, as a service keeps its lists.
    private static let kept = Locked<[Locked<Registration<Item>?>]>([])

    static func list() throws -> ListDefinition {
        let bound = Locked<Registration<Item>?>(nil)
        kept.withLock { $0.append(bound) }
        var events = RowEvents<Item>()
        events.canExpand = { folders[$0.model.id] != nil }
        events.children = { context in
            bound.withLock { registration in
                guard let ids = folders[context.model.id], let registration else { return nil }
                let items = ids.map { Item(id: $0, title: "Title \($0)", shelf: "below") }
                return Run(items, using: registration)
            }
        }
        events.actions = { _ in [RowAction("touch")] }
        events.perform = { .done(message: "\($0) \($1.model.id)") }
        var registry = ControllerRegistry()
        let registration = try registry.register(ItemController(), on: events)
        bound.withLock { $0 = registration }
        let items = ["docs", "notes", "todo"].map { Item(id: $0, title: "Title \($0)", shelf: "s") }
        let source = try DataSource(models: items, using: registration)
        let schema = try ListSchema(columns: ItemController().columns)
        return ListDefinition("tree", source: DataSourceList(source, schema: schema))
    }

    private static func client(_ way: Way = .inMemory) throws -> Client {
        try Client([list()], way)
    }

    private static func row(_ id: String, of page: JSON) throws -> JSON {
        let rows = page["sections"]?.elements.flatMap { $0["rows"]?.elements ?? [] } ?? []
        return try #require(rows.first { $0["id"]?.text == id })
    }

    @Test(
        "a row says whether there can be rows below it, and where they are",
        arguments: Way.allCases
    )
    func links(way: Way) throws {
        let page = try Self.client(way).get("/tree").json()
        #expect(page.rows.map(\.id) == ["docs", "notes", "todo"])
        let docs = try Self.row("docs", of: page)
        #expect(docs["expanded"] == .boolean(false))
        #expect(docs["level"]?.integer == 0)
        #expect(docs.link("children") == "/tree/docs/-/children")
        let todo = try Self.row("todo", of: page)
        #expect(todo["expanded"] == nil && todo.link("children") == nil)
    }

    @Test("every representation shows the same rows of an outline", arguments: Way.allCases)
    func representations(way: Way) throws {
        let client = try Self.client(way)
        let question = "?expanded=docs&expanded=docs%3Eguides"
        let rows = [
            "docs", "docs>guides", "docs>guides>a/b.json", "docs>R&D <x%3E", "notes", "todo",
        ]
        for format in ["json", "html", "csv", "ndjson"] {
            let answer = try client.get("/tree.\(format)\(question)&columns=title,id")
            #expect(try answer.rows().map(\.id) == rows, "\(format)")
        }
        let page = try client.get("/tree\(question)").json()
        #expect(page.link("self") == "/tree" + question)
        #expect(page["total", "value"]?.integer == 3)
        let guides = try Self.row("docs>guides", of: page)
        #expect(guides["level"]?.integer == 1 && guides["expanded"] == .boolean(true))
        #expect(guides["children", "count"]?.integer == 1)
        #expect(guides.link("self") == "/tree/docs%3Eguides")
        #expect(
            try client.get("/tree").field("ETag") != client.get("/tree\(question)").field("ETag")
        )
    }

    @Test("without a script a row is opened and shut by its link, and nothing else changes")
    func disclosure() throws {
        let client = try Self.client()
        let shut = try client.get("/tree.html?limit=2&sort=title")
        let opened = try #require(shut.htmlValues(of: "href").first { $0.hasSuffix("#r-docs") })
        #expect(opened == "/tree.html?sort=title&expanded=docs&limit=2#r-docs")
        #expect(shut.body.contains("aria-label=\"Show what is below\">▸</a>"))
        let page = try client.get(String(opened.prefix { $0 != "#" }))
        #expect(page.body.contains("aria-label=\"Hide what is below\">▾</a>"))
        #expect(page.body.contains("R&amp;D &lt;x&gt;"))
        let back = try #require(page.htmlValues(of: "href").first { $0.hasSuffix("#r-docs") })
        #expect(back == "/tree.html?sort=title&limit=2#r-docs")
        #expect(
            page.htmlValues(of: "href").contains { $0.contains("expanded=docs&limit=2&after=") }
        )
        let notes = try client.get("/tree.html?expanded=notes")
        #expect(notes.body.contains("<a href=\"/tree/notes/-/children\">all 120</a>"))
    }

    @Test("what is below a row has pages of its own", arguments: Way.allCases)
    func children(way: Way) throws {
        let client = try Self.client(way)
        var ids: [String] = []
        var next: String? = "/tree/notes/-/children"
        while let address = next, ids.count < 200 {
            let page = try client.get(address).json()
            ids += page.rows.map(\.id)
            next = page.link("next")
            #expect(page["total", "value"]?.integer == 120)
            #expect(page.link("parent") == "/tree/notes")
        }
        #expect(ids == (1...120).map { "notes>note \($0)" })
        for format in ["csv", "ndjson"] {
            let answer = try client.get("/tree/notes/-/children.\(format)?columns=id")
            #expect(try answer.rows().map(\.id) == ids, "\(format)")
        }
        let deep = try client.get("/tree/docs%3Eguides/-/children").json()
        #expect(deep.rows.map(\.id) == ["docs>guides>a/b.json"])
        #expect(try client.get("/tree/docs%3Eguides%3Ea%2Fb.json.json").status == 200)
        #expect(try client.get("/tree/todo/-/children").json().rows.isEmpty)
        let page = try client.get("/tree/docs/-/children.html?expanded=docs%3Eguides&limit=1")
        #expect(page.body.contains("<h1>Below docs</h1>"))
        #expect(try page.rows().map(\.id) == ["docs>guides", "docs>guides>a/b.json"])
        let links = page.htmlValues(of: "href")
        #expect(links.contains("/tree/docs") && links.contains("/tree"))
        #expect(!page.body.contains("class=\"tools\""))
        for link in Set(links) where link.hasPrefix("/tree") {
            let address = String(link.prefix { $0 != "#" })
            #expect(try client.get(address).status == 200, "\(address)")
        }
    }

    @Test(
        "what cannot be asked of an outline is refused with the reason",
        arguments: [
            ("/tree/none/-/children", 404), ("/tree/docs%3Enone/-/children", 404),
            ("/tree/docs/-/children?sort=title", 400), ("/tree/docs/-/children?limit=0", 400),
            ("/tree/docs/-/children?limit=501", 400), ("/tree?expanded=", 400),
            ("/tree/docs?expanded=docs", 400), ("/tree/-/sections?expanded=docs", 400),
            ("/tree/docs/-/children?after=AQAA", 400), ("/tree?expanded=gone", 200),
        ]
    )
    func refusals(target: String, status: Int) throws {
        #expect(try Self.client().get(target).status == status)
    }

    @Test("a cursor below one row is none below another, nor of the list")
    func foreignCursors() throws {
        let client = try Self.client()
        let next = try client.get("/tree/notes/-/children?limit=1").json().link("next") ?? ""
        let cursor = next.split(separator: "after=").last ?? ""
        for list in ["/tree/docs/-/children", "/tree"] {
            let answer = try client.get("\(list)?after=\(cursor)")
            #expect(answer.status == 400)
            #expect(try answer.json()["type"]?.text == "/-/problems/invalid-cursor")
        }
    }

    @Test(
        "the rows below a row are only read; a list without an outline has none",
        arguments: Way.allCases
    )
    func methods(way: Way) throws {
        let client = try Self.client(way)
        let refused = try client.post(form: "", to: "/tree/docs/-/children")
        #expect(refused.status == 405)
        #expect(refused.field("Allow") == "GET, HEAD, OPTIONS")
        let options = try client.ask(.options, "/tree/docs/-/children")
        #expect(options.status == 204 && options.field("Allow") == "GET, HEAD, OPTIONS")
        #expect(try client.ask(.head, "/tree/docs/-/children").status == 200)
        let done = try client.post(form: "", to: "/tree/docs%3Eguides/-/touch")
        #expect(try done.json()["message"]?.text == "touch guides")
        let flat = try Client([.items(.numbered(2))], way)
        #expect(try flat.get("/items/item1/-/children").status == 404)
        #expect(try flat.get("/items?expanded=item1").status == 400)
    }

    @Test("as many rows may be expanded as an address names, up to a bound")
    func bound() throws {
        let client = try Self.client()
        func target(_ count: Int) -> String {
            "/tree?" + (0..<count).map { "expanded=n\($0)" }.joined(separator: "&")
        }
        #expect(try client.get(target(100)).status == 200)
        let refused = try client.get(target(101))
        #expect(refused.status == 400)
        #expect(try refused.json()["errors"]?.elements.first?["code"]?.text == "too-many-values")
    }
}
