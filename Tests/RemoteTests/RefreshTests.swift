import HTTP
import HTTPServer
import ListAPI
import Listings
import MemoryLists
import RemoteLists
import RosterProgram
import TestSupport
import Testing

@Suite("Asking for the rows of another service again")
struct RefreshTests {
    @Test("every state is shown by the page, in JSON and HTML, and by the refresh's own address")
    func states() async throws {
        let upstream = try Upstream(host: "127.0.0.10")
        let gate = Gate()
        let source = Cities.source(
            RemoteConfiguration(try upstream.address()),
            over: GatedTransport(gate, TestTransport.program.make())
        )
        let server = try Self.server(of: source)

        try expect(server, "idle", "\"reason\":\"noData\"", html: "Not fetched yet")
        #expect(try server.post("/cities/-/refresh").status == 202)
        try expect(server, "loading", "\"reason\":\"loading\"", html: "<h2>Loading</h2>")
        gate.open()
        #expect(await source.error() == .status(404, body: ""))
        try expect(
            server,
            "failed",
            "\"reason\":\"failed\"",
            html: "The rows could not be fetched",
            error: "{\"code\":\"refused\",\"detail\":\"The service that has the rows responds with "
                + "status 404.\"}"
        )
        upstream.answer("/", Cities.json([1]))
        #expect(await source.error() == nil)
        try expect(server, "loaded", "\"cells\":{\"name\":\"n1\"}", html: ">n1<")
        upstream.answer("/", "[{\"id\":")
        _ = await source.error()
        try expect(
            server,
            "failed",
            "\"stale\":true",
            html: "class=\"stale\"",
            isStale: true,
            error:
                "{\"code\":\"misunderstood\",\"detail\":\"The response of the service that has the "
                + "rows cannot be decoded.\"}"
        )
        upstream.answer("/", "[]")
        #expect(await source.error() == nil)
        try expect(server, "loaded", "\"reason\":\"noData\"", html: "says there are none")
        upstream.stop()
        _ = await source.error()
        try expect(
            server,
            "failed",
            "\"stale\":true",
            html: "class=\"stale\"",
            isStale: true,
            error: "{\"code\":\"unreachable\",\"detail\":\"The service that has the rows does not "
                + "respond.\"}"
        )
    }

    @Test("each state of a list without rows has an entity tag of its own")
    func tags() async throws {
        let upstream = try Upstream()
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        let server = try Self.server(of: source)
        var tags = [try server.get("/cities.json").field("etag")]
        _ = await source.error()
        tags.append(try server.get("/cities.json").field("etag"))
        upstream.answer("/", "[]")
        #expect(await source.error() == nil)
        tags.append(try server.get("/cities.json").field("etag"))
        #expect(Set(tags).count == 3)
        #expect(!tags.contains(nil))
    }

