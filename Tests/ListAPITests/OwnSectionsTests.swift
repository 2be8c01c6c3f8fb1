import ListAPITestSupport
import Listings
import MemoryLists
import Testing

@Suite("Lists with sections and an order of their own")
struct OwnSectionsTests {
    let dataSource: DataSource
    let client: Client

    init() throws {
        var registry = ControllerRegistry()
        let items = try registry.register(ItemController())
        func run(_ ids: String...) -> Run {
            Run(ids.map { Item(id: $0, title: "Title \($0)", shelf: "s") }, using: items)
        }
        dataSource = try DataSource(sections: [
            Section("first", header: "First", run("z", "a", "m")), Section("~empty", header: ""),
            Section(SectionInfo("hidden", isCollapsed: true), run("h", "i")),
            Section("last", run("c", "b")),
        ])
        let schema = try ListSchema(columns: ItemController().columns)
        let list = DataSourceList(dataSource, schema: schema)
        client = try Client([ListDefinition("items", source: list)])
    }

    func outline(_ target: String) throws -> [String] {
        let page = try client.get(target).json()
        return page["sections"]?.elements.map { section in
            let rows = section["rows"]?.elements.compactMap { $0["id"]?.text } ?? []
            return "\(section["id"]?.text ?? ""):\(rows.joined(separator: ","))"
        } ?? []
    }

    @Test("rows and sections are shown as they stand, until another order is asked for")
    func orders() throws {
        #expect(try outline("/items") == ["first:z,a,m", "~empty:", "hidden:", "last:c,b"])
        #expect(try client.get("/items").json()["list", "sort"]?.elements == [])
        let sorted = ["first:a,m,z", "~empty:", "hidden:", "last:b,c"]
        #expect(try outline("/items?sort=id") == sorted)
        #expect(try outline("/items?group=none") == ["all:z,a,m,h,i,c,b"])
        #expect(try outline("/items?group=none&sort=id") == ["all:a,b,c,h,i,m,z"])
        #expect(try outline("/items?group=shelf") == ["s:a,b,c,h,i,m,z"])
        #expect(try outline("/items?section=last&section=first") == ["first:z,a,m", "last:c,b"])
        #expect(try outline("/items/-/sections/last") == ["last:c,b"])
        #expect(try outline("/items/-/sections") == ["first:", "~empty:", "hidden:", "last:"])
        #expect(try client.get("/items?section=none").status == 400)
        #expect(try client.get("/items/-/sections/none").status == 404)
    }

    @Test(
        "the total has the rows of a section that the list collapses, in every order",
        arguments: ["", "sort=-id", "group=none", "sort=title&facets=shelf", "shelf=s", "q=title"]
    )
    func total(question: String) throws {
        let page = try client.get("/items?\(question)").json()
        #expect(page["total", "value"]?.integer == 7)
        guard !question.contains("group") else { return }
        let hidden = page["sections"]?.elements.first { $0["id"]?.text == "hidden" }
        #expect(hidden?["count", "value"]?.integer == 2)
        #expect(hidden?["collapsed"] == .boolean(true) && hidden?["rows"]?.elements == [])
    }

    @Test(
        "links go on through every order",
        arguments: ["limit=2", "limit=2&group=none", "limit=2&sort=-id", "limit=1&per_section=1"]
    )
    func links(question: String) throws {
        var ids: [String] = []
        var next: String? = "/items?\(question)"
        var pages = 0
        while let address = next, pages < 20 {
            let page = try client.get(address).json()
            ids += page.rows.map(\.id)
            next = page.link("next")
            pages += 1
        }
        #expect(next == nil)
        let whole = question.replacing(/limit=\d/, with: "limit=20")
        #expect(try ids == client.get("/items?\(whole)").json().rows.map(\.id))
    }

    @Test("a change is a new version, and a link goes on where it left off")
    func changes() throws {
        let first = try client.get("/items?limit=2").json()
        let next = try #require(first.link("next"))
        try dataSource.update { try $0.remove(["a", "z"]) }
        let second = try client.get(next).json()
        #expect(second.rows.map(\.id) == ["m", "c"])
        #expect(second["list", "version"] != first["list", "version"])
    }

