import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import Testing

@Suite("Sections whose rows a reader hides")
struct CollapsedTests {
    private static func client(_ way: Way = .inMemory, hasOwnSections: Bool) throws -> Client {
        var items: [Item] = []
        for (number, shelf) in zip(0..., "aaaabbbccc") {
            items.append(Item(id: "i\(number)", title: "T\(number % 4)", shelf: String(shelf)))
        }
        guard hasOwnSections else { return try Client([.items(items)], way) }
        var registry = ControllerRegistry()
        let registration = try registry.register(ItemController())
        let sections = ["a", "b", "c"].map { shelf in
            Section(
                SectionID(shelf),
                header: shelf,
                Run(items.filter { $0.shelf == shelf }, using: registration)
            )
        }
        let schema = try ListSchema(columns: ItemController().columns)
        let source = DataSourceList(try DataSource(sections: sections), schema: schema)
        return try Client([ListDefinition("items", source: source)], way)
    }

    private static func lines(_ page: JSON) -> [String] {
        page["sections"]?.elements.map { section in
            let rows = section["rows"]?.elements.compactMap { $0["id"]?.text } ?? []
            let sign = section["collapsed"] == .boolean(true) ? "▸" : "▾"
            let count = section["count", "value"]?.integer ?? -1
            return "\(sign)\(section["id"]?.text ?? "") \(count) \(rows.joined(separator: ","))"
        } ?? []
    }

    @Test("its name and count stay, and the next rows move up", arguments: Way.allCases)
    func rows(way: Way) throws {
        for hasOwnSections in [true, false] {
            let client = try Self.client(way, hasOwnSections: hasOwnSections)
            let page = try client.get("/items?limit=4&collapsed=a").json()
            #expect(Self.lines(page) == ["▸a 4 ", "▾b 3 i4,i5,i6", "▾c 3 i7"])
            #expect(page.link("self") == "/items?collapsed=a&limit=4")
            let next = try #require(page.link("next"))
            #expect(Self.lines(try client.get(next).json()) == ["▾c 3 i8,i9"])
            let both = try client.get("/items?collapsed=c&collapsed=a&collapsed=gone").json()
            #expect(Self.lines(both) == ["▸a 4 ", "▾b 3 i4,i5,i6", "▸c 3 "])
            let all = try client.get("/items.html?collapsed=a&collapsed=b&collapsed=c")
            #expect(try all.rows().isEmpty && all.status == 200)
            #expect(all.body.matches(of: /<tr class="sh">/).count == 3)
            let sorted = try client.get("/items?sort=-id&limit=3&collapsed=b").json()
            #expect(Self.lines(sorted) == ["▾a 4 i3,i2,i1"])
            for format in ["html", "csv", "ndjson"] {
                let answer = try client.get("/items.\(format)?collapsed=b&columns=title,id")
                let ids = ["i0", "i1", "i2", "i3", "i7", "i8", "i9"]
                #expect(try Set(answer.rows().map(\.id)) == Set(ids), "\(format)")
            }
        }
    }

    @Test(
        "the total, the counts of sections and those of facets include the rows that are hidden",
        arguments: [
            ("", 10, ["▸a 4 ", "▾b 3 i4,i5,i6", "▾c 3 i7,i8,i9"]),
            ("&sort=-id", 10, ["▸a 4 ", "▾b 3 i6,i5,i4", "▾c 3 i9,i8,i7"]),
            ("&facets=shelf", 10, ["▸a 4 ", "▾b 3 i4,i5,i6", "▾c 3 i7,i8,i9"]),
            ("&sort=-id&facets=shelf", 10, ["▸a 4 ", "▾b 3 i6,i5,i4", "▾c 3 i9,i8,i7"]),
            ("&title=T1", 3, ["▸a 1 ", "▾b 1 i5", "▾c 1 i9"]),
            ("&title=T1&facets=shelf", 3, ["▸a 1 ", "▾b 1 i5", "▾c 1 i9"]),
            ("&title=T1&sort=-id&collapsed=c", 3, ["▸a 1 ", "▾b 1 i5", "▸c 1 "]),
            ("&title=T2&collapsed=c", 2, ["▸a 1 ", "▾b 1 i6"]),
        ]
    )
    func counts(parameters: String, total: Int, lines: [String]) throws {
        for hasOwnSections in [true, false] {
            let client = try Self.client(hasOwnSections: hasOwnSections)
            let grouping = hasOwnSections ? "" : "&group=shelf"
            let page = try client.get("/items?collapsed=a\(grouping)\(parameters)").json()
            #expect(page["total", "value"]?.integer == total)
            #expect(Self.lines(page) == lines)
            guard parameters.contains("facets") else { continue }
            let counts = page["facets"]?.elements.first?["values"]?.elements.map {
                $0["count", "value"]?.integer ?? $0["count"]?.integer ?? 0
            }
            #expect(counts?.reduce(0, +) == total)
        }
    }

