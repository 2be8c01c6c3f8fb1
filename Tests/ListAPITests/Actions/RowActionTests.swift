import HTTP
import ListAPITestSupport
import Listings
import Testing

@testable import ListAPI

@Suite("An action of a row is performed where it is offered")
struct RowActionTests {
    @Test(
        "a program gets the outcome",
        arguments: [
            ("/tasks/1/-/finish", "1", "done", nil, nil),
            ("/tasks/a%2Fb.json/-/finish", "a/b.json", "done", nil, nil),
            ("/tasks/1/-/finish.json", "1", "done", nil, nil),
            ("/tasks/1/-/greet", "1", "done", "Hello, <Sow>", nil),
            ("/tasks/1/-/show", "1", "redirected", nil, "/tasks/1"),
        ] as [(String, String, String, String?, String?)]
    )
    func outcome(
        target: String,
        row: String,
        outcome: String,
        message: String?,
        location: String?
    ) throws {
        for way in Way.allCases {
            let log = TaskLog()
            let answer = try Client(tasksIn: log, way).post(form: "", to: target)
            #expect(answer.status == 200)
            #expect(answer.mediaType == "application/json")
            #expect(answer.field("Cache-Control") == "no-store")
            let json = try answer.json()
            #expect(json["list"]?.text == "tasks")
            #expect(json["row"]?.text == row)
            #expect(json["outcome"]?.text == outcome)
            #expect(json["message"]?.text == message)
            #expect(json["location"]?.text == location)
            #expect(json.link("list") == (target.hasSuffix(".json") ? "/tasks.json" : "/tasks"))
            #expect(log.lines.count == 1)
        }
    }

    @Test("addresses of actions lead to rows whose ids are dots", arguments: Way.allCases)
    func dots(way: Way) throws {
        let ids = [".", "..", "..json", "...html", ".json", "a.json"]
        for id in ids {
            #expect(FormatSuffix.needsSuffix(id) == (id.first == "." && id != ".json"))
        }
        let tasks = ids.map { Task(id: $0, title: $0, owner: "ada") }
        let log = TaskLog()
        let client = try Client(tasksIn: log, way, tasks: tasks)
        for id in ids {
            var query = "/tasks?limit=50"
            if way == .throughServer { query = "/tasks.json?limit=50" }
            let rows =
                try client.get(query).json()["sections"]?.elements
                .flatMap { $0["rows"]?.elements ?? [] } ?? []
            let row = try #require(rows.first { $0["id"]?.text == id })
            let actions = row["actions"]?.elements ?? []
            let finish = actions.first { $0["name"]?.text == "finish" }
            let address = try #require(finish?["href"]?.text)
            #expect(try client.post(form: "", to: address).status == 200, "\(address)")
            #expect(log.lines.last == "finish \(id) in ada")
        }
    }

    @Test("the closure is told the action, the model and its section")
    func context() throws {
        let log = TaskLog()
        _ = try Client(tasksIn: log).post(json: "{}", to: "/tasks/2/-/finish")
        #expect(log.lines == ["finish 2 in ada"])
    }

    @Test("who wants no content gets none", arguments: Way.allCases)
    func minimal(way: Way) throws {
        let client = try Client(tasksIn: TaskLog(), way)
        let prefer: [(FieldName, String)] = [("Prefer", "wait=10, return=minimal")]
        let answer = try client.post(form: "", to: "/tasks/1/-/finish", fields: prefer)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(answer.field("Preference-Applied") == "return=minimal")
        let refused = try client.post(form: "", to: "/tasks/1/-/forbid", fields: prefer)
        #expect(refused.status == 409)
    }

    @Test(
        "a person is led back to the list as it was looked at",
        arguments: [
            ("/tasks/1/-/finish", "/tasks"),
            ("/tasks/1/-/finish.html", "/tasks.html"),
            ("/tasks/1/-/finish?sort=-title&limit=2", "/tasks?sort=-title&limit=2"),
            ("/tasks/1/-/finish?limit=2&sort=-title&utm_source=x", "/tasks?sort=-title&limit=2"),
            ("/tasks/1/-/finish?section=bob", "/tasks?section=bob"),
            ("/tasks/1/-/show?limit=2", "/tasks/1"),
        ]
    )
    func redirect(target: String, location: String) throws {
        for way in Way.allCases {
            let client = try Client(tasksIn: TaskLog(), way)
            let answer = try client.post(form: "", to: target, accept: "text/html")
            #expect(answer.status == 303)
            #expect(answer.field("Location") == location)
            #expect(answer.field("Cache-Control") == "no-store")
        }
    }