    @Test("headers and footers are what the events of a list make them", arguments: Way.allCases)
    func events(way: Way) throws {
        var events = SectionEvents()
        events.header = { $0.section.info.id == "last" ? nil : "<\($0.section.info.id)>" }
        events.footer = { context in context.section.count.map { "\($0.value) in all" } }
        let schema = try ListSchema(columns: ItemController().columns).on(sections: events)
        let list = DataSourceList(dataSource, schema: schema)
        let client = try Client([ListDefinition("items", source: list)], way)
        let sections = try client.get("/items").json()["sections"]?.elements ?? []
        #expect(
            sections.map { $0["header", "title"]?.text } == [
                "<first>", "<~empty>", "<hidden>", nil,
            ]
        )
        #expect(sections.last?["header"] == .null)
        #expect(sections.map { $0["footer", "text"]?.text }.first == "3 in all")
        let page = try client.get("/items.html").body
        #expect(page.contains("<bdi>&lt;first&gt;</bdi>") && page.contains("3 in all"))
    }

    private func groupMenu(_ target: String) throws -> [String] {
        let page = try client.get(target).body
        let menu = try #require(page.firstMatch(of: /<span>Group<\/span>.*?<\/details>/)).output
        let entry = /<a href="([^"]*)"(?: data-c="[^"]*")?( aria-current="true")?>([^<]*)</
        return menu.matches(of: entry).map {
            "\($0.1)\($0.2 == nil ? "" : " *") \($0.3)"
        }
    }

    @Test(
        "the menu of groupings leads to the list's own sections and to one section",
        arguments: [
            ("/items.html", 0), ("/items.html?group=shelf", 1), ("/items.html?group=none", 3),
        ]
    )
    func groupMenu(target: String, current: Int) throws {
        var entries = [
            ("/items.html", "Sections"), ("/items.html?group=shelf", "Shelf"),
            ("/items.html?group=size", "Size"), ("/items.html?group=none", "None"),
        ].map { "\($0) \($1)" }
        entries[current] = entries[current].replacing(" ", with: " * ")
        #expect(try groupMenu(target) == entries)
    }

    @Test("a list of one section without a header has no sections to return to")
    func groupMenuOfOneSection() throws {
        let ids = dataSource.snapshot.sectionIDs.dropFirst()
        try dataSource.update { list in
            try list.removeSections(Array(ids))
            try list.describeSection(SectionInfo("first"))
        }
        let entries = ["/items.html * None", "/items.html?group=shelf Shelf"]
        #expect(try groupMenu("/items.html").prefix(2) == entries[...])
    }

    @Test("the schema names the list's own sections and order")
    func schema() throws {
        let schema = try client.get("/items/-/schema").json()
        func parameter(_ name: String) throws -> JSON {
            try #require(schema["parameters"]?.elements.first { $0["name"]?.text == name })
        }
        let (sort, group) = (try parameter("sort"), try parameter("group"))
        #expect(sort["default"] == nil && group["default"] == nil)
        #expect(sort["summary"]?.text?.hasSuffix("The default is the list's own order.") == true)
        #expect(
            group["summary"]?.text?.hasSuffix("The default is the list's own sections.") == true
        )
        #expect(try parameter("section")["example"]?.text == "first")
        #expect(try parameter("collapsed")["example"]?.text == "first")
    }

    @Test("a cursor of another life of the list is gone, and the answer leads to the start")
    func expiredCursor() throws {
        let next = try #require(try client.get("/items?limit=2").json().link("next"))
        let previous = try #require(try client.get(next).json().link("prev"))
        let other = try OwnSectionsTests()
        for (link, name) in [(next, "after"), (previous, "before")] {
            let answer = try other.client.get(link)
            #expect(answer.status == 410)
            #expect(try answer.faults() == ["\(name) cursor-expired"])
        }
    }
}
