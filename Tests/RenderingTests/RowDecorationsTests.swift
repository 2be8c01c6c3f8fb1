import Foundation
import Listings
import Rendering
import Testing

@Suite("What rows have besides their cells")
struct RowExtrasTests {
    private func rows(_ page: borrowing Page) throws -> [[String: Any]] {
        let data = Data(Fixture.json(page).utf8)
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let sections = json?["sections"] as? [[String: Any]] ?? []
        return sections.flatMap { $0["rows"] as? [[String: Any]] ?? [] }
    }

    @Test("JSON has each member only where the row has it")
    func members() throws {
        let rows = try rows(Samples.extras())
        #expect(rows.map { $0["id"] as? String } == ["19", "127", "68", "67"])
        #expect(rows.map { $0["level"] as? Int } == [0, 1, nil, nil])
        #expect(rows.map { $0["expanded"] as? Bool } == [true, false, nil, nil])
        #expect(rows.map { $0["span"] as? Int } == [2, nil, nil, nil])
        #expect(rows.map { ($0["actions"] as? [Any])?.count } == [3, nil, nil, 3])
        let error = rows[2]["error"] as? [String: Any]
        #expect(error?["code"] as? String == "row-failed")
        #expect(error?["detail"] as? String == "The row could not be shown.")
        #expect(Set(rows[2].keys) == ["id", "error"])
    }

    @Test("JSON says where rows lead: their own address, another, or none")
    func links() throws {
        let rows = try rows(Samples.extras())
        let links = rows.map { $0["links"] as? [String: Any] ?? [:] }
        #expect(links[0]["self"] as? String == "/people/19")
        #expect(links[0]["open"] as? String == "/teams?of=19&x")
        #expect(links[0]["toggle"] as? String == "/people?closed=19")
        #expect(links[1]["self"] is NSNull && links[1]["open"] == nil)
        #expect(links[3]["self"] as? String == "/people/67" && links[3]["open"] is NSNull)
    }

    @Test("an action says how it is asked for")
    func actions() throws {
        let rows = try rows(Samples.extras())
        let actions = rows[0]["actions"] as? [[String: Any]] ?? []
        #expect(actions.map { $0["name"] as? String } == ["edit", "mark", "delete"])
        #expect(actions.map { $0["method"] as? String } == ["GET", "POST", "POST"])
        #expect(actions.map { $0["destructive"] as? Bool } == [false, false, true])
        #expect(actions[2]["href"] as? String == "/people/19/-/delete")
        #expect(actions[2]["confirm"] as? String == "Delete \"Barbara Allen\"?")
        #expect(actions[1]["confirm"] is NSNull)
    }

    @Test("the index leads to sections with a title, the first of each")
    func index() throws {
        let data = Data(Fixture.json(Samples.extras()).utf8)
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let index = json?["index"] as? [[String: Any]] ?? []
        #expect(index.map { $0["title"] as? String } == ["A", "B"])
        #expect(index.map { $0["section"] as? Int } == [0, 1])
        #expect(index.first?["href"] as? String == "/people/-/sections/a")
        let html = HTMLOutline(Fixture.html(Samples.extras()))
        #expect(html.attributes("href").filter { $0.hasPrefix("#s-") } == ["#s-a", "#s-b"])
        #expect(!Fixture.json(Samples.page()).contains("\"index\":["))
    }

    @Test("a missing header is null, an empty one stays empty, and neither is drawn")
    func headers() throws {
        let data = Data(Fixture.json(Samples.extras()).utf8)
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let sections = json?["sections"] as? [[String: Any]] ?? []
        #expect((sections[2]["header"] as? [String: Any])?["title"] as? String == "")
        #expect((sections[2]["footer"] as? [String: Any])?["text"] as? String == "")
        #expect(sections[1]["footer"] is NSNull)
        #expect(sections.map { $0["collapsed"] as? Bool } == [nil, true, nil, nil])
        #expect(sections.map { $0["indexTitle"] as? String } == ["A", "B", nil, "A"])
        for layout in PageLayout.allCases {
            let html = Fixture.html(Samples.extras(), layout: layout)
            #expect(!html.contains("<bdi></bdi>"), "\(layout)")
            #expect(html.components(separatedBy: "class=\"sf\"").count == 2, "\(layout)")
        }
    }

