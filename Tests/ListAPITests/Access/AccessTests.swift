import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import Testing

@testable import ListAPI

@Suite("Who may do what")
struct AccessTests {
    private static let scopes = [
        (name: "reader", scopes: "items:read"), (name: "writer", scopes: "*:write"),
        (name: "other", scopes: "books:read"), (name: "monitor", scopes: "operate"),
    ]

    private func lists() throws -> [ListDefinition] {
        [
            try .items(.numbered(7)), try .items(.numbered(3), list: "books"),
        ]
    }

    @Test(
        "everybody gets what their token says, and nobody more",
        arguments: [
            ("/items", [401, 200, 200, 404, 404]), ("/books", [401, 404, 200, 200, 404]),
            ("/items/item1", [401, 200, 200, 404, 404]), ("/", [401, 200, 200, 200, 200]),
            ("/items.csv", [401, 200, 200, 404, 404]), ("/none", [401, 404, 404, 404, 404]),
            ("/items/-/schema", [401, 200, 200, 404, 404]), ("/-/live", [200, 200, 200, 200, 200]),
            ("/-/problems/forbidden", [200, 200, 200, 200, 200]),
            ("/-/assets/none", [404, 404, 404, 404, 404]),
            ("/-/openapi.json", [401, 200, 200, 200, 200]),
            ("/-/docs", [401, 200, 200, 200, 200]),
            ("/-/docs/querying", [401, 200, 200, 200, 200]),
            ("/-/metrics", [401, 403, 403, 403, 200]), ("/-/lists", [401, 403, 403, 403, 200]),
        ] as [(String, [Int])]
    )
    func matrix(target: String, statuses: [Int]) throws {
        let client = try AuthorizedClient(try lists(), Self.scopes)
        let callers = [nil, "reader", "writer", "other", "monitor"]
        for (caller, status) in zip(callers, statuses) {
            let answer = try client.ask(.get, target, as: caller)
            #expect(answer.status == status, "\(target) as \(caller ?? "nobody")")
            let challenge = answer.field("WWW-Authenticate")
            #expect(challenge == (status == 401 ? "Bearer realm=\"roster\"" : nil))
            guard status == 401 || status == 403 else { continue }
            #expect(answer.mediaType == "application/problem+json" || target == "/items.csv")
            #expect(answer.field("Cache-Control") == "no-store")
        }
    }

    @Test("a page without a token tells people what they can do, and loads its style sheet")
    func signIn() throws {
        let client = try AuthorizedClient(try lists(), Self.scopes)
        let page = try client.ask(.get, "/items.html")
        #expect(page.status == 401)
        #expect(page.body.contains("The operator of this site can let you sign in."))
        #expect(!page.body.contains("Bearer"))
        #expect(try client.ask(.get, "/items.json").body.contains("send Authorization: Bearer"))
        let assets = (page.htmlValues(of: "href") + page.htmlValues(of: "src"))
            .filter { $0.hasPrefix("/-/assets/") }
        #expect(assets.count >= 2)
        for asset in assets {
            let wrong = [(FieldName.authorization, "Basic YTpi")]
            #expect(try client.ask(.get, asset).status == 200, "\(asset)")
            #expect(try client.ask(.get, asset, fields: wrong).status == 200, "\(asset)")
        }
    }

    @Test("a token that nobody has is refused, also where none is needed")
    func unknownTokens() throws {
        let open = AccessPolicy.Openness(reading: true)
        let client = try AuthorizedClient(try lists(), Self.scopes, openness: open)
        #expect(try client.ask(.get, "/items").status == 200)
        for value in [
            "Bearer nonsense", "Bearer", "Basic YTpi",
            "Bearer \(AuthorizedClient.token(of: "reader"))x",
            "Bearer " + String(repeating: "x", count: 4000),
        ] {
            let answer = try client.ask(.get, "/items", fields: [(.authorization, value)])
            #expect(answer.status == 401)
            #expect(answer.field("WWW-Authenticate")?.contains("invalid_token") == true)
            #expect(!answer.body.contains("nonsense"))
        }
        let small = [(FieldName.authorization, "bearer \(AuthorizedClient.token(of: "reader"))")]
        #expect(try client.ask(.get, "/items", fields: small).status == 200)
    }

