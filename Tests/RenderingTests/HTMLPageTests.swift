import Bytes
import Listings
import Testing

@testable import Rendering

@Suite("HTML pages")
struct HTMLPageTests {
    @Test("all documents are well-formed, without code, styles or doubled ids")
    func documents() {
        let renderer = HTMLPageRenderer(site: Fixture.site)
        let row = Samples.page()
        let documents = [
            "page": Fixture.html(Samples.page()), "letters": Fixture.html(Samples.letters()),
            "empty": Fixture.html(Fixture.page([])),
            "extras": Fixture.html(Samples.extras()),
            "grid": Fixture.html(Samples.extras(), layout: .grid),
            "page as grid": Fixture.html(Samples.page(), layout: .grid),
            "row": Fixture.text { renderer.renderRow(of: row, in: Fixture.context, to: &$0) },
            "directory": Fixture.text { renderer.render(Samples.directory, to: &$0) },
            "schema": Fixture.text { renderer.render(Samples.schema, to: &$0) },
            "problem": Fixture.text { renderer.render(Samples.problem, to: &$0) },
        ]
        for (name, html) in documents {
            let outline = HTMLOutline(html)
            #expect(outline.isBalanced, "\(name): \(outline.fault ?? "")")
            for tag in outline.tags {
                let isOwnFile = tag.attributes.contains { $0.name == "src" }
                #expect(tag.name != "script" || isOwnFile, "\(name)")
                #expect(tag.name != "style", "\(name)")
                for attribute in tag.attributes {
                    #expect(!attribute.name.hasPrefix("on") && attribute.name != "style", "\(name)")
                }
            }
            let ids = outline.attributes("id")
            #expect(Set(ids).count == ids.count, "\(name): \(ids)")
            let references =
                outline.attributes("aria-labelledby")
                + outline.attributes("aria-describedby")
            #expect(Set(references).isSubset(of: ids), "\(name): \(references)")
            #expect(!ids.contains { $0.contains(" ") }, "\(name): \(ids)")
            let fragments = outline.attributes("href", of: "a").filter { $0.hasPrefix("#") }
            #expect(Set(fragments.map { String($0.dropFirst()) }).isSubset(of: ids), "\(name)")
            #expect(outline.tags.count { $0.name == "h1" } == 1, "\(name)")
        }
    }

    @Test("one column head says how the list is sorted, and none when it is not")
    func ariaSort() {
        func sorts(_ keys: [SortKey], columns: [Int]? = nil) -> [String] {
            let query = ListQuery(sort: keys, columns: columns, shape: .flow(limit: 4))
            let page = Fixture.page([PeopleSection(people: [Samples.barbara])], query: query)
            return HTMLOutline(Fixture.html(page)).attributes("aria-sort", of: "th")
        }
        #expect(sorts([]) == [])
        #expect(sorts([SortKey(.id)]) == [])
        #expect(sorts([SortKey(.column(0))]) == ["ascending"])
        #expect(sorts([SortKey(.column(3), .descending), SortKey(.column(0))]) == ["descending"])
        #expect(sorts([SortKey(.column(0))], columns: [1, 2]) == [])
    }

    @Test("a column that heads the order is offered the other way round")
    func toggling() {
        func toggled(_ key: SortKey) -> SortKey {
            ListQuery(sort: [key], shape: .flow(limit: 1)).toggledSort(byColumn: 0)
        }
        #expect(toggled(SortKey(.column(0))) == SortKey(.column(0), .descending))
        #expect(toggled(SortKey(.column(0), .descending)) == SortKey(.column(0)))
        #expect(toggled(SortKey(.column(1))) == SortKey(.column(0)))
        #expect(toggled(SortKey(.id)) == SortKey(.column(0)))
    }

    @Test("content cannot become markup or a dangerous link")
    func hostileContent() {
        let hostile = "\"'><script>alert(1)</script>&\u{202E}\0"
        let person = Person(
            id: hostile,
            name: hostile,
            email: "a@b?bcc=c@d",
            site: "javascript:alert(1)",
            ageDisplay: hostile
        )
        let section = PeopleSection(
            key: .value(.text(hostile)),
            people: [person],
            header: hostile,
            footer: hostile,
            hasMore: true
        )
        let html = Fixture.html(Fixture.page([section]))
        let outline = HTMLOutline(html)
        #expect(outline.isBalanced, "\(outline.fault ?? "")")
        #expect(outline.tags.count { $0.name == "script" } == 1)
        #expect(!html.contains("\0"))
        for address in outline.attributes("href") {
            #expect(address.hasPrefix("/") || address.hasPrefix("#"), "\(address)")
        }
        #expect(html.contains("\">&quot;'&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"))
        #expect(html.contains("<td class=\"url\" data-l=\"Site\">javascript:alert(1)</td>"))
    }

