import HTTP
import Testing

@Suite("Router")
struct RouterTests {
    private static func router() throws -> Router<String> {
        var router = Router<String>()
        try router.register(.get, "/", "lists")
        try router.register(.get, "/-/live", "live")
        try router.register(.get, "/{list}", "list")
        try router.register(.post, "/{list}", "create")
        try router.register(.get, "/{list}/{id}", "row")
        try router.register(.put, "/{list}/{id}", "replace")
        try router.register(.delete, "/{list}/{id}", "remove")
        try router.register(.get, "/{list}/-/sections", "sections")
        try router.register(.get, "/{list}/-/sections/{id}", "section")
        try router.register(.post, "/{list}/{id}/-/{action}", "action")
        return router
    }

    private static func describe(_ match: Router<String>.Match) -> String {
        switch match {
        case .found(let route, let captures):
            ([route] + (0..<captures.count).map { captures[$0] }).joined(separator: " ")
        case .options(let allow):
            "options " + allow.map(\.name).joined(separator: ",")
        case .methodNotAllowed(let allow):
            "405 " + allow.map(\.name).joined(separator: ",")
        case .notFound:
            "404"
        }
    }

    static let lookups: [(HTTPMethod, String, String)] = [
        (.get, "/", "lists"),
        (.get, "/-/live", "live"),
        (.get, "/users", "list users"),
        (.get, "/%75sers", "list users"),
        (.get, "/users?a=b", "list users"),
        (.get, "/us%2Fers", "list us/ers"),
        (.get, "/users/19", "row users 19"),
        (.get, "/users/a/../19", "row users 19"),
        (.get, "/users/-/sections", "sections users"),
        (.get, "/users/-/sections/Sales%2FEast", "section users Sales/East"),
        (.post, "/users/19/-/deactivate", "action users 19 deactivate"),
        // The literal leads nowhere here, so the capture is taken.
        (.get, "/-/ready", "row - ready"),
        (.post, "/users/-/-/x", "action users - x"),
        (.head, "/users", "list users"),
        (.get, "/users/", "404"),
        (.get, "//", "404"),
        (.get, "/users//", "404"),
        (.get, "/users/19/-", "404"),
        (.get, "/users/19/-/deactivate/now", "404"),
        (.options, "/nowhere/at/all", "404"),
        (.put, "/users", "405 GET,HEAD,POST,OPTIONS"),
        (.trace, "/users", "405 GET,HEAD,POST,OPTIONS"),
        (.get, "/users/19/-/deactivate", "405 POST,OPTIONS"),
        (.head, "/users/19/-/deactivate", "405 POST,OPTIONS"),
        (.post, "/-/live", "405 GET,HEAD,OPTIONS"),
        (.options, "/users/19", "options GET,HEAD,PUT,DELETE,OPTIONS"),
        (.options, "*", "options GET,HEAD,POST,PUT,DELETE,OPTIONS"),
    ]

    @Test("a request finds its route, its allowed methods or nothing", arguments: lookups)
    func lookup(method: HTTPMethod, target: String, expected: String) throws {
        let request = try HTTPRequest(method, target)
        let match = try Self.router().match(request.method, request.path)
        #expect(Self.describe(match) == expected)
    }

    @Test("a path over the limits leads nowhere")
    func pathLimits() throws {
        var router = Router<String>()
        let pattern = String(repeating: "/{a}", count: 1)
        try router.register(.get, pattern, "one")
        let long = try HTTPRequest(.get, "/" + String(repeating: "a", count: 5000))
        #expect(router.match(.get, long.path) == .notFound)
    }

    @Test("captures are found by name")
    func names() throws {
        let request = try HTTPRequest(.get, "/users/-/sections/admin")
        let match = try Self.router().match(.get, request.path)
        guard case .found(_, let captures) = match else {
            Issue.record("\(match)")
            return
        }
        #expect(captures["list"] == "users")
        #expect(captures["id"] == "admin")
    }

    @Test("asking for a capture the pattern does not have is a mistake of the caller")
    func unknownName() async {
        await #expect(processExitsWith: .failure) {
            let request = try HTTPRequest(.get, "/users")
            var router = Router<Int>()
            try router.register(.get, "/{list}", 1)
            if case .found(_, let captures) = router.match(.get, request.path) {
                _ = captures["id"]
            }
        }
    }

    @Test("a literal is tried first, whatever was registered first")
    func precedence() throws {
        var router = Router<String>()
        try router.register(.get, "/{list}/{id}", "row")
        try router.register(.get, "/users/{id}", "user")
        try router.register(.get, "/{list}/new", "form")
        try router.register(.get, "/users/x/y", "deep")
        let expected = [
            "/users/new": "user new", "/cars/new": "form cars", "/cars/1": "row cars 1",
            "/users/x": "user x", "/users/x/y": "deep",
        ]
        for (target, match) in expected {
            let request = try HTTPRequest(.get, target)
            #expect(Self.describe(router.match(.get, request.path)) == match)
        }
    }

    static let refused: [(HTTPMethod, String, RoutingError)] = [
        (.get, "users", .patternWithoutSlash("users")),
        (.get, "", .patternWithoutSlash("")),
        (.get, "/{}", .malformedCapture("/{}")),
        (.get, "/{a", .malformedCapture("/{a")),
        (.get, "/a}", .malformedCapture("/a}")),
        (.get, "/x{a}", .malformedCapture("/x{a}")),
        (.get, "/{a}x", .malformedCapture("/{a}x")),
        (.get, "/{a b}", .malformedCapture("/{a b}")),
        (.get, "/{{a}}", .malformedCapture("/{{a}}")),
        (.get, "/{a}/{a}", .repeatedCapture(name: "a", pattern: "/{a}/{a}")),
        (.get, "/a/../b", .unreachableSegment("/a/../b")),
        (.get, "/.", .unreachableSegment("/.")),
        (.get, "/-/live", .duplicate(method: .get, pattern: "/-/live", registered: "/-/live")),
        (.get, "/{name}", .duplicate(method: .get, pattern: "/{name}", registered: "/{list}")),
        (.head, "/x", .methodIsNotRouted(method: .head, pattern: "/x")),
        (.options, "/x", .methodIsNotRouted(method: .options, pattern: "/x")),
        (.trace, "/x", .methodIsNotRouted(method: .trace, pattern: "/x")),
        (.connect, "/x", .methodIsNotRouted(method: .connect, pattern: "/x")),
    ]

    @Test("a malformed or duplicate pattern is refused at registration", arguments: refused)
    func refusal(method: HTTPMethod, pattern: String, error: RoutingError) throws {
        var router = try Self.router()
        #expect(throws: error) { try router.register(method, pattern, "again") }
        let request = try HTTPRequest(.get, "/users")
        #expect(Self.describe(router.match(.get, request.path)) == "list users")
    }

    @Test("a router without routes finds nothing")
    func empty() throws {
        let request = try HTTPRequest(.get, "/")
        #expect(Router<Int>().match(.get, request.path) == .notFound)
    }
}