    @Test("the directory names what who asks may read, and so do suggestions")
    func directory() throws {
        let client = try AuthorizedClient(try lists(), Self.scopes)
        func names(_ caller: String) throws -> [String?] {
            try client.ask(.get, "/", as: caller).json()["lists"]?.elements.map { $0["id"]?.text }
                ?? []
        }
        #expect(try names("reader") == ["items"])
        #expect(try names("writer") == ["items", "books"])
        #expect(try names("monitor") == [])
        #expect(try client.ask(.get, "/book", as: "reader").body.contains("books") == false)
        #expect(try client.ask(.get, "/book", as: "other").body.contains("books"))
    }

    @Test("what is shown to somebody with a name is theirs, and nobody else's")
    func privacy() throws {
        let open = AccessPolicy.Openness(reading: true)
        let people = try PeopleList.list()
        let scopes = [("north", PeopleList.northern), ("all", "people:read")]
        let client = try AuthorizedClient(people, scopes, openness: open)
        let mine = try client.ask(.get, "/people.json", as: "north")
        #expect(mine.field("Cache-Control") == "private, no-cache")
        let other = try client.ask(.get, "/people.json", as: "all")
        let nobody = try client.ask(.get, "/people.json")
        #expect(nobody.field("Cache-Control") == "no-cache")
        for answer in [mine, other, nobody] {
            #expect(answer.fields.contains { $0.name == "Vary" && $0.value == "Authorization" })
        }
        let tag = try #require(mine.field("ETag"))
        #expect(other.field("ETag") == nobody.field("ETag"))
        #expect(other.field("ETag") != tag)
        func again(_ caller: String?) throws -> Int {
            try client.ask(.get, "/people.json", as: caller, fields: [(.ifNoneMatch, tag)]).status
        }
        #expect(try again("north") == 304)
        #expect(try again("all") == 200)
        #expect(try again(nil) == 200)
    }

    @Test("writing needs a token that says so, and pages offer it to nobody else")
    func writing() throws {
        let scopes = [("reader", "people:read"), ("writer", "people:write")]
        let open = AccessPolicy.Openness(reading: true)
        let client = try AuthorizedClient(
            try PeopleList.list(),
            scopes,
            openness: open,
            writes: true
        )
        let row = #"{"id":999,"name":"Ada","city":"Oslo"}"#
        #expect(try client.ask(.post, "/people", json: row).status == 401)
        #expect(try client.ask(.post, "/people", as: "reader", json: row).status == 403)
        #expect(try client.ask(.delete, "/people/1", as: "reader").status == 403)
        #expect(try client.ask(.post, "/people/-/rows", as: "reader", json: "[]").status == 403)
        #expect(try client.ask(.post, "/people", as: "writer", json: row).status == 201)
        #expect(try client.ask(.delete, "/people/999", as: "writer").status == 204)
        for (caller, isOffered) in [(nil, false), ("reader", false), ("writer", true)] {
            let page = try client.ask(.get, "/people.html", as: caller).body
            #expect(page.contains("/people/-/new") == isOffered)
        }
    }

