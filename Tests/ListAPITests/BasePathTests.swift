import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport
import Testing

@testable import ListAPI

@Suite("A service below a base path")
struct BasePathTests {
    private static func middleware(
        _ lists: [ListDefinition]? = nil,
        below basePath: String? = nil,
        hosts: String? = nil
    ) throws -> Middleware {
        var settings = Middleware.Settings()
        settings.trustedProxies = try TrustedProxies("10.0.0.7")
        if let basePath { settings.basePath = try #require(BasePath(basePath)) }
        if let hosts { settings.allowedHosts = AllowedHosts(hosts) }
        var options = ServiceOptions()
        options.pageCacheBytes = 1 << 20
        let lists = try lists ?? [try ListDefinition.sampleUsers()]
        let service = try APIHandler(lists, options: options, isDraining: { false })
        return Middleware(service, settings)
    }

    /// What stands before the directory in an answer.
    private func base(
        _ middleware: Middleware,
        _ target: String = "/users?limit=1",
        from peer: String = "10.0.0.7",
        prefix: String? = nil
    ) throws -> String? {
        middleware.peer = HTTPPeer(address: peer)
        let fields = prefix.map { [(FieldName("x-forwarded-prefix"), $0)] } ?? []
        let seen = try MiddlewareTests.ask(middleware, target, fields)
        #expect(seen.status == 200, "\(seen.text)")
        let link = try #require(seen.fields["link"]?.firstMatch(of: /<([^>]*)\/users[^>]*>/)).1
        #expect(seen.text.contains("\"self\":\"\(link)/users/"))
        return String(link)
    }

    @Test("one gateway links below the prefix of each request, also where it keeps pages")
    func prefixes() throws {
        let middleware = try Self.middleware(below: "/lists")
        for _ in 0..<3 {
            #expect(try base(middleware) == "/lists")
            #expect(try base(middleware, prefix: "/a") == "/a")
            #expect(try base(middleware, prefix: "/b/c/") == "/b/c")
            #expect(try base(middleware, prefix: "/") == "")
            #expect(try base(middleware, from: "10.0.0.8", prefix: "/a") == "/lists")
            #expect(try base(middleware, "/lists/users?limit=1") == "/lists")
            #expect(try base(middleware, "/lists/users?limit=1", prefix: "/lists") == "/lists")
        }
        #expect(middleware.cachedResponses > 0)
        let plain = try Self.middleware()
        for _ in 0..<3 {
            #expect(try base(plain) == "")
            #expect(try base(plain, prefix: "/a") == "/a")
            #expect(try base(plain, from: "10.0.0.8", prefix: "/a") == "")
        }
    }

    @Test("a prefix is removed from the path by the setting, and by a proxy before")
    func stripping() throws {
        let middleware = try Self.middleware(below: "/users")
        middleware.peer = HTTPPeer(address: "10.0.0.7")
        let field = FieldName("x-forwarded-prefix")
        // Of a list that is called as the prefix, the proxy has left the name.
        #expect(
            try MiddlewareTests.ask(middleware, "/users", [(field, "/other")]).text.contains("rows")
        )
        #expect(try MiddlewareTests.ask(middleware, "/users").text.contains("\"lists\":["))
        #expect(try MiddlewareTests.ask(middleware, "/users/users").text.contains("rows"))
        #expect(try MiddlewareTests.ask(middleware, "/other/users").status == 404)
    }

