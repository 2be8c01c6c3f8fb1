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

    @Test("past the end there is an empty page with the total and no next", arguments: Way.allCases)
    func pastTheEnd(way: Way) throws {
        let (client, _) = try Self.client([Section("a", Self.run(["1", "2"]))], way)
        let page = try client.get("/items?page=9").json()
        #expect(page.rows.isEmpty && page["total", "value"]?.integer == 2)
        #expect(page.link("next") == nil && page["empty", "reason"]?.text == "noMatch")
        for limit in ["0", "-1", "501", "99999999999999999999", "1e3", "", "+1"] {
            #expect(try client.get("/items?limit=\(limit)").status == 400, "\(limit)")
        }
        #expect(try client.get("/items?page=9223372036854775807").status == 400)
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

    @Test(
        "a collapsed section counts its rows, also those that are edited",
        arguments: Way.allCases
    )
    func collapsed(way: Way) throws {
        let info = SectionInfo("a", header: "A", isCollapsed: true)
        let (client, source) = try Self.client([Section(info, Self.run(["1", "2"]))], way)
        try source.update { try $0.remove(["1"]) }
        let section = try client.get("/items").json()["sections"]?.elements.first
        #expect(section?["collapsed"] == .boolean(true) && section?["rows"]?.elements == [])
        #expect(section?["count", "value"]?.integer == 1)
        #expect(try client.get("/items/2").status == 200)
        #expect(try client.get("/items/1").status == 404)
    }

    @Test("an index has the sections with a title, the first of one title", arguments: Way.allCases)
    func index(way: Way) throws {
        let titles: [String?] = ["A", nil, "A", "B"]
        let sections = try titles.enumerated().map { position, title in
            let info = SectionInfo(SectionID("s\(position)"), header: "S", indexTitle: title)
            return Section(info, try Self.run(["\(position)"]))
        }
        let (client, _) = try Self.client(sections, way)
        let index = try client.get("/items").json()["index"]?.elements ?? []
        #expect(index.map { $0["title"]?.text } == ["A", "B"])
        #expect(index.map { $0["section"]?.integer } == [0, 3])
    }

    @Test("nothing of a model, a header or a link becomes markup", arguments: Way.allCases)
    func hostile(way: Way) throws {
        var events = RowEvents<Item>()
        events.link = { $0.model.id == "safe" ? "/x?a=1&b=<" : "javascript:alert(1)" }
        let hostile = #"<script>"'&"#
        let info = SectionInfo(SectionID(hostile), header: hostile, footer: hostile)
        let sections = [Section(info, try Self.run(["safe", hostile], on: events))]
        let (client, _) = try Self.client(sections, way)
        let page = try client.get("/items.html").body
        #expect(
            !page.contains("<script>") && !page.contains("javascript:") && !page.contains("<i>")
        )
        let json = try client.get("/items").json()
        #expect(json.rows.map(\.id) == ["safe", hostile])
        let rows = json["sections"]?.elements.first?["rows"]?.elements ?? []
        #expect(rows.map { $0["links", "open"] } == [.null, .null])
        let address = try #require(rows.last?.link("self"))
        #expect(try client.get(address).status == 200)
    }

    @Test("a row cannot be moved out of the list", arguments: Way.allCases)
    func moves(way: Way) throws {
        var events = RowEvents<Item>()
        events.adjustMove = { $1 }
        let sections = [Section("a", try Self.run(["1", "2"], on: events))]
        let (client, source) = try Self.client(sections, way)
        for target in ["[0,2]", "[1,0]", "[0,9223372036854775807]"] {
            let answer = try client.post(json: #"{"to":\#(target)}"#, to: "/items/1/-/move")
            #expect(answer.status == 409, "\(target)")
            #expect(try answer.json()["order"]?.elements == [.text("1"), .text("2")])
        }
        let negative = try client.post(json: #"{"to":[0,-1]}"#, to: "/items/1/-/move").status
        #expect(negative == 400 || negative == 409)
        #expect(try client.post(json: #"{"to":[0,1]}"#, to: "/items/3/-/move").status == 404)
        #expect(source.version == 0)
    }
}