    @Test(
        "what changes something is a form, and asks first where it should",
        arguments: [
            PageLayout.table, .grid,
        ]
    )
    func forms(_ layout: PageLayout) {
        let html = Fixture.html(Samples.extras(), layout: layout)
        let outline = HTMLOutline(html)
        #expect(outline.isBalanced, "\(outline.fault ?? "")")
        #expect(
            outline.attributes("action", of: "form").filter { $0 != "/people/-/narrow" }
                == ["19", "67"].flatMap { ["/people/\($0)/-/mark", "/people/\($0)/-/delete"] }
        )
        #expect(Set(outline.attributes("method", of: "form")) == ["post", "dialog"])
        #expect(outline.attributes("href").contains("/people/19/-/edit"))
        #expect(html.contains("<summary>Delete</summary>"))
        #expect(html.contains("<p>Delete &quot;Barbara Allen&quot;?</p>"))
        #expect(html.contains("Mark &lt;b&gt;</button>"))
    }

    @Test("a row that leads nowhere has no link", arguments: [PageLayout.table, .grid])
    func absentLinks(_ layout: PageLayout) {
        let html = Fixture.html(Samples.extras(), layout: layout)
        let addresses = HTMLOutline(html).attributes("href", of: "a")
        #expect(addresses.contains("/teams?of=19&x"))
        for id in ["19", "67", "127"] { #expect(!addresses.contains("/people/\(id)")) }
    }

    @Test("all rows of a table have as many columns as its head")
    func columns() {
        let html = Fixture.html(Samples.extras())
        #expect(html.contains("<span class=\"vh\">Actions</span></th></tr></thead>"))
        let widths = HTMLOutline(html).attributes("colspan")
        #expect(Set(widths) == ["9", "7"])
    }

    @Test("rows are chosen by check boxes, and what cannot be taken back asks first")
    func checkBoxes() {
        let html = Fixture.html(Samples.extras())
        let outline = HTMLOutline(html)
        #expect(outline.attributes("value", of: "input").suffix(3) == ["19", "67", "true"])
        #expect(Set(outline.attributes("form", of: "input")) == ["act"])
        #expect(
            outline.attributes("formaction")
                == ["/people/-/actions/mark", "/people/-/actions/delete"]
        )
        let question =
            "<p data-ask=\"Delete: % selected?\">Delete: all selected rows?</p>"
            + "<p class=\"once\">This cannot be taken back.</p>"
        #expect(html.contains(question))
        let cards = Fixture.html(Samples.extras(), layout: .grid)
        #expect(!cards.contains("form=\"act\"") && !cards.contains("formaction"))
    }

    @Test("a page in which nothing can be done has no column for it")
    func noActions() {
        let html = Fixture.html(Samples.page())
        #expect(!html.contains("Actions"))
        #expect(!html.contains("method=\"post\""))
    }

    @Test("a list that is fetched says so in place of rows")
    func emptyStates() {
        var page = Fixture.page([])
        page.emptyState = EmptyState(.loading)
        #expect(Fixture.html(page).contains("<h2>Loading</h2>"))
        page.emptyState = EmptyState(.failed, title: "R&D is down", message: "Ask <them>.")
        let html = Fixture.html(page)
        #expect(html.contains("role=\"status\"><h2>R&amp;D is down</h2><p>Ask &lt;them&gt;.</p>"))
        #expect(html.contains("href=\"/people?limit=4&amp;current\">Load again</a>"))
    }

    @Test("sections that are always there are named although they have no row")
    func fixedSections() {
        let section = PeopleSection(people: [], header: "Nobody", count: Count(0))
        for layout in PageLayout.allCases {
            let html = Fixture.html(Fixture.page([section]), layout: layout)
            #expect(html.contains("<h2>No rows yet</h2>"), "\(layout)")
            #expect(html.contains("<bdi>Nobody</bdi>"), "\(layout)")
        }
    }

    @Test("lists under one address are offered side by side")
    func segments() {
        let context = Fixture.context
        context.segments = [
            RenderContext.Segment("All", address: "/people", isCurrent: false),
            RenderContext.Segment("R&D", address: "/people?segment=rd", isCurrent: true),
        ]
        let page = Fixture.page(Samples.barbara)
        let html = Fixture.text {
            HTMLPageRenderer(site: Fixture.site).render(page, in: context, to: &$0)
        }
        #expect(html.contains("href=\"/people?segment=rd\" aria-current=\"true\">R&amp;D</a>"))
    }
}