    @Test(
        "what a trusted proxy says and cannot be read is refused, from others it means nothing",
        arguments: [
            ("x-forwarded-prefix", "//evil.example", "X-Forwarded-Prefix"),
            ("x-forwarded-prefix", "/a/../b", "X-Forwarded-Prefix"),
            ("x-forwarded-prefix", "/\"><script>", "X-Forwarded-Prefix"),
            ("x-forwarded-prefix", "", "X-Forwarded-Prefix"),
            ("x-forwarded-host", "a b", "X-Forwarded-Host"),
            ("x-forwarded-proto", "ftp", "X-Forwarded-Proto"),
            ("forwarded", "for=[::1]", "Forwarded"),
            ("forwarded", "host=\"a/b\"", "host of Forwarded"),
            ("forwarded", "proto=gopher", "proto of Forwarded"),
        ]
    )
    func unreadable(name: String, value: String, told: String) throws {
        let middleware = try Self.middleware(below: "/lists")
        middleware.peer = HTTPPeer(address: "10.0.0.7")
        let refused = try MiddlewareTests.ask(middleware, "/users", [(FieldName(name), value)])
        #expect(refused.status == 400)
        #expect(refused.text.contains("\"detail\":\"\(told), as the proxy sent it, is not "))
        #expect(refused.text.contains("\"type\":\"/lists/-/problems/malformed-request\""))
        let post = try HTTPRequest(.post, "/users", fields: [(FieldName(name), value)])
        var response = HTTPResponse()
        guard case .respond = try middleware.admitBody(of: post, with: &response) else {
            Issue.record("its body is read")
            return
        }
        #expect(response.status == .badRequest)
        middleware.peer = HTTPPeer(address: "10.0.0.8")
        #expect(
            try MiddlewareTests.ask(middleware, "/users", [(FieldName(name), value)]).status == 200
        )
    }

    @Test("paths that a row controller gives are below the base path, other addresses are not")
    func controllers() throws {
        var registry = ControllerRegistry()
        let controller = ClosureController<Task>(columns: [column("title", \.title)])
        var events = RowEvents<Task>.logged(TaskLog())
        events.link = { $0.model.id == "1" ? "/other/1?a=b" : "https://b.example/" }
        let source = try MemorySource(
            models: ["1", "2"].map { Task(id: $0, title: "Task \($0)", owner: "ada") },
            using: registry.register(controller, on: events),
            schema: ListSchema(columns: controller.columns),
            version: ListVersion(epoch: 1, counter: 1)
        )
        let middleware = try Self.middleware(
            [ListDefinition("tasks", source: source)],
            below: "/lists"
        )
        let json = try MiddlewareTests.ask(middleware, "/tasks").text
        #expect(json.contains("\"open\":\"/lists/other/1?a=b\""))
        #expect(json.contains("\"open\":\"https://b.example/\""))
        #expect(json.contains("\"href\":\"/lists/tasks/1/-/show\""))
        let page = try MiddlewareTests.ask(middleware, "/tasks.html").text
        #expect(page.contains("<a dir=\"auto\" href=\"/lists/other/1?a=b\">"))
        #expect(page.contains("<a dir=\"auto\" href=\"https://b.example/\">"))
        let done = try MiddlewareTests.ask(middleware, "/tasks/1/-/show", method: .post)
        #expect(done.text.contains("\"location\":\"/lists/tasks/1\""))
        let accept: [(FieldName, String)] = [(.accept, "text/html")]
        let shown = try MiddlewareTests.ask(middleware, "/tasks/1/-/show", accept, method: .post)
        #expect(shown.status == 303)
        #expect(shown.fields["location"] == "/lists/tasks/1")
    }

    @Test("the host that a trusted proxy names must be allowed, and is the page's own")
    func hosts() throws {
        let middleware = try Self.middleware(hosts: "lists.example")
        func status(
            _ fields: [(FieldName, String)],
            from peer: String = "10.0.0.7"
        ) throws -> Int {
            middleware.peer = HTTPPeer(address: peer)
            let host: (FieldName, String) = (.host, "127.0.0.1:8080")
            return try MiddlewareTests.ask(middleware, "/users?limit=1", [host] + fields).status
        }
        for _ in 0..<2 {
            #expect(try status([("x-forwarded-host", "lists.example")]) == 200)
            #expect(try status([("x-forwarded-host", "evil.example, lists.example:8443")]) == 200)
            #expect(try status([("forwarded", "for=192.0.2.1;host=lists.example")]) == 200)
            #expect(try status([("x-forwarded-host", "lists.example, evil.example")]) == 421)
            #expect(try status([("forwarded", "host=evil.example")]) == 421)
            #expect(try status([("x-forwarded-host", "lists.example")], from: "10.0.0.8") == 421)
            #expect(try status([]) == 421)
        }
    }

    @Test("a form is this service's own by the host and the scheme that the client sees")
    func origins() throws {
        func isForeign(_ origin: String, host: String?, scheme: String?) throws -> Bool {
            var external = ExternalAddress()
            external.authority = host
            external.scheme = scheme
            let fields: [(FieldName, String)] = [(.host, "10.0.0.1:8080"), (.origin, origin)]
            let request = try HTTPRequest(.post, "/users", fields: fields)
            return RequestOrigin.isForeign(request.addressed(at: external))
        }
        let lists = "lists.example"
        #expect(try !isForeign("https://lists.example", host: lists, scheme: "https"))
        #expect(try !isForeign("https://lists.example", host: lists, scheme: nil))
        #expect(try isForeign("http://lists.example", host: lists, scheme: "https"))
        #expect(try isForeign("https://evil.example", host: lists, scheme: "https"))
        #expect(try isForeign("https://lists.example", host: nil, scheme: "https"))
    }
}