    @Test("following the links meets each row that is shown once", arguments: [true, false])
    func paging(hasOwnSections: Bool) throws {
        let client = try Self.client(hasOwnSections: hasOwnSections)
        for collapsed in ["a", "b", "c"] {
            for limit in 1...8 {
                var ids: [String] = []
                var back: [String] = []
                var next: String? = "/items?limit=\(limit)&collapsed=\(collapsed)"
                var last = ""
                while let address = next, ids.count < 20 {
                    let page = try client.get(address).json()
                    ids += page.rows.map(\.id)
                    (next, last) = (page.link("next"), address)
                }
                #expect(Set(ids).count == ids.count && ids.count == (collapsed == "a" ? 6 : 7))
                var previous = try client.get(last).json().link("prev")
                while let address = previous, back.count < 20 {
                    let page = try client.get(address).json()
                    back = page.rows.map(\.id) + back
                    previous = page.link("prev")
                }
                #expect(ids.starts(with: back.prefix(1)) || back.isEmpty)
            }
        }
    }

    @Test("a page folds and unfolds a section by a link that keeps all else")
    func links() throws {
        let client = try Self.client(hasOwnSections: true)
        let page = try client.get("/items.html?limit=6&layout=grid")
        let links = page.htmlValues(of: "href").filter { $0.hasSuffix("#s-b") }
        #expect(links == ["/items.html?collapsed=b&limit=6&layout=grid#s-b"])
        #expect(page.body.contains("aria-label=\"Hide the rows of this section\">▾</a>"))
        let folded = try client.get(String(links[0].prefix { $0 != "#" }))
        #expect(folded.body.contains("aria-label=\"Show the rows of this section\">▸</a>"))
        #expect(folded.htmlValues(of: "href").contains("/items.html?limit=6&layout=grid#s-b"))
        let other = folded.htmlValues(of: "href").filter { $0.contains("group=shelf") }
        #expect(!other.isEmpty && other.allSatisfy { !$0.contains("collapsed") })
    }

    @Test("what cannot be a section, and more than a bound, is refused")
    func refusals() throws {
        let client = try Self.client(hasOwnSections: false)
        let problem = try client.get("/items?group=size&collapsed=x").json()
        let error = try #require(problem["errors"]?.elements.first)
        #expect(error["parameter"]?.text == "collapsed" && error["code"]?.text == "unknown-section")
        let many = (0...100).map { "collapsed=s\($0)" }.joined(separator: "&")
        #expect(try client.get("/items?\(many)").status == 400)
        #expect(try client.get("/items/i0?collapsed=a").status == 400)
        #expect(try client.get("/items/-/sections/a?collapsed=a").status == 400)
        // A source that does not know how takes no such parameter, and pages offer none.
        let watched = CountingSource(base: try MemorySource.items(.numbered(3)))
        let other = try Client([ListDefinition("items", source: watched)])
        #expect(try other.get("/items?collapsed=a").status == 400)
        #expect(try !other.get("/items.html").body.contains("Hide the rows"))
    }
}