    @Test("what there is to say stands once on the page that is led to", arguments: Way.allCases)
    func notice(way: Way) throws {
        let client = try Client(tasksIn: TaskLog(), way)
        let tag = try client.get("/tasks.html?limit=2").field("ETag") ?? ""
        let done = try client.post(form: "", to: "/tasks/1/-/greet.html?limit=2")
        #expect(done.status == 303)
        let location = try #require(done.field("Location"))
        #expect(location.hasPrefix("/tasks.html?limit=2&notice="))
        // A browser that knows the list as it was must see the page nevertheless.
        let page = try client.ask(.get, location, fields: [(.ifNoneMatch, tag)])
        #expect(page.status == 200)
        #expect(page.body.contains("<p class=\"note\" role=\"status\">Hello, &lt;Sow&gt;</p>"))
        #expect(page.field("Cache-Control") == "no-store" && page.field("ETag") == nil)
        #expect(!page.body.contains("notice="))
        let again = try client.get(location)
        #expect(!again.body.contains("Hello") && again.field("ETag") == tag)
    }

    @Test(
        "no address makes a page say something",
        arguments: ["notice=Hello", "notice=", "notice", "notice=0", "notice=%3Cb%3E&limit=2"]
    )
    func foreignNotice(parameters: String) throws {
        let page = try Client(tasksIn: TaskLog()).get("/tasks.html?\(parameters)")
        #expect(page.status == 200)
        #expect(!page.body.contains("class=\"note\""))
    }

    @Test(
        "an action of a name that addresses need is not offered"
    )
    func reservedNames() throws {
        for name in RowAction.reservedNames {
            var events = RowEvents<Task>.logged(TaskLog())
            events.actions = { _ in [RowAction("finish"), RowAction(name)] }
            let client = try Client(tasksIn: TaskLog(), events: events)
            let row = try client.get("/tasks/1").json()["row"]
            #expect(row?["actions"]?.elements.compactMap { $0["name"]?.text } == ["finish"])
            #expect(try client.post(form: "", to: "/tasks/1/-/\(name)").status == 404)
        }
    }

    @Test(
        "what is refused is a conflict, with the reason and the way back",
        arguments: Way.allCases
    )
    func refusal(way: Way) throws {
        let client = try Client(tasksIn: TaskLog(), way)
        let answer = try client.post(form: "", to: "/tasks/1/-/forbid?limit=2")
        #expect(answer.status == 409)
        #expect(try answer.json()["detail"]?.text == "Sow is <locked>.")
        #expect(try answer.json().link("list") == "/tasks?limit=2")
        let page = try client.post(form: "", to: "/tasks/1/-/forbid", accept: "text/html")
        #expect(page.status == 409)
        #expect(page.body.contains("Sow is &lt;locked&gt;."))
    }

    @Test(
        "what fails is our fault, and says nothing of how",
        arguments: ["fail", "astray", "drop"]
    )
    func failure(action: String) throws {
        let answer = try Client(tasksIn: TaskLog()).post(form: "", to: "/tasks/1/-/\(action)")
        #expect(answer.status == 500)
        #expect(!answer.body.contains("Fault"))
        #expect(!answer.body.contains("javascript"))
        #expect(answer.field("Location") == nil)
    }

    @Test(
        "an action that is not there is not found, whatever the method",
        arguments: [
            "/tasks/9/-/finish", "/tasks/1/-/nothing", "/tasks/4/-/finish", "/tusks/1/-/finish",
            "/tasks/1/-/move", "/tasks/1/-/Finish",
        ],
        [HTTPMethod.get, .post, .options, .put, .delete]
    )
    func absent(target: String, method: HTTPMethod) throws {
        let log = TaskLog()
        let answer = try Client(tasksIn: log).ask(method, target)
        #expect(answer.status == 404)
        #expect(log.lines.isEmpty)
    }

    @Test("a list that performs nothing has no addresses of actions, and offers none")
    func unset() throws {
        var events = RowEvents<Task>()
        events.actions = { _ in [RowAction("finish")] }
        let client = try Client(tasksIn: TaskLog(), events: events)
        for target in ["/tasks/1/-/finish", "/tasks/-/actions/finish"] {
            for method in [HTTPMethod.post, .get, .options] {
                #expect(try client.ask(method, target).status == 404, "\(method) \(target)")
            }
        }
        #expect(try !client.get("/tasks").body.contains("finish"))
    }

    @Test(
        "another method is refused with the ones there are",
        arguments: [
            ("/tasks/1/-/finish", HTTPMethod.get, "POST, OPTIONS"),
            ("/tasks/1/-/finish", .head, "POST, OPTIONS"),
            ("/tasks/1/-/finish", .delete, "POST, OPTIONS"),
            ("/tasks/1/-/open", .post, "GET, OPTIONS"),
            ("/tasks/1/-/open", .head, "GET, OPTIONS"),
            ("/tasks/-/actions/finish", .get, "POST, OPTIONS"),
            ("/tasks/-/actions/finish", .put, "POST, OPTIONS"),
        ]
    )
    func methods(target: String, method: HTTPMethod, allowed: String) throws {
        for way in Way.allCases {
            let log = TaskLog()
            let client = try Client(tasksIn: log, way)
            let answer = try client.ask(method, target)
            #expect(answer.status == 405)
            #expect(answer.field("Allow") == allowed)
            let options = try client.ask(.options, target)
            #expect(options.status == 204)
            #expect(options.field("Allow") == allowed)
            #expect(log.lines.isEmpty)
        }
    }