    @Test(
        "a list that a caller may not read is answered like one that does not exist",
        arguments: [
            (HTTPMethod.get, "/books"), (.get, "/books.csv"), (.get, "/books/"), (.get, "/books/1"),
            (.get, "/books/1/-/edit"), (.get, "/books/-/schema"),
            (.get, "/books/-/changes?since=x"),
            (.get, "/books?segment=x"), (.options, "/books"), (.options, "/books/1"),
            (.options, "/books/-/rows"), (.post, "/books"), (.post, "/books/-/rows"),
            (.post, "/books/-/import"), (.post, "/books/-/refresh"), (.put, "/books/1"),
            (.put, "/books"), (.patch, "/books/1"), (.delete, "/books/1"),
            (.post, "/books/1/-/delete"), (.post, "/books/1/-/lend"), (.get, "/books/1/-/cells/x"),
        ]
    )
    func hiddenLists(method: HTTPMethod, target: String) throws {
        let lists = try PeopleList.list() + PeopleList.list(named: "books")
        let client = try AuthorizedClient(
            lists,
            [("reader", "people:read"), ("owner", "*:write")],
            writes: true
        )
        let json = method.isReading || method == .options ? nil : "{}"
        func answer(_ target: String, as caller: String) throws -> (Int, [String], String) {
            let answer = try client.ask(method, target, as: caller, json: json)
            let fields = answer.fields.filter { $0.name != "X-Request-Id" }.map { "\($0)" }
            let body = answer.body.replacing("books", with: "boats")
            let lines = body.split { $0 == "," || $0.isNewline }
                .filter { !$0.contains("\"instance\"") && !$0.contains("Request req-") }
            return (answer.status, fields.sorted(), lines.joined(separator: ","))
        }
        let hidden = try answer(target, as: "reader")
        let missing = try answer(target.replacing("books", with: "boats"), as: "reader")
        #expect(hidden == missing)
        #expect(try answer(target, as: "owner") != missing)
    }

    @Test("the description tells each caller of the lists and operations it may use")
    func descriptions() throws {
        let lists = try PeopleList.list() + PeopleList.list(named: "books")
        let scopes = [
            ("reader", "people:read"), ("writer", "people:write"), ("owner", "*:write operate"),
        ]
        let client = try AuthorizedClient(lists, scopes, writes: true)
        func paths(_ caller: String) throws -> [String: [String]] {
            let document = try client.ask(.get, "/-/openapi.json", as: caller)
            #expect(document.body.contains("books") == (caller == "owner"), "\(caller)")
            let paths = try #require(document.json()["paths"])
            guard case .object(let members) = paths else { return [:] }
            return members.mapValues { path in
                guard case .object(let operations) = path else { return [] }
                return operations.keys.sorted()
            }
        }
        for _ in 1...2 {
            let reader = try paths("reader")
            #expect(reader["/people/{row}"] == ["get"])
            #expect(reader["/-/metrics"] == nil)
            #expect(try paths("writer")["/people/{row}"] == ["delete", "get", "patch", "put"])
            let owner = try paths("owner")
            #expect(owner["/books/{row}"] != nil && owner["/-/metrics"] != nil)
        }
        let schema = try client.ask(.get, "/people/-/schema", as: "reader")
        #expect(try schema.json()["writes"] == nil)
        #expect(try client.ask(.get, "/people/-/schema", as: "writer").json()["writes"] != nil)
    }

    @Test("each caller has idempotency keys of its own")
    func idempotencyKeys() throws {
        let client = try AuthorizedClient(
            try PeopleList.list(),
            [("a", "people:write"), ("b", "people:write")],
            writes: true
        )
        let key = [(FieldName.idempotencyKey, "k1")]
        let row = #"{"name":"Ada","city":"Oslo"}"#
        let first = try client.ask(.post, "/people", as: "a", fields: key, json: row)
        #expect(first.status == 201)
        let again = try client.ask(.post, "/people", as: "a", fields: key, json: row)
        #expect(again.field("Location") == first.field("Location"))
        let other = try client.ask(.post, "/people", as: "b", fields: key, json: row)
        #expect(other.status == 201 && other.field("Idempotent-Replayed") == nil)
        #expect(other.field("Location") != first.field("Location"))
    }

    @Test("the file is read anew while the service runs, and kept as it was where it is wrong")
    func reload() throws {
        let client = try AuthorizedClient(try lists(), [("a", "items:read")])
        #expect(try client.ask(.get, "/items", as: "a").status == 200)
        try client.change(to: [("b", "items:read")])
        #expect(try client.ask(.get, "/items", as: "a").status == 401)
        #expect(try client.ask(.get, "/items", as: "b").status == 200)
        try client.change(to: [("a", "items:sing")])
        #expect(try client.ask(.get, "/items", as: "b").status == 200)
    }

