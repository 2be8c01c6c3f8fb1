import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import Testing

@Suite("An action of many rows is performed for all of them or for none")
struct BulkActionTests {
    private static let form = "application/x-www-form-urlencoded"

    @Test(
        "ids come as JSON, as a form, or as all rows that the address asks for",
        arguments: [
            (#"{"ids":["1","a/b.json"]}"#, "", ["1", "a/b.json"]),
            ("id=1&id=a%2Fb.json", "", ["1", "a/b.json"]),
            (#"{"all":true}"#, "?section=bob", ["5", "a/b.json"]),
            ("all=true", "?section=bob&section=ada&sort=-title", ["2", "1", "a/b.json", "5"]),
            ("all=true", "?section=bob&per_section=1", ["5", "a/b.json"]),
        ] as [(String, String, [String])]
    )
    func choice(content: String, query: String, rows: [String]) throws {
        for way in Way.allCases {
            let log = TaskLog()
            let client = try Client(tasksIn: log, way)
            let target = "/tasks/-/actions/finish" + query
            let answer =
                content.hasPrefix("{")
                ? try client.post(json: content, to: target)
                : try client.post(form: content, to: target)
            #expect(answer.status == 200)
            let json = try answer.json()
            #expect(json["done"]?.integer == rows.count)
            #expect(json["refused"]?.integer == 0)
            #expect(json["results"]?.elements.map { $0["row"]?.text } == rows)
            #expect(log.lines.map { $0.split(separator: " ")[1] } == rows.map { Substring($0) })
        }
    }

    @Test(
        "nothing is done when one of the rows does not offer it",
        arguments: [
            (#"{"ids":["1","9"]}"#, 404, ["unknown-row"]),
            (#"{"ids":["1","4"]}"#, 409, ["unknown-action"]),
            (#"{"ids":["9","4","1"]}"#, 404, ["unknown-row", "unknown-action"]),
            (#"{"all":true}"#, 409, ["unknown-action"]),
        ]
    )
    func allOrNothing(content: String, status: Int, codes: [String]) throws {
        let log = TaskLog()
        let client = try Client(tasksIn: log)
        let answer = try client.post(json: content, to: "/tasks/-/actions/finish")
        #expect(answer.status == status)
        #expect(try answer.json()["errors"]?.elements.map { $0["code"]?.text } == codes)
        #expect(log.lines.isEmpty)
        let lenient = try client.post(
            json: content,
            to: "/tasks/-/actions/finish",
            fields: [("Prefer", "handling=lenient")]
        )
        #expect(lenient.status == 200)
        #expect(lenient.field("Preference-Applied") == "handling=lenient")
        let outcomes = try lenient.json()["results"]?.elements.map { $0["outcome"]?.text }
        #expect(outcomes?.contains("done") == true)
        for code in codes { #expect(outcomes?.contains(code) == true) }
        #expect(!log.lines.isEmpty)
    }

    @Test("what is refused or fails for a row keeps the others from nothing")
    func refusals() throws {
        let log = TaskLog()
        let client = try Client(tasksIn: log)
        for (action, outcome) in [("forbid", "refused"), ("fail", "failed")] {
            let answer = try client.post(
                json: #"{"ids":["1","2"]}"#,
                to: "/tasks/-/actions/\(action)"
            )
            #expect(answer.status == 200)
            let json = try answer.json()
            #expect(json["refused"]?.integer == 2)
            #expect(json["results"]?.elements.map { $0["outcome"]?.text } == [outcome, outcome])
        }
        #expect(log.lines.count == 4)
    }

    @Test("a page's check boxes and buttons do it without a script", arguments: Way.allCases)
    func checkBoxes(way: Way) throws {
        let log = TaskLog()
        let client = try Client(tasksIn: log, way)
        let page = try client.get("/tasks.html?limit=3&sort=-title")
        let boxes = page.body.matches(
            of: /<input form="act" type="checkbox" name="id" value="([^"]*)"/
        )
        let ids = try page.rows().map(\.id)
        #expect(boxes.map { String($0.1) } == ids)
        #expect(page.body.contains("aria-label=\"Select Water\""))
        let button = try #require(page.htmlValues(of: "formaction").first)
        #expect(button == "/tasks/-/actions/finish?sort=-title&limit=3")
        let chosen = ids.map { "id=" + $0.replacing("/", with: "%2F") }.joined(separator: "&")
        let done = try client.post(form: chosen, to: button, accept: "text/html")
        #expect(done.status == 303 && done.field("Location") == "/tasks?sort=-title&limit=3")
        #expect(log.lines.count == 3)
        let greeted = try client.post(
            form: "id=1&id=2",
            to: "/tasks/-/actions/greet",
            accept: "text/html"
        )
        let text = try client.get(greeted.field("Location") ?? "", accept: "text/html").body
        #expect(text.contains("Hello, &lt;Sow&gt;") && text.contains("Hello, &lt;Water&gt;"))
        // Tasks of nobody offer nothing, so there is nothing to choose them for.
        let nobody = try client.get("/tasks.html?section=nobody").body
        #expect(!nobody.contains("form=\"act\"") && !nobody.contains("formaction"))
    }

    @Test("a person is led back, or told which rows were refused", arguments: Way.allCases)
    func person(way: Way) throws {
        let client = try Client(tasksIn: TaskLog(), way)
        let done = try client.post(
            form: "id=1&id=2",
            to: "/tasks/-/actions/finish?sort=-title",
            accept: "text/html"
        )
        #expect(done.status == 303)
        #expect(done.field("Location") == "/tasks?sort=-title")
        let refused = try client.post(
            form: "id=1&id=2",
            to: "/tasks/-/actions/forbid",
            accept: "text/html"
        )
        #expect(refused.status == 409)
        #expect(refused.body.contains("Water is &lt;locked&gt;."))
        let nobody = try client.post(form: "", to: "/tasks/-/actions/finish", accept: "text/html")
        #expect(nobody.status == 400)
    }

    @Test(
        "a choice that is not understood is refused with its place",
        arguments: [
            ("{}", "missing-member", nil),
            (#"{"ids":[]}"#, "missing-member", "/ids"),
            (#"{"ids":["1"],"all":true}"#, "conflicting-members", "/all"),
            (#"{"all":false}"#, "malformed-value", "/all"),
            (#"{"all":"true"}"#, "malformed-value", "/all"),
            (#"{"ids":"1"}"#, "malformed-value", "/ids"),
            (#"{"ids":[1]}"#, "malformed-value", "/ids"),
            (#"{"ids":[""]}"#, "malformed-value", "/ids"),
            (#"{"ids":["1","1"]}"#, "repeated-value", "/ids"),
            (#"{"id":["1"]}"#, "unknown-member", "/id"),
            (#"{"a/b~c":1}"#, "unknown-member", "/a~1b~0c"),
            ("null", "malformed-value", ""),
        ] as [(String, String, String?)]
    )
    func malformed(content: String, code: String, pointer: String?) throws {
        let log = TaskLog()
        let answer = try Client(tasksIn: log).post(json: content, to: "/tasks/-/actions/finish")
        #expect(answer.status == 400)
        #expect(try answer.json()["type"]?.text == "/-/problems/malformed-content")
        let error = try #require(try answer.json()["errors"]?.elements.first)
        #expect(error["code"]?.text == code)
        #expect(error["pointer"]?.text == pointer)
        #expect(log.lines.isEmpty)
    }

    @Test(
        "a form that is not understood is refused with its field",
        arguments: [
            ("", "missing-member", nil), ("id=", "malformed-value", "id"),
            ("id", "malformed-value", "id"), ("id=1&id=1", "repeated-value", "id"),
            ("ids=1", "unknown-member", "ids"), ("all=yes", "malformed-value", "all"),
            ("all=true&all=true", "repeated-value", "all"),
            ("all=true&id=1", "conflicting-members", "all"),
        ] as [(String, String, String?)]
    )
    func malformedForm(content: String, code: String, field: String?) throws {
        let answer = try Client(tasksIn: TaskLog())
            .post(form: content, to: "/tasks/-/actions/finish")
        #expect(answer.status == 400)
        let error = try #require(try answer.json()["errors"]?.elements.first)
        #expect(error["code"]?.text == code)
        #expect(error["parameter"]?.text == field)
    }

    @Test("more rows than a loop may be busy with are refused")
    func tooMany() throws {
        let ids = (1...1_001).map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try Client(tasksIn: TaskLog())
            .post(json: "{\"ids\":[\(ids)]}", to: "/tasks/-/actions/finish")
        #expect(answer.status == 400)
        #expect(try answer.json()["errors"]?.elements.first?["maxRows"]?.integer == 1_000)
    }

    @Test("all rows that are asked for may stand on several pages, up to a number")
    func pages() throws {
        var events = RowEvents<Item>()
        events.actions = { _ in [RowAction("touch")] }
        events.perform = { _, _ in .done() }
        var registry = ControllerRegistry()
        let registration = try registry.register(ItemController(), on: events)
        let items = [Item].numbered(1_001)
        let source = try DataSource(models: items, using: registration)
        let schema = try ListSchema(columns: ItemController().columns)
        let list = DataSourceList(source, schema: schema)
        let client = try Client([ListDefinition("items", source: list)])
        let all = #"{"all":true}"#
        let some = try client.post(json: all, to: "/items/-/actions/touch?size__lt=7")
        let rows = try some.json()["results"]?.elements.compactMap { $0["row"]?.text } ?? []
        #expect(Set(rows) == Set(items.filter { ($0.size ?? 7) < 7 }.map(\.id)))
        #expect(rows.count == Set(rows).count && rows.count > schema.maximumLimit)
        let tooMany = try client.post(json: all, to: "/items/-/actions/touch")
        #expect(tooMany.status == 400)
        #expect(try tooMany.faults() == ["- too-many-rows"])
    }

    @Test("a section that is not there has no rows to act on")
    func unknownSection() throws {
        let answer = try Client(tasksIn: TaskLog())
            .post(form: "all=true", to: "/tasks/-/actions/finish?section=eve")
        #expect(answer.status == 404)
    }
}
