import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Lists under one address, and layouts of one list")
struct SegmentTests {
    private static func client(_ way: Way = .inMemory) throws -> Client {
        func items(_ ids: [String], shelf: String) throws -> MemorySource<Item> {
            try .items(ids.map { Item(id: $0, title: "Title \($0)", shelf: shelf) })
        }
        let segments = try Segments(
            .init("open", source: items(["a", "b", "c"], shelf: "s")),
            .init("old & gone", title: "Gone", source: items(["x"], shelf: "t"))
        )
        return try Client([ListDefinition("items", segments: segments)], way)
    }

    @Test("the first segment is shown unless another one is asked for", arguments: Way.allCases)
    func segments(way: Way) throws {
        let client = try Self.client(way)
        #expect(try client.get("/items").rows().map(\.id) == ["a", "b", "c"])
        #expect(try client.get("/items?segment=open").rows().map(\.id) == ["a", "b", "c"])
        let gone = try client.get("/items?segment=old%20%26%20gone")
        #expect(try gone.rows().map(\.id) == ["x"])
        #expect(try gone.json().link("self") == "/items?segment=old%20%26%20gone")
    }

    @Test("every link of a segment stays in it", arguments: ["json", "html"])
    func links(format: String) throws {
        let client = try Self.client()
        let page = try client.get("/items.\(format)?segment=old%20%26%20gone&group=none")
        let json = format == "json"
        let addresses =
            json
            ? page.body.matches(of: /"(\/items[^"]*)"/).map { String($0.1) }
            : page.htmlValues(of: "href").filter { $0.hasPrefix("/items") }
        #expect(!addresses.isEmpty)
        let others = addresses.filter { !$0.contains("segment=old%20%26%20gone") }
        // Only the tab of the first segment leads out of this one.
        #expect(others == (json ? [] : ["/items"]))
        for address in addresses { #expect(try client.get(address).status == 200, "\(address)") }
    }

    @Test("a row, a section and the schema are those of the segment")
    func locations() throws {
        let client = try Self.client()
        let segment = "?segment=old%20%26%20gone"
        #expect(try client.get("/items/x" + segment).status == 200)
        #expect(try client.get("/items/x").status == 404)
        #expect(try client.get("/items/-/sections/t" + segment).status == 200)
        #expect(try client.get("/items/-/sections/t").status == 404)
        #expect(try client.get("/items/-/sections" + segment).status == 200)
        let schema = try client.get("/items/-/schema" + segment).json()
        let parameters = schema["parameters"]?.elements.compactMap { $0["name"]?.text }
        #expect(parameters?.suffix(5) == ["segment", "collapsed", "bom", "shape", "pretty"])
    }

    @Test(
        "a segment that is not there is not found",
        arguments: [
            "/items?segment=shut", "/items.html?segment=shut", "/items/a?segment=shut",
            "/items/-/sections?segment=shut", "/items/-/schema?segment=shut",
        ]
    )
    func unknown(target: String) throws {
        let answer = try Self.client().get(target)
        #expect(answer.status == 404)
        guard answer.mediaType == "application/problem+json" else { return }
        #expect(try answer.json().link("old & gone") == "/items?segment=old%20%26%20gone")
    }

    @Test(
        "the methods of an action in a segment that is not there are not found",
        arguments: ["a/-/finish", "a/-/move", "-/actions/finish", "-/refresh"],
        Way.allCases
    )
    func optionsOfUnknown(target: String, way: Way) throws {
        let answer = try Self.client(way).ask(.options, "/items/\(target)?segment=shut")
        #expect(answer.status == 404)
        #expect(answer.mediaType == "application/problem+json")
        #expect(try answer.json()["detail"]?.text == "No segment 'shut' in items.")
    }

    @Test(
        "the parameter is read like every other",
        arguments: ["/items?segment=", "/items?segment=open&segment=open", "/items?segmant=open"]
    )
    func malformed(target: String) throws {
        #expect(try Self.client().get(target).status == 400)
    }

    @Test("a cursor of one segment is none of another", arguments: Way.allCases)
    func foreignCursors(way: Way) throws {
        let client = try Self.client(way)
        let next = try #require(try client.get("/items?limit=1").json().link("next"))
        let address = next + "&segment=old%20%26%20gone"
        #expect(try client.get(next).status == 200)
        let answer = try client.get(address)
        #expect(answer.status == 400)
        #expect(try answer.json()["type"]?.text == "/-/problems/invalid-cursor")
    }

    @Test("a list without segments takes none")
    func without() throws {
        let answer = try Client([.items(.numbered(3))]).get("/items?segment=open")
        #expect(answer.status == 400)
    }

    @Test("pages show the same rows in a table and in a grid", arguments: Way.allCases)
    func layout(way: Way) throws {
        let client = try Client([.items(.numbered(7))], way)
        let table = try client.get("/items.html?layout=table")
        let grid = try client.get("/items.html?layout=grid")
        #expect(table.body.contains("<table"))
        #expect(!grid.body.contains("<table"))
        #expect(try table.rows() == grid.rows())
        let page = try client.get("/items.html").body
        #expect(page == table.body)
        let next = try client.get("/items.html?layout=grid&limit=2")
        let links = next.htmlValues(of: "href").filter { $0.contains("after=") }
        #expect(!links.isEmpty && links.allSatisfy { $0.contains("layout=grid") })
        let first = try client.get("/items.html?limit=2").htmlValues(of: "href")
        let second = try client.get(try #require(first.first { $0.contains("after=") }))
        let grids = second.htmlValues(of: "href").filter { $0.contains("layout=grid") }
        #expect(!grids.isEmpty && grids.allSatisfy { $0.contains("after=") })
        let json = try client.get("/items?layout=grid").json()
        #expect(try json.rows == client.get("/items").rows())
    }

    @Test("an unknown layout is refused with the ones there are")
    func unknownLayout() throws {
        let client = try Client([.items(.numbered(2))])
        let problem = try client.get("/items?layout=cards").json()
        let error = try #require(problem["errors"]?.elements.first)
        #expect(error["code"]?.text == "unknown-option")
        #expect(error["detail"]?.text == "No option 'cards'; allowed: table, grid, board.")
        #expect(try client.get("/items/item1?layout=grid").status == 400)
    }
}