    @Test(
        "a line that is not understood is told by its place, without what may be a token",
        arguments: [
            ("a", "f:1: a line is NAME sha256:DIGEST SCOPE …; roster token NAME SCOPE makes one"),
            (
                "a roster_s3cret items:read",
                "f:1: no digest where one is expected; allowed: sha256:"
            ),
            ("a/b - items:read", "f:1: a name has 1 to 64 letters"),
            ("# x\n\na - items:sing", "f:3: 'items:sing' is no scope; allowed: LIST:read,"),
            ("a - items:write:size=1", "f:1: 'items:write:size=1' is no scope"),
            ("a - item:read", "f:1: no list 'item'; did you mean items?"),
            ("a - items:read\na - items:read", "f:2: 'a' is at f:1"),
            ("a - items:read:sise=1", "f:1: items: sise: No column or parameter 'sise'."),
            ("a - items:read:size=x", "f:1: items: size: "),
            (
                "a - items:read:size=1 items:read:size=2",
                "f:1: 'items:read:size=1' and 'items:read:size=2' contradict each other; write one"
            ),
            (
                "a - items:read:size=1 items:read items:write",
                "f:1: 'items:read:size=1' and 'items:read' contradict each other; write one, with"
            ),
            ("a - *:read *:read:size=1", "f:1: '*:read' and '*:read:size=1' contradict each"),
            ("a - items:read:size=%zz", "f:1: 'size=%zz' is not written as in an address"),
            ("a - items:read:q=x", "f:1: words to search for are no condition"),
            ("a - books:read", "f:1: no list 'books'"),
            (
                (0...1000).map { "a\($0) - items:read\n" }.joined(),
                "f:1001: more than 1000 tokens"
            ),
        ] as [(String, String)]
    )
    func refused(text: String, reason: String) throws {
        let lists = [try ListDefinition.items(.numbered(3))]
        do {
            _ = try AccessPolicy(
                try AccessCredential.read(text, of: "f"),
                lists,
                AccessPolicy.Openness()
            )
            Issue.record("understood")
        } catch {
            #expect(error.text.hasPrefix(reason), "\(error.text)")
            #expect(error.code == .configuration)
            #expect(!error.text.contains("s3cret"))
        }
    }

