import Listings
import TestSupport
import Testing

@testable import Rendering

@Suite("Templates")
struct TemplateTests {
    private static let kinds = ["person.row": PersonController().columns]

    private func draw(
        _ template: String,
        _ person: Person = Samples.barbara,
        events: RowEvents<Person>? = nil
    ) throws -> String {
        let set = try TemplateSet(["person.row.html": template], kinds: Self.kinds)
        let page = Fixture.page([PeopleSection(people: [person])], events: events)
        let html = Fixture.html(page, layout: .grid, templates: set)
        let start = try #require(html.firstRange(of: "class=\"card\"><div>"))
        let end = try #require(html.firstRange(of: "</div></li>\n</ul>\n</section>"))
        return String(html[start.upperBound..<end.lowerBound])
    }

    private func fault(_ template: String) throws -> TemplateError {
        let error = #expect(throws: TemplateErrors.self) {
            try TemplateSet(["person.row.html": template], kinds: Self.kinds)
        }
        return try #require(error?.errors.first)
    }

    @Test(
        "values are escaped for the place they stand in",
        arguments: [
            ("<b>{{name}}</b>", "<b>&lt;i&gt; &amp; &quot;'</b>"),
            ("<b title=\"{{name}}\">x</b>", "<b title=\"&lt;i&gt; &amp; &quot;&#39;\">x</b>"),
            ("<b title='{{ name }}'>x</b>", "<b title='&lt;i&gt; &amp; &quot;&#39;'>x</b>"),
            (
                "<a href=\"/find?q={{name}}&amp;x\">x</a>",
                "<a href=\"/find?q=%3Ci%3E%20%26%20%22&#39;&amp;x\">x</a>"
            ),
            ("<a href='/find/{{name}}'>x</a>", "<a href='/find/%3Ci%3E%20%26%20%22&#39;'>x</a>"),
            ("<a href=\"{{name}}\">x</a>", "<a href=\"#\">x</a>"),
            ("{{id}}", "a/b"),
            ("<a href=\"{{link}}\">x</a>", "<a href=\"/people/a/b\">x</a>"),
            (
                "{{age}} {{cells.age}}",
                "<span class=\"null\">No age</span> <span class=\"null\">No age</span>"
            ),
            ("<b title=\"{{active}}\">{{active}}</b>", "<b title=\"true\">yes</b>"),
            (
                "<time datetime=\"{{since}}\">x</time>{{since}}",
                "<time datetime=\"2021-11-13\">x</time>"
                    + "13 Nov 2021"
            ),
            ("{{score}}{{!a remark}}.", "."),
            (
                "<br>{{email}}<img alt=\"\" src=\"{{site}}\">",
                "<br>u19@example.org<img alt=\"\" src=\"#\">"
            ),
        ]
    )
    func escapes(_ template: String, _ shown: String) throws {
        let person = Person(
            id: "a/b",
            name: "<i> & \"'",
            active: true,
            since: CalendarDate("2021-11-13"),
            ageDisplay: "No age"
        )
        #expect(try draw(template, person) == shown)
    }

    @Test("sections are drawn where there is a value, and their counterparts where there is none")
    func sections() throws {
        let template =
            "{{#site}}<p>{{site}}{{#age}} {{age}}{{/age}}</p>{{/site}}{{^site}}-{{/site}}"
        #expect(try draw(template, Person(id: "1")) == "-")
        let person = Person(id: "1", site: "https://a.example", age: 3)
        #expect(try draw(template, person) == "<p>https://a.example 3</p>")
        let noAge = Person(id: "1", site: "https://a.example")
        #expect(try draw(template, noAge) == "<p>https://a.example</p>")
        let activity = "{{#active}}on{{/active}}{{^active}}off{{/active}}"
        #expect(try draw(activity, Person(id: "1", active: true)) == "on")
        #expect(try draw(activity, Person(id: "1", active: false)) == "off")
        #expect(try draw(activity, Person(id: "1")) == "off")
        #expect(try draw("{{#name}}n{{/name}}", Person(id: "1", name: "")) == "")
    }

    @Test("a section may stand in an attribute")
    func sectionInAttribute() throws {
        let template = "<b class=\"a{{#age}} old{{/age}}\">x</b>"
        #expect(try draw(template, Person(id: "1", age: 3)) == "<b class=\"a old\">x</b>")
        #expect(try draw(template, Person(id: "1")) == "<b class=\"a\">x</b>")
    }

    @Test(
        "an address from the data is followed only if it leads somewhere",
        arguments: [
            ("https://a.example/?b&c", "https://a.example/?b&amp;c"), ("javascript:alert(1)", "#"),
            (" JAVASCRIPT:alert(1)", "#"), ("data:text/html,x", "#"), ("//a.example", "#"),
            ("", "#"),
            ("/people/1", "/people/1"),
        ]
    )
    func addresses(_ site: String, _ shown: String) throws {
        let drawn = try draw("<a href=\"{{site}}\">x</a>", Person(id: "1", site: site))
        #expect(drawn == "<a href=\"\(shown)\">x</a>")
    }

    @Test("two values cannot make a dangerous address together")
    func joinedAddresses() throws {
        let person = Person(id: "1", name: "javascript", email: ":alert(1)")
        let drawn = try draw("<a href=\"{{name}}{{email}}\">x</a>", person)
        #expect(drawn == "<a href=\"javascript%3Aalert(1)\">x</a>")
    }

    @Test("a row that leads nowhere has no link in its template")
    func absentLink() throws {
        var events = RowEvents<Person>()
        events.link = { _ in nil }
        let template = "{{#link}}<a href=\"{{link}}\">x</a>{{/link}}{{^link}}x{{/link}}"
        #expect(try draw(template, events: events) == "x")
        #expect(try draw(template) == "<a href=\"/people/19\">x</a>")
    }

    @Test(
        "what is wrong is named with its place",
        arguments: [
            (
                "{{nam}}", "1:1",
                TemplateError.Fault.unknownName(
                    "nam",
                    known: PersonController().columns.map(\.id) + ["id", "link"]
                )
            ),
            ("<b>\n é{{{name}}}</b>", "2:3", .rawValue), ("{{&name}}", "1:1", .rawValue),
            ("a{{name", "1:2", .malformedTag), ("{{}}", "1:1", .malformedTag),
            ("{{ }}", "1:1", .malformedTag), ("{{name} }", "1:1", .malformedTag),
            ("{{/name}}", "1:1", .strayEnd("name")),
            ("{{#name}}{{#age}}{{/name}}{{/age}}", "1:18", .strayEnd("name")),
            ("\n{{#name}}x", "2:1", .unendedSection("name")),
            ("{{#name}}<b>{{/name}}</b>", "1:1", .unbalancedSection("name")),
            ("<b {{#name}}title=\"{{/name}}x\">y</b>", "1:4", .unbalancedSection("name")),
            ("<{{name}}>", "1:2", .valueMisplaced), ("<b {{name}}>x</b>", "1:4", .valueMisplaced),
            ("<b style=\"{{name}}\">x</b>", "1:9", .forbidden("style")),
            ("<b style=\"color: red\">x</b>", "1:9", .forbidden("style")),
            ("<img srcset=\"{{site}}\">", "1:14", .valueMisplaced),
            ("<b title={{name}}>x</b>", "1:10", .valueMisplaced),
            ("<b title=x>x</b>", "1:10", .unquotedAttribute),
            ("a < b", "1:4", .malformedMarkup), ("<!-- {{name}} -->", "1:2", .malformedMarkup),
            ("<b", "1:3", .malformedMarkup),
            ("<script>{{name}}</script>", "1:8", .forbidden("script")),
            ("<b onclick=\"x\">y</b>", "1:11", .forbidden("onclick")),
            ("<td>x</td>", "1:4", .forbidden("td")), ("<style>", "1:7", .forbidden("style")),
            ("<a href=\"javascript:x\">y</a>", "1:22", .unsafeAddress("javascript:x")),
            ("<a href=\"javascript:{{name}}\">y</a>", "1:21", .unsafeAddress("javascript:")),
            ("<b>x", "1:5", .unendedElement("b")), ("<div/>", "1:6", .unendedElement("div")),
            ("x</b>", "1:5", .strayEndTag("b")), ("<b><i></b></i>", "1:10", .strayEndTag("b")),
        ]
    )
    func faults(_ template: String, _ location: String, _ fault: TemplateError.Fault) throws {
        let error = try self.fault(template)
        #expect(error.fault == fault)
        #expect("\(error.line):\(error.column)" == location, "\(error)")
        #expect("\(error)".hasPrefix("person.row.html:\(location): "))
    }

    @Test("a table of its own may stand in a template")
    func tables() throws {
        let template = "<table><tbody><tr><td>{{name}}</td></tr></tbody></table>"
        #expect(try draw(template).contains("<td>Barbara Allen</td>"))
    }

    @Test(
        "a file that is for nothing is refused",
        arguments: [
            ("persn.row.html", TemplateError.Fault.unknownKind("persn.row")),
            ("person.row.htm", .strangeName), (".html", .strangeName),
            ("header-.html", .unknownKind("header-")),
        ]
    )
    func names(_ file: String, _ fault: TemplateError.Fault) {
        #expect(
            throws: TemplateErrors(
                errors: [TemplateError(file: file, line: 1, column: 1, fault: fault)]
            )
        ) {
            try TemplateSet([file: "x"], kinds: Self.kinds)
        }
    }

    @Test("all files are checked before any is refused, in the order of their names")
    func allErrors() throws {
        let error = #expect(throws: TemplateErrors.self) {
            try TemplateSet(
                ["b.html": "", "header-x.html": "{{name}}", "person.row.html": "{{a}}{{b}}"],
                kinds: Self.kinds
            )
        }
        let locations = error?.errors.map { "\($0.file):\($0.line):\($0.column)" }
        #expect(
            locations
                == [
                    "b.html:1:1", "header-x.html:1:1", "person.row.html:1:1", "person.row.html:1:6",
                ]
        )
    }

    @Test("headers and footers have templates by the id of their section")
    func sectionTemplates() throws {
        let set = try TemplateSet(
            [
                "header-a%20b.html": "<b><a href=\"{{link}}\">{{title}}</a> ({{count}})</b>",
                "footer-a%20b.html": "<i title=\"{{id}}\">{{title}}</i>",
            ],
            kinds: [:]
        )
        let section = PeopleSection(
            key: .value(.text("a b")),
            people: [Samples.grace],
            header: "A & B",
            footer: "<end>",
            count: Count(1200)
        )
        for layout in PageLayout.allCases {
            let html = Fixture.html(Fixture.page([section]), layout: layout, templates: set)
            #expect(HTMLOutline(html).isBalanced)
            let head = "<b><a href=\"/people/-/sections/a b\">A &amp; B</a> (1,200)</b>"
            #expect(html.contains(head), "\(layout)")
            #expect(html.contains("<i title=\"a b\">&lt;end&gt;</i>"), "\(layout)")
        }
    }

    @Test("a template stands in place of a row's cells, except where columns are chosen")
    func tableRows() throws {
        let set = try TemplateSet(["person.row.html": "<b>{{name}}</b>"], kinds: Self.kinds)
        let all = Fixture.html(
            Fixture.page([PeopleSection(people: [Samples.barbara])]),
            templates: set
        )
        #expect(all.contains("<td class=\"tpl\" colspan=\"7\"><b>Barbara Allen</b></td></tr>"))
        let query = ListQuery(columns: [1], shape: .flow(limit: 4))
        let page = Fixture.page([PeopleSection(people: [Samples.barbara])], query: query)
        #expect(!Fixture.html(page, templates: set).contains("class=\"tpl\""))
        let failed = Fixture.html(Fixture.page(Samples.failing), templates: set)
        #expect(failed.contains("class=\"failed\""))
    }

    @Test("the page of a row is drawn by its template as well, except where columns are chosen")
    func rowPage() throws {
        let set = try TemplateSet(["person.row.html": "<b>{{name}}</b>"], kinds: Self.kinds)
        func html(_ page: borrowing Page) -> String {
            Fixture.text {
                let renderer = HTMLPageRenderer(site: Fixture.site, templates: set)
                renderer.renderRow(of: page, in: Fixture.context, to: &$0)
            }
        }
        let drawn = html(Fixture.page(Samples.barbara))
        #expect(drawn.contains("<div class=\"tpl\"><b>Barbara Allen</b></div>"))
        #expect(!drawn.contains("<dl"))
        let query = ListQuery(columns: [1], shape: .flow(limit: 4))
        let chosen = Fixture.page([PeopleSection(people: [Samples.barbara])], query: query)
        #expect(html(chosen).contains("<dl"))
        #expect(html(Fixture.page(Samples.failing)).contains("class=\"failed\""))
    }

    @Test("a cell has the template of its column, whose name may have dots")
    func cells() throws {
        let set = try TemplateSet(
            ["person.row.name.html": "<b>{{name}}</b> <i>{{email}}</i>"],
            kinds: Self.kinds
        )
        let page = Fixture.page([PeopleSection(people: [Samples.barbara])])
        for layout in PageLayout.allCases {
            let html = Fixture.html(page, layout: layout, templates: set)
            #expect(HTMLOutline(html).isBalanced)
            #expect(html.contains("<b>Barbara Allen</b> <i>"), "\(layout)")
        }
        let failed = Fixture.html(Fixture.page(Samples.failing), templates: set)
        #expect(failed.contains("class=\"failed\""))
        let dotted = try TemplateSet(
            ["a.row.b.row.html": "{{b.row}}"],
            kinds: ["a.row": [Column("b.row")]]
        )
        #expect(dotted.cells("a.row").keys.sorted() == ["b.row"])
    }

    @Test("the listing of a start says what draws each kind of row")
    func listing() throws {
        var registry = ControllerRegistry()
        try registry.register(PersonController())
        let set = try TemplateSet(["person.row.html": "x"], of: registry.summaries)
        #expect(
            set.listing(of: registry.summaries)
                == ["Person → PersonController → person.row → person.row.html"]
        )
        #expect(
            TemplateSet().listing(of: registry.summaries)
                == ["Person → PersonController → person.row → its own cells"]
        )
    }

    @Test("no value leaves its place in any template", arguments: UInt64(1)...200)
    func hostileValues(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "<b>{{name}}</b>", "{{site}}", "<a href=\"{{site}}\">x</a>",
            "<a href=\"/x?a={{name}}\" title=\"{{email}}\">{{name}}</a>",
            "{{#site}}<i title=\"{{site}}\">{{id}}</i>{{/site}}", "{{^name}}-{{/name}}",
        ]
        let template = (0..<5).map { _ in pieces[generator.next(below: pieces.count)] }.joined()
        let people = generator.people()
        let set = try TemplateSet(["person.row.html": template], kinds: Self.kinds)
        for layout in PageLayout.allCases {
            let page = Fixture.page([PeopleSection(people: people)])
            let html = Fixture.html(page, layout: layout, templates: set)
            let outline = HTMLOutline(html)
            #expect(outline.isBalanced, "seed \(seed): \(outline.fault ?? "")")
            let allowed: Set = [
                "html", "head", "meta", "title", "link", "body", "a", "header", "nav", "ol", "li",
                "span", "main", "div", "h1", "h2", "h3", "p", "details", "summary", "b", "ul",
                "table", "caption", "thead", "tr", "th", "tbody", "td", "bdi", "i", "footer",
                "section", "form", "input", "button", "label", "select", "option", "script",
                "dialog", "dl", "dt", "dd", "kbd", "svg", "symbol", "path", "use",
            ]
            let strange = Set(outline.tags.map(\.name)).subtracting(allowed)
            #expect(strange.isEmpty, "seed \(seed)")
            for address in outline.attributes("href") {
                let isKnown = ["/", "#", "https://"].contains { address.hasPrefix($0) }
                #expect(isKnown, "seed \(seed): \(address)")
            }
        }
    }
}
