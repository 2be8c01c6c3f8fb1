import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Facets with few values are suggested")
struct SuggestedFacetTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Forty tasks: three states, a person each second one, years, arrays, two prices, and texts of
    /// their own.
    private static func tables(_ shop: Shop) -> String {
        let tasks = (1...40).map { number in
            let tags = number % 2 == 0 ? #"'["red","new"]'"# : #"'["new"]'"#
            let state = ["'open'", "'done'", "'late'"][number % 3]
            return "(\(number), 'Task \(number)', \(state), \(number % 2 + 1), "
                + "'\(2020 + number % 4)-05-01T10:00:00Z', \(tags), 7, \(number % 2).99)"
        }
        return """
            CREATE TABLE people (id integer PRIMARY KEY, name text);
            CREATE TABLE tasks (id integer PRIMARY KEY, title text, state text,
                person_id integer REFERENCES people (id),
                due \(shop == .sqlite ? "timestamp" : "timestamptz"),
                tags \(shop == .sqlite ? "text" : "jsonb"), weight integer,
                price numeric(10, 2));
            INSERT INTO people VALUES (1, 'Ada'), (2, 'Bo');
            INSERT INTO tasks VALUES \(tasks.joined(separator: ", "));
            """
    }

    private func suggestions(_ answer: Answer) throws -> [String]? {
        let json = try answer.json()
        guard let found = json["suggestions"], found != .null else { return nil }
        return found.elements.map { suggestion in
            let values = suggestion["values"]
            return "\(suggestion["column"]?.text ?? "") \(values?["value"]?.integer ?? -1) "
                + "\(values?["relation"]?.text ?? "") \(suggestion["href"]?.text ?? "")"
        }
    }

    @Test("JSON has them on request, with links that count them", arguments: Shop.installed)
    func suggestions(shop: Shop) throws {
        let client = try Client(try shop.lists(in: folder, of: Self.tables(shop)))
        let page = try client.get("/tasks.json?facets=?&limit=1")
        #expect(
            try suggestions(page) == [
                "state 3 eq /tasks.json?facets=state&limit=1",
                "person_id 2 eq /tasks.json?facets=person_id&limit=1",
                "due:year 4 eq /tasks.json?facets=due%3Ayear&limit=1",
                "tags[] 2 eq /tasks.json?facets=tags%5B%5D&limit=1",
                "price 2 eq /tasks.json?facets=price&limit=1",
            ]
        )
        #expect(try page.json()["facets"] == nil)
        for suggestion in try page.json()["suggestions"]?.elements ?? [] {
            let counted = try client.get(suggestion["href"]?.text ?? "").json()["facets"]
            #expect(counted?.elements.first?["column"] == suggestion["column"])
            #expect(
                counted?.elements.first?["values"]?.elements.count
                    == suggestion["values", "value"]?.integer
            )
        }
        let further = try client.get("/tasks.json?facets=state,?&limit=1")
        #expect(
            try suggestions(further)?.first
                == "person_id 2 eq /tasks.json?facets=state,person_id&limit=1"
        )
        #expect(try further.json()["facets"]?.elements.count == 1)
        #expect(try further.json()["links", "self"]?.text == "/tasks.json?facets=state,%3F&limit=1")
        #expect(try client.get("/tasks.json?limit=1").json()["suggestions"] == nil)
    }

    @Test("times of other offsets belong to the year of UTC, as when they are counted")
    func offsets() throws {
        let rows = (1...24).map { number in
            switch number {
            case ...8: "(\(number), '2023-12-31T23:30:00-0\(number % 2 + 1):00')"
            case ...16: "(\(number), '2024-06-01T00:00:00Z')"
            default: "(\(number), '2022-06-01T00:00:00Z')"
            }
        }
        let lists = try Shop.sqlite.lists(
            in: folder,
            of: """
                CREATE TABLE t (id integer PRIMARY KEY, at timestamp);
                INSERT INTO t VALUES \(rows.joined(separator: ", "));
                """
        )
        let client = try Client(lists)
        let page = try client.get("/t.json?facets=?&limit=1")
        #expect(try suggestions(page) == ["at:year 2 eq /t.json?facets=at%3Ayear&limit=1"])
        let counted = try client.get("/t.json?facets=at:year&limit=1").json()["facets"]
        #expect(counted?.elements.first?["values"]?.elements.count == 2)
    }

    @Test("they are those of the requested rows", arguments: Shop.installed)
    func conditions(shop: Shop) throws {
        let client = try Client(try shop.lists(in: folder, of: Self.tables(shop)))
        let open = try client.get("/tasks.json?facets=?&state=open&person.name=Ada&limit=1")
        let address = "/tasks.json?state=open&person.name=Ada&facets="
        #expect(
            try suggestions(open) == [
                "due:year 2 eq \(address)due%3Ayear&limit=1",
                "tags[] 2 eq \(address)tags%5B%5D&limit=1",
            ]
        )
        #expect(try suggestions(client.get("/tasks.json?facets=?&id=3")) == [])
        let repeated = try client.get("/tasks.json?facets=?,?").errorLines()
        #expect(repeated.first?.hasPrefix("facets unknown-column") == true)
    }

    @Test("pages show them as links, for the whole list", arguments: Shop.installed)
    func links(shop: Shop) throws {
        let client = try Client(try shop.lists(in: folder, of: Self.tables(shop)))
        let html = try client.get("/tasks?state=open&limit=3", accept: "text/html").body
        #expect(html.contains("<p class=\"n\">Columns with few values</p>"))
        #expect(
            html.contains(
                "<li><a href=\"/tasks?state=open&amp;facets=due%3Ayear&amp;limit=3\">Due: year "
                    + "<span class=\"n\">4</span></a></li>"
            )
        )
        let counted = try client.get("/tasks?facets=state", accept: "text/html").body
        #expect(counted.contains("facets=state,person_id"))
        #expect(!counted.contains("facets=state,state"))
    }

    @Test("they are those of the rows and columns that the caller may see")
    func scopes() throws {
        let client = try AuthorizedClient(
            try Shop.sqlite.lists(in: folder, of: Self.tables(.sqlite)),
            [("all", "tasks:read"), ("late", "tasks:read:state=late&person_id=1")]
        )
        let names: [Substring] = ["due:year", "tags[]"]
        // In turn, so that nothing that was found for one caller serves another.
        for _ in 0..<2 {
            let all = try client.ask(.get, "/tasks.json?facets=?", as: "all")
            #expect(try suggestions(all)?.count == 5)
            let late = try client.ask(.get, "/tasks.json?facets=?", as: "late")
            #expect(try suggestions(late)?.map { $0.prefix { $0 != " " } } == names)
            let html = try client.ask(.get, "/tasks", as: "late", fields: [(.accept, "text/html")])
            #expect(!html.body.contains("facets=state"))
            #expect(html.body.contains("facets=due%3Ayear"))
        }
    }

    @Test("they arrive as null, and are not cached, where finding them takes too long")
    func late() throws {
        var options = ServiceOptions()
        options.readingTimes.facets = .zero
        let client = try Client(
            try Shop.sqlite.lists(in: folder, of: Self.tables(.sqlite)),
            options: options
        )
        let page = try client.get("/tasks.json?facets=?&count=none")
        #expect(page.status == 200)
        #expect(try page.json()["suggestions"] == .null)
        #expect(try page.json()["sections"]?.elements.first?["rows"]?.elements.count == 40)
        #expect(page.field("Cache-Control") == "no-store")
        let html = try client.get("/tasks", accept: "text/html").body
        #expect(html.contains("Columns with few values: Counting took too long"))
    }

    @Test("a list in memory has them, read once for each version")
    func memory() throws {
        let items = (0..<20).map { Item(id: "\($0)", shelf: "s\($0 % 3)") }
        let source = CountingSource(base: try MemorySource.items(items))
        let client = try Client([ListDefinition("items", source: source)])
        for limit in [1, 2] {
            let page = try client.get("/items.json?facets=?&limit=\(limit)")
            #expect(
                try suggestions(page) == ["shelf 3 eq /items.json?facets=shelf&limit=\(limit)"]
            )
        }
        #expect(source.counts.reads == 3)
    }
}