    @Test("an action that changes nothing is a link")
    func link() throws {
        let answer = try Client(tasksIn: TaskLog()).get("/tasks/1/-/open", accept: "text/html")
        #expect(answer.status == 303)
        #expect(answer.field("Location") == "/tasks/1")
    }

    @Test(
        "pages of other sites are refused, programs and the service's own pages are not",
        arguments: [
            ([("Sec-Fetch-Site", "cross-site")], 403),
            ([("Sec-Fetch-Site", "same-site")], 403),
            ([("Sec-Fetch-Site", "same-origin")], 200),
            ([("Sec-Fetch-Site", "none")], 200),
            ([("Sec-Fetch-Site", "cross-site"), ("Origin", "http://localhost")], 403),
            ([("Origin", "http://localhost")], 200),
            ([("Origin", "https://LOCALHOST")], 200),
            ([("Origin", "http://localhost:80")], 403),
            ([("Origin", "http://localhost:8080")], 403),
            ([("Origin", "http://localhost.example.org")], 403),
            ([("Origin", "http://evil.example")], 403),
            ([("Origin", "null")], 403),
            ([("Origin", "localhost")], 403),
            ([], 200),
        ] as [([(String, String)], Int)]
    )
    func origin(fields: [(String, String)], status: Int) throws {
        for target in ["/tasks/1/-/finish", "/tasks/-/actions/finish"] {
            let log = TaskLog()
            let form = target.contains("actions") ? "id=1" : ""
            let answer = try Client(tasksIn: log).post(
                form: form,
                to: target,
                fields: fields.map { (FieldName($0.0), $0.1) }
            )
            #expect(answer.status == status)
            #expect(log.lines.isEmpty == (status == 403))
        }
        let followed = try Client(tasksIn: TaskLog()).ask(
            .get,
            "/tasks/1/-/open",
            fields: fields.map { (FieldName($0.0), $0.1) }
        )
        #expect(followed.status == status)
    }

    @Test(
        "the address and the content are read as strictly as everywhere",
        arguments: [
            ("/tasks/1/-/finish?lmit=2", "", nil, 400),
            ("/tasks/1/-/finish?after=x", "", nil, 400),
            ("/tasks/1/-/finish", "x=1", "application/x-www-form-urlencoded", 400),
            ("/tasks/1/-/finish", #"{"x":1}"#, "application/json", 400),
            ("/tasks/1/-/finish", "[]", "application/json", 400),
            ("/tasks/1/-/finish", "{", "application/json", 400),
            ("/tasks/1/-/finish", "{}", "application/json; charset=UTF-8", 200),
            ("/tasks/1/-/finish", "{}", "application/json; charset=latin1", 415),
            ("/tasks/1/-/finish", "{}", "text/plain", 415),
            ("/tasks/1/-/finish", "{}", "multipart/form-data; boundary=x", 415),
            ("/tasks/1/-/finish", "{}", nil, 415),
            ("/tasks/1/-/finish", "a=%zz", "application/x-www-form-urlencoded", 400),
            ("/tasks/1/-/finish.csv", "", nil, 406),
        ] as [(String, String, String?, Int)]
    )
    func strictness(target: String, body: String, type: String?, status: Int) throws {
        for way in Way.allCases {
            let log = TaskLog()
            let fields: [(FieldName, String)] = type.map { [(.contentType, $0)] } ?? []
            let client = try Client(tasksIn: log, way)
            let answer = try client.ask(.post, target, fields: fields, body: body)
            #expect(answer.status == status, "\(answer.body)")
            #expect(log.lines.isEmpty == (status != 200))
        }
    }

    @Test(
        "content that is not read is refused with what would be",
        arguments: [
            (nil, nil, "Accept"), ("text/plain", nil, "Accept"),
            ("application/json", "gzip", "Accept-Encoding"),
            ("text/plain", "GZIP, br", "Accept-Encoding"),
            ("application/json", "identity", nil), ("application/json", "", nil),
        ] as [(String?, String?, String?)]
    )
    func readable(type: String?, coding: String?, field: String?) throws {
        let allowed = [
            "Accept": "application/json, application/x-www-form-urlencoded",
            "Accept-Encoding": "identity",
        ]
        for way in Way.allCases {
            let log = TaskLog()
            var fields: [(FieldName, String)] = type.map { [(.contentType, $0)] } ?? []
            if let coding { fields.append((.contentEncoding, coding)) }
            let client = try Client(tasksIn: log, way)
            let answer = try client.ask(.post, "/tasks/1/-/finish", fields: fields, body: "{}")
            #expect(answer.status == (field == nil ? 200 : 415))
            for (name, value) in allowed {
                #expect(answer.field(name) == (name == field ? value : nil))
            }
            #expect(log.lines.isEmpty == (field != nil))
        }
    }
}
