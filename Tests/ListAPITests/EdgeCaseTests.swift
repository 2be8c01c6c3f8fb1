import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import Testing

@Suite("The edges of a list, as clients meet them")
struct EdgeCaseTests {
    /// A list of sections that are given, whose runs are not checked where that is asked for.
    private static func client(
        _ sections: [Section],
        checked: Int = 100_000,
        _ way: Way
    ) throws -> (Client, DataSource) {
        let source = DataSource(try Snapshot(sections, checkedRunLength: checked))
        let schema = try ListSchema(columns: ItemController().columns)
        let list = DataSourceList(source, schema: schema)
        return (try Client([ListDefinition("items", source: list)], way), source)
    }

    private static func run(_ ids: [String], on events: RowEvents<Item> = RowEvents()) throws -> Run
    {
        var registry = ControllerRegistry()
        let registration = try registry.register(ItemController(), on: events)
        return Run(ids.map { Item(id: $0, title: "<i>\($0)") }, using: registration)
    }

    @Test(
        "a list without any section, and one of empty ones, say that they are empty",
        arguments: Way.allCases
    )
    func empty(way: Way) throws {
        let (none, _) = try Self.client([], way)
        let json = try none.get("/items").json()
        #expect(json["empty", "reason"]?.text == "noData")
        #expect(json["sections"]?.elements == [] && json["total", "value"]?.integer == 0)
        #expect(try none.get("/items.html").body.contains("<h2>No rows yet</h2>"))
        let (fixed, _) = try Self.client([Section("a", header: "Always")], way)
        let page = try fixed.get("/items.html").body
        #expect(page.contains("<h2>No rows yet</h2>") && page.contains("<bdi>Always</bdi>"))
    }

    @Test(
        "ids and sections with control characters are where their links lead",
        arguments: Way.allCases
    )
    func controlCharacters(way: Way) throws {
        let names = ["a\tb", "a\r\nSet-Cookie: b", "\u{7F}", "\u{1B}[0m"]
        let sections = try names.map { Section(SectionID($0), try Self.run([$0])) }
        let (client, _) = try Self.client(sections, way)
        let page = try client.get("/items").json()
        for (section, name) in zip(page["sections"]?.elements ?? [], names) {
            let row = try #require(section["rows"]?.elements.first?["links", "self"]?.text)
            #expect(try client.get(row).json()["row", "id"]?.text == name)
            let alone = try client.get(try #require(section["links", "self"]?.text))
            #expect(try alone.json().rows.map(\.id) == [name])
            #expect(alone.field("Set-Cookie") == nil)
        }
    }

    @Test(
        "an empty page after the end links back to the last rows",
        arguments: Way.allCases,
        [
            "page=9", "page=9&sort=-id", "page=9&limit=2",
            "group=none&jump=Z&sort=title", "group=none&jump=Z&sort=title&q=1",
            "per_section=1&page=9",
        ]
    )
    func deadEnd(way: Way, question: String) throws {
        let (client, _) = try Self.client([Section("a", Self.run(["1", "2", "3"]))], way)
        let page = try client.get("/items?\(question)")
        #expect(try page.json().rows.isEmpty)
        let previous = try #require(try page.json().link("prev"))
        #expect(page.field("Link")?.contains("<\(previous)>; rel=\"prev\"") == true)
        let last = try client.get(previous).json()
        #expect(!last.rows.isEmpty && last.link("next") == nil)
        #expect(
            question.contains("sort=-id") || question.contains("q=") || last.rows.count < 2
                || last.rows.last?.id == "3"
        )
        let html = try client.get("/items.html?\(question)").body
        #expect(html.contains("rel=\"prev\" href=\"/items.html"))
    }

    @Test(
        "a section stays when its last row goes; nil and empty headers differ",
        arguments: Way.allCases
    )
    func headers(way: Way) throws {
        let sections = [
            Section(SectionInfo("none", header: nil, footer: nil), try Self.run(["1"])),
            Section(SectionInfo("blank", header: "", footer: ""), try Self.run(["2"])),
        ]
        let (client, source) = try Self.client(sections, way)
        try source.update { try $0.remove(["1"]) }
        let shown = try client.get("/items").json()["sections"]?.elements ?? []
        #expect(shown.map { $0["id"]?.text } == ["none", "blank"])
        #expect(shown[0]["header"] == .null && shown[0]["rows"]?.elements == [])
        #expect(shown[1]["header", "title"]?.text == "" && shown[1]["footer", "text"]?.text == "")
        let html = try client.get("/items.html").body
        #expect(!html.contains("class=\"sh\"") && !html.contains("class=\"sf\""))
    }

    @Test(
        "two rows of one id on a page are our fault, which says nothing of it",
        arguments: Way.allCases
    )
    func duplicates(way: Way) throws {
        let sections = [Section("a", try Self.run(["1", "2", "1"]))]
        let (client, _) = try Self.client(sections, checked: 2, way)
        #expect(try client.get("/items?limit=2").status == 200)
        let answer = try client.get("/items")
        #expect(answer.status == 500)
        #expect(try answer.json()["detail"]?.text == "A row of this page cannot be shown.")
    }
}