    @Test("rows below rows, and lists under one address, are not given by conditions")
    func undivided() throws {
        let segments = try Segments(
            .init("open", source: MemorySource.items(.numbered(3))),
            .init("gone", source: MemorySource.items(.numbered(2)))
        )
        let lists = [ListDefinition("items", segments: segments), try OutlineTests.list()]
        for name in lists.map(\.name) {
            #expect(throws: Failure.self) {
                _ = try AuthorizedClient(lists, [("some", "\(name):read:size=1")])
            }
            let client = try AuthorizedClient(lists, [("some", "\(name):read")])
            #expect(try client.ask(.get, "/\(name)", as: "some").status == 200)
        }
    }

    @Test("what a browser asks before a page may send a token needs none, and neither do probes")
    func withoutToken() throws {
        var settings = Middleware.Settings()
        settings.crossOrigin = .any
        let client = try AuthorizedClient(try lists(), Self.scopes, settings: settings)
        let origin = (FieldName.origin, "https://app.example")
        let wish = (FieldName("access-control-request-method"), "PUT")
        let preflight = try client.ask(.options, "/items/item1", fields: [origin, wish])
        #expect(preflight.status == 204)
        #expect(preflight.field("Access-Control-Allow-Headers")?.contains("Authorization") == true)
        #expect(try client.ask(.options, "/items/item1", fields: [origin]).status == 401)
        let wrong = [(FieldName.authorization, "Bearer nonsense")]
        #expect(try client.ask(.get, "/-/live", fields: wrong).status == 200)
        #expect(try client.ask(.get, "/-/openapi.json", fields: wrong).status == 401)
    }

    @Test("rows of somebody else are asked for again by who may write, and by nobody else")
    func refreshing() throws {
        let source = FetchedSource(base: try MemorySource.items(.numbered(3)))
        let client = try AuthorizedClient(
            [ListDefinition("items", source: source)],
            [("reader", "items:read"), ("writer", "items:write")]
        )
        for (caller, status) in [(nil, 401), ("reader", 403), ("writer", 202)] {
            #expect(source.refreshCount == 0)
            #expect(try client.ask(.post, "/items/-/refresh", as: caller).status == status)
        }
        for (caller, isOffered) in [("reader", false), ("writer", true), ("reader", false)] {
            let json = try client.ask(.get, "/items.json", as: caller).json()
            #expect((json.link("refresh") != nil) == isOffered)
            let page = try client.ask(.get, "/items.html", as: caller).body
            #expect(page.contains("/items/-/refresh") == isOffered)
        }
        #expect(source.refreshCount == 1)
        #expect(try client.ask(.get, "/items/-/refresh", as: "reader").status == 200)
    }

    @Test("actions are offered to those who may perform them")
    func actions() throws {
        let log = TaskLog()
        let client = try AuthorizedClient(
            [try .tasks(in: log)],
            [
                ("reader", "tasks:read"), ("some", "tasks:read:owner=ada"),
                ("writer", "tasks:write"),
            ]
        )
        for caller in ["reader", "writer", "some", "reader", "writer"] {
            let mayWrite = caller == "writer"
            for target in [
                "/tasks.json", "/tasks.html", "/tasks/1.json", "/tasks/1.html",
                "/tasks.html?layout=grid",
            ] {
                let body = try client.ask(.get, target, as: caller).body
                let comment = Comment("\(target) as \(caller)")
                #expect(body.contains("/tasks/1/-/finish") == mayWrite, comment)
                #expect(
                    body.contains("id=\"act\"") == (mayWrite && target == "/tasks.html"),
                    comment
                )
                #expect(body.contains("/tasks/1/-/open"), comment)
            }
            let finish = try client.ask(.post, "/tasks/1/-/finish", as: caller)
            #expect(finish.status == (mayWrite ? 200 : 403))
        }
        #expect(log.lines.count == 2)
        for target in ["/tasks.json", "/tasks.html", "/tasks/1.json"] {
            let tag = try #require(try client.ask(.get, target, as: "writer").field("ETag"))
            let held = [(FieldName.ifNoneMatch, tag)]
            #expect(try client.ask(.get, target, as: "writer", fields: held).status == 304)
            #expect(try client.ask(.get, target, as: "reader", fields: held).status == 200)
        }
    }

    @Test("a digest is what sha256sum says, and reads back")
    func digests() throws {
        let digest = TokenDigest(of: "abc")
        let text = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(digest.text == text)
        #expect(TokenDigest(text: text) == digest)
        #expect(digest.matches(digest))
        #expect(!digest.matches(TokenDigest(of: "abd")))
        let both = "ann \(text) items:read\nbob - items:read"
        let table = try AccessPolicy(try AccessCredential.read(both, of: "f"), try lists(), .init())
        #expect(table.caller(with: "abc")?.name == "ann")
        // Who has no digest has no token, whatever is sent.
        for token in ["-", "", "abd"] { #expect(table.caller(with: token) == nil) }
        #expect(table.user(named: "bob")?.name == "bob")
        #expect(table.user(named: "ann") == nil && table.user(named: "-") == nil)
        for wrong in ["", "sha256:", text + "0", String(text.dropLast()), "x" + text] {
            #expect(TokenDigest(text: wrong) == nil)
        }
    }

    @Test("the description says that a token is asked for, and how it is refused")
    func description() throws {
        let client = try AuthorizedClient(try lists(), Self.scopes)
        let document = try client.ask(.get, "/-/openapi.json", as: "reader").json()
        let scheme = document["components", "securitySchemes", "token"]
        #expect(scheme?["scheme"]?.text == "bearer")
        let list = document["paths", "/items", "get"]
        #expect(list?["security"]?.elements.count == 1)
        #expect(list?["responses", "401"] != nil && list?["responses", "403"] != nil)
        #expect(document["paths", "/-/live", "get", "security"]?.elements == [])
        #expect(document["paths", "/-/live", "get", "responses", "401"] == nil)
        let open = AccessPolicy.Openness(reading: true)
        let other = try AuthorizedClient(try lists(), Self.scopes, openness: open)
            .ask(.get, "/-/openapi.json").json()
        #expect(other["paths", "/items", "get", "security"]?.elements.count == 2)
    }
}