    @Test("a section without a title has no head, and one without rows keeps its head")
    func sectionHeads() {
        for header in [nil, ""] {
            let section = PeopleSection(people: [Samples.barbara], header: header)
            let outline = HTMLOutline(Fixture.html(Fixture.page([section])))
            #expect(outline.attributes("scope").filter { $0 == "rowgroup" } == [])
            #expect(outline.attributes("aria-labelledby") == ["kh"])
        }
        let section = PeopleSection(people: [], header: "Nobody", count: Count(0))
        let html = Fixture.html(Fixture.page([section]))
        #expect(html.contains("<bdi>Nobody</bdi></a> <span class=\"n\">0</span></th>"))
    }

    @Test("a row without a first text is named by its id", arguments: [nil, ""] as [String?])
    func unnamedRows(name: String?) {
        let html = Fixture.html(Fixture.page(Person(id: "n & 1", name: name)))
        #expect(html.contains("<a dir=\"auto\" href=\"/people/n &amp; 1\">n &amp; 1</a>"))
    }

    @Test("a row whose controller failed says so across the table")
    func failedRows() {
        let html = Fixture.html(Fixture.page(Person(id: "7", fails: true)))
        #expect(html.contains(">7</a></th><td class=\"failed\" colspan=\"6\">"))
    }

    @Test("an empty list shows how to fill it; an empty place leads back")
    func emptiness() {
        let noData = Fixture.html(Fixture.page([]))
        #expect(noData.contains("roster people=people.csv"))
        #expect(!noData.contains("<table"))
        let behind = ListQuery(shape: .flow(limit: 4), start: .after(Fixture.cursor("9")))
        let noMatch = Fixture.html(Fixture.page([], query: behind, previous: Fixture.cursor("9")))
        #expect(noMatch.contains("<a class=\"btn\" href=\"/people?limit=4\">Back to the start</a>"))
        #expect(noMatch.contains("rel=\"prev\""))
        let filtered = Fixture.page(
            [],
            query: ListQuery(sections: [.whole], shape: .flow(limit: 4))
        )
        #expect(Fixture.html(filtered).contains("<a class=\"btn\" href=\"/people\">"))
    }

    @Test("long texts and addresses are whole")
    func longTexts() {
        let long = String(repeating: "word ", count: 7)
        let person = Person(id: "1", name: long, site: "https://example.org/" + long)
        let html = Fixture.html(Fixture.page(person))
        #expect(html.contains(" href=\"/people/1\">\(long)</a>"))
        #expect(html.contains("data-l=\"Site\">https://example.org/\(long)</td>"))
    }

    @Test("a page says which rows it shows; behind a cursor, what the link to it knew")
    func ranges() {
        func html(_ start: ListQuery.Start, rowsBefore: Int? = nil) -> String {
            let query = ListQuery(shape: .flow(limit: 1), start: start)
            let page = Fixture.page(
                [PeopleSection(people: [Samples.barbara])],
                query: query,
                previous: start == .beginning ? nil : Fixture.cursor("19"),
                next: Fixture.cursor("19")
            )
            let context = Fixture.context
            context.rowsBefore = rowsBefore
            return Fixture.text {
                HTMLPageRenderer(site: Fixture.site).render(page, in: context, to: &$0)
            }
        }
        #expect(html(.beginning).contains("<span class=\"n\">1–1</span>"))
        #expect(html(.offset(1234)).contains("<span class=\"n\">1,235–1,235</span>"))
        let cursor = Fixture.cursor("1")
        #expect(!html(.after(cursor)).contains("<span class=\"n\">"))
        #expect(html(.after(cursor), rowsBefore: 50).contains("<span class=\"n\">51–51</span>"))
        #expect(html(.before(cursor), rowsBefore: 50).contains("<span class=\"n\">50–50</span>"))
        #expect(html(.after(cursor), rowsBefore: 50).contains("after=19~all~51\""))
        #expect(html(.after(cursor), rowsBefore: 50).contains("before=19~all~50\""))
    }
}
