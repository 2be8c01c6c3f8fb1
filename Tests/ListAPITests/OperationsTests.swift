import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import Synchronization
import TestSupport
import Testing

@Suite("Methods, probes and files of the service")
struct OperationsTests {
    private static let resources = [
        "/", "/.html", "/users", "/users.csv", "/users?limit=5", "/users/3", "/users/3.html",
        "/users/-/sections", "/users/-/sections/Writer", "/users/-/schema", "/-/live", "/-/ready",
        "/-/version", "/-/problems/not-found",
    ]

    @Test("HEAD is GET without the body", arguments: Self.resources + ["/users/0", "/nothing"])
    func head(target: String) throws {
        let client = try Client(samples: .throughServer)
        let whole = try client.get(target)
        let head = try client.ask(.head, target)
        #expect(head.status == whole.status)
        #expect(head.body == "")
        // A streamed answer has no length beforehand, and its head says so or nothing.
        let names = ["Date", "Transfer-Encoding", "Content-Length", "Server-Timing"]
        func fields(_ answer: Answer) -> [String] {
            answer.fields.filter { !names.contains($0.name) }.map { "\($0.name): \($0.value)" }
        }
        #expect(fields(head) == fields(whole))
        if whole.status == 200, let length = head.field("Content-Length") {
            #expect(length == "\(whole.body.utf8.count)")
        }
    }

    @Test("OPTIONS says what is allowed, whether or not there is such a row")
    func options() throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            for target in Self.resources + ["/users/0"] {
                let answer = try client.ask(.options, target)
                #expect(answer.status == 204)
                #expect(answer.field("Allow") == "GET, HEAD, OPTIONS")
                #expect(answer.body == "")
            }
            #expect(try client.ask(.options, "/a/b/c/d").status == 404)
        }
    }

    @Test(
        "other methods are not allowed, in the format the client reads",
        arguments: [HTTPMethod.post, .put, .patch, .delete]
    )
    func methodNotAllowed(method: HTTPMethod) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            for target in Self.resources {
                let answer = try client.ask(method, target)
                #expect(answer.status == 405)
                #expect(answer.field("Allow") == "GET, HEAD, OPTIONS")
                let details = [
                    "\(method.name) is not possible here.", "The list 'users' is read-only.",
                    "Lists are made where writes are permitted",
                ]
                #expect(details.contains { answer.body.contains($0) }, "\(target)")
                guard answer.mediaType == "application/problem+json" else { continue }
                let problem = try answer.json()
                #expect(problem["type"]?.text == "/-/problems/method-not-allowed")
                #expect(problem["status"]?.integer == 405)
            }
            let page = try client.ask(method, "/users", fields: [(.accept, "text/html")])
            #expect(page.status == 405)
            #expect(page.mediaType == "text/html")
            #expect(try client.ask(method, "/a/b/c/d").status == 404)
        }
    }

    @Test("the probes tell a live service from one that is about to stop")
    func probes() throws {
        let draining = Flag()
        for way in Way.allCases {
            draining.value.store(false, ordering: .sequentiallyConsistent)
            let client = try Client(
                [try ListDefinition.sampleUsers()],
                way,
                isDraining: { draining.value.load(ordering: .sequentiallyConsistent) }
            )
            for (target, status, body) in [
                ("/-/live", 200, "live\n"), ("/-/ready", 200, "ready\n"),
            ] {
                try expectProbe(client, target, status, body)
            }
            draining.value.store(true, ordering: .sequentiallyConsistent)
            try expectProbe(client, "/-/live", 200, "live\n")
            try expectProbe(client, "/-/ready", 503, "draining\n")
            #expect(try client.get("/users").status == 200)
        }
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    private func expectProbe(
        _ client: Client,
        _ target: String,
        _ status: Int,
        _ body: String
    ) throws {
        let answer = try client.get(target, accept: "image/png")
        #expect(answer.status == status)
        #expect(answer.body.hasPrefix(body))
        #expect(answer.field("Content-Type") == "text/plain; charset=utf-8")
        #expect(answer.field("Cache-Control") == "no-store")
    }

    @Test("the version is the program's", arguments: Way.allCases)
    func version(way: Way) throws {
        let answer = try Client(samples: way).get("/-/version")
        #expect(answer.body == "\(RosterVersion.current)\n")
        #expect(answer.field("Content-Type") == "text/plain; charset=utf-8")
    }

    @Test("the schema names what may be asked of a list", arguments: Way.allCases)
    func schema(way: Way) throws {
        let client = try Client([try ListDefinition.items(.numbered(7))], way)
        let schema = try client.get("/items/-/schema").json()
        #expect(schema["list", "id"]?.text == "items")
        #expect(schema["id", "type"]?.text == "text")
        let columns = schema["columns"]?.elements ?? []
        #expect(columns.map { $0["id"]?.text } == ["title", "shelf", "size", "note"])
        #expect(columns.map { $0["type"]?.text } == ["text", "text", "integer", "text"])
        #expect(columns.map { $0["sortable"] == .boolean(true) } == [true, true, true, false])
        #expect(columns.map { $0["groupable"] == .boolean(true) } == [false, true, true, false])
        let parameters = schema["parameters"]?.elements ?? []
        #expect(
            parameters.map { $0["name"]?.text } == [
                "limit", "after", "before", "page", "offset", "around", "sort", "columns", "group",
                "section", "per_section", "or", "not", "{column}__{operator}", "q", "count", "sum",
                "avg", "min", "max", "filled", "statistics", "facets", "jump", "layout",
                "collapsed",
                "bom", "shape", "pretty",
            ]
        )
        #expect(parameters[0]["default"]?.text == "50")
        #expect(parameters[0]["maximum"]?.integer == 500)
        #expect(parameters[6]["default"]?.text == "id")
        #expect(parameters[8]["default"]?.text == "shelf")
        for name in [
            "limit", "page", "sort", "group", "per_section", "columns", "q", "count", "facets",
        ] {
            let parameter = parameters.first { $0["name"]?.text == name }
            let example = try #require(parameter?["example"]?.text)
            #expect(try client.get("/items?\(name)=\(example)").status == 200, "\(name)")
        }
    }
}