    @Test("asked for while one runs, no second refresh is begun")
    func oneAtATime() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1]))
        let gate = Gate()
        let source = Cities.source(
            RemoteConfiguration(try upstream.address()),
            over: GatedTransport(gate, TestTransport.program.make())
        )
        let server = try Self.server(of: source)
        for _ in 0..<5 {
            let response = try server.post("/cities/-/refresh")
            #expect(response.status == 202)
            #expect(response.text.contains("\"state\":\"loading\""))
        }
        let states = source.states()
        gate.open()
        for await state in states where state != .loading { break }
        #expect(source.snapshot.models.map(\.id) == [1])
        #expect(upstream.targets == ["/"])
    }

    @Test("asked for again too soon, the rows are not fetched again")
    func pause() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1]))
        var configuration = RemoteConfiguration(try upstream.address())
        configuration.limits.shortestPause = .seconds(3_600)
        let source = Cities.source(configuration)
        try await source.refresh()
        let server = try Self.server(of: source)
        for _ in 0..<3 {
            let response = try server.post("/cities/-/refresh")
            #expect(response.status == 202)
            #expect(response.text.contains("\"state\":\"loaded\""))
        }
        #expect(upstream.targets == ["/"])
        // Whoever embeds the source asks as often as he likes.
        try await source.refresh()
        #expect(upstream.targets.count == 2)
    }

    @Test("asked for again after a while, the rows are fetched again")
    func afterPause() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1]))
        var configuration = RemoteConfiguration(try upstream.address())
        configuration.limits.shortestPause = .zero
        let source = Cities.source(configuration)
        try await source.refresh()
        let server = try Self.server(of: source)
        // Twice the time that a refresh took has to pass.
        while upstream.targets.count < 3 {
            #expect(try server.post("/cities/-/refresh").status == 202)
            // Refreshing wants one of the few threads that tests run on.
            await Task.yield()
        }
    }

    @Test("a person is led back to the rows as they were looked at, and finds the button there")
    func person() async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json([1]))
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        try await source.refresh()
        let server = try Self.server(of: source)
        let page = try server.get("/cities.html?sort=-name").text
        let form = "<form method=\"post\" action=\"/cities/-/refresh?sort=-name\"><button"
        #expect(page.contains(form))
        let json = try server.get("/cities.json?sort=-name").text
        #expect(json.contains("\"refresh\":\"/cities/-/refresh?sort=-name\""))
        let response = try server.post("/cities/-/refresh?sort=-name", "Accept: text/html\r\n")
        #expect(response.status == 303)
        #expect(response.field("location") == "/cities?sort=-name")
    }

    @Test("what may not or cannot be asked for again is refused, and nothing is asked")
    func refusals() async throws {
        let upstream = try Upstream()
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        let server = try Self.server(of: source)
        for (target, fields, status) in [
            ("/cities/-/refresh", "Origin: http://evil.example\r\n", 403),
            ("/cities/-/refresh", "Sec-Fetch-Site: cross-site\r\n", 403),
            ("/cities/-/refresh?x=1", "", 400),
            ("/cities/-/refresh", "Accept: text/csv\r\n", 406),
            ("/own/-/refresh", "", 404),
            ("/nothing/-/refresh", "", 404),
        ] {
            #expect(try server.post(target, fields).status == status, "\(target) \(fields)")
        }
        #expect(try server.post("/cities/-/refresh", "", body: "x").status == 400)
        #expect(try server.get("/own/-/refresh").status == 404)
        let put = try server.send("PUT", "/cities/-/refresh")
        #expect(put.status == 405)
        #expect(put.field("allow") == "GET, HEAD, POST, OPTIONS")
        #expect(try server.send("DELETE", "/own/-/refresh").status == 404)
        #expect(try !server.get("/own.json").text.contains("refresh"))
        #expect(upstream.targets.isEmpty)
    }

    private static func server(of source: RemoteSource<City>) throws -> TestServer {
        let cities = try Cities.list(of: source)
        var registry = ControllerRegistry()
        let own = try MemorySource(
            models: [City(id: 1, name: "a")],
            using: registry.register(CityController()),
            schema: cities.schema,
            version: ListVersion(epoch: 1, counter: 1)
        )
        let lists = [
            ListDefinition("cities", source: cities), ListDefinition("own", source: own),
        ]
        return try TestServer(makeHandler: { _ in try APIHandler(lists, isDraining: { false }) })
    }

    private func expect(
        _ server: TestServer,
        _ state: String,
        _ json: String,
        html: String,
        isStale: Bool = false,
        error: String? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let list = try server.get("/cities.json").text
        #expect(list.contains(json), "\(list)", sourceLocation: location)
        #expect(list.contains("\"stale\"") == isStale, sourceLocation: location)
        let page = try server.get("/cities.html").text
        #expect(page.contains(html), "\(page)", sourceLocation: location)
        let own = try server.get("/cities/-/refresh").text
        let beginning = "{\"list\":\"cities\",\"state\":\"\(state)\",\"version\":"
        #expect(own.hasPrefix(beginning), "\(own)", sourceLocation: location)
        #expect(own.contains("\"stale\":\(isStale)"), "\(own)", sourceLocation: location)
        let isTold = error.map { own.contains("\"error\":\($0)") } ?? !own.contains("error")
        #expect(isTold, "\(own)", sourceLocation: location)
    }
}

extension TestServer {
    func send(
        _ method: String,
        _ target: String,
        _ fields: String = "",
        body: String = ""
    ) throws -> RawResponse {
        let client = try RawConnection(port: port, timeout: .seconds(60))
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        try client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(length)\(fields)\r\n\(body)"
        )
        return try client.receiveResponse()
    }

    func get(_ target: String) throws -> RawResponse { try send("GET", target) }

    func post(_ target: String, _ fields: String = "", body: String = "") throws -> RawResponse {
        try send("POST", target, fields, body: body)
    }
}
