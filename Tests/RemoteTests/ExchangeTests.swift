import HTTP
import RemoteCodable
import RemoteCurl
import RemoteLists
import System
import TestSupport
import Testing

@Suite("Requests to other services and their answers")
struct ExchangeTests {
    @Test(
        "what endpoint and configuration say is sent, and nothing else",
        arguments: TestTransport.allCases
    )
    func requestIsSent(_ transport: TestTransport) async throws {
        let upstream = try Upstream()
        upstream.answer("/api/cities?limit=2&a%20b=c%26d", Cities.json([1]))
        let key = try RemoteField("X-Key", "k1")
        let configuration = RemoteConfiguration(
            try upstream.address("/api?limit=2"),
            fields: [try RemoteField("Authorization", "Bearer t"), key]
        )
        let endpoint = Endpoint(
            "cities",
            query: [Endpoint.QueryItem("a b", "c&d")],
            fields: [try RemoteField("x-key", "k2")]
        )
        let source = Cities.source(configuration, endpoint, over: transport.make())
        try await source.refresh()
        #expect(source.snapshot.models == [City(id: 1, name: "n1")])
        #expect(upstream.lastFields["authorization"] == "Bearer t")
        #expect(upstream.lastFields["x-key"] == "k2")
        #expect(upstream.lastFields["accept"]?.hasPrefix("application/json") == true)
        #expect(upstream.lastFields["cookie"] == nil)
    }

    @Test("a body is sent, and no cookie comes back", arguments: TestTransport.allCases)
    func bodyAndCookies(_ transport: TestTransport) async throws {
        let upstream = try Upstream()
        var answer = Upstream.Answer.json("[]")
        answer.fields.append(("set-cookie", "a=b; Path=/"))
        upstream.answer("/search", answer)
        var endpoint = Endpoint("search")
        endpoint.method = .post
        endpoint.body = Array("{\"q\":1}".utf8)
        let source = Cities.source(
            RemoteConfiguration(try upstream.address()),
            endpoint,
            over: transport.make()
        )
        try await source.refresh()
        try await source.refresh()
        #expect(upstream.lastBody == endpoint.body)
        #expect(upstream.lastFields["cookie"] == nil)
    }

    @Test(
        "a field that would change the request is refused",
        arguments: [
            ("a b", "c"), ("", "c"), ("X-A", "b\r\nEvil: 1"), ("Host", "other"),
            ("Content-Length", "0"), ("transfer-encoding", "chunked"),
        ]
    )
    func fieldIsRefused(name: String, value: String) {
        #expect(throws: RemoteError.invalidField(name)) { try RemoteField(name, value) }
    }

    @Test(
        "a status that is no success is the error, with the beginning of its body",
        arguments: [(HTTPStatus.notFound, 404), (.internalServerError, 500), (.notModified, 304)]
    )
    func statusIsTheError(status: HTTPStatus, code: Int) async throws {
        let upstream = try Upstream()
        upstream.answer("/", .status(status, String(repeating: "x", count: 5_000)))
        let error = await Cities.source(RemoteConfiguration(try upstream.address())).error()
        let body = status == .notModified ? "" : String(repeating: "x", count: 2_048)
        #expect(error == .status(code, body: body))
    }

    @Test("a refusal that repeats what it was sent is kept without it")
    func repeatedSecret() async throws {
        let upstream = try Upstream()
        upstream.answer("/", .status(.unauthorized, "Bearer s3cret? s3cret is no token"))
        let configuration = RemoteConfiguration(
            try upstream.address(),
            fields: [try RemoteField("Authorization", "Bearer s3cret")]
        )
        let error = await Cities.source(configuration).error()
        #expect(error == .status(401, body: "***? *** is no token"))
    }

    @Test("redirects are followed on one host", arguments: [HTTPStatus.found, .permanentRedirect])
    func redirectIsFollowed(status: HTTPStatus) async throws {
        let upstream = try Upstream()
        upstream.answer("/old/a", .redirect(to: "../new?x=1", status))
        upstream.answer("/new?x=1", Cities.json([1]))
        let source = Cities.source(RemoteConfiguration(try upstream.address("/old/a")))
        try await source.refresh()
        #expect(upstream.targets == ["/old/a", "/new?x=1"])
    }

    @Test("a redirect to another host, port or scheme is refused before it is asked")
    func redirectElsewhereIsRefused() async throws {
        let upstream = try Upstream()
        let other = try Upstream()
        let targets = [
            try other.address("/secret").description, "http://169.254.169.254/latest/meta-data",
            "//localhost:\(upstream.port)/",
        ]
        for target in targets {
            upstream.answer("/", .redirect(to: target, .found))
            let error = await Cities.source(RemoteConfiguration(try upstream.address())).error()
            let resolved = try upstream.address().resolving(target)
            #expect(error == .refusedAddress(resolved.description))
        }
        upstream.answer("/", .redirect(to: "file:///etc/passwd", .found))
        let error = await Cities.source(RemoteConfiguration(try upstream.address())).error()
        #expect(error == .invalidAddress("file:///etc/passwd"))
        #expect(other.targets.isEmpty)
    }

    @Test("a redirect to another host, where it is allowed, takes no field along")
    func redirectAnywhere() async throws {
        let upstream = try Upstream()
        let other = try Upstream()
        upstream.answer("/", .redirect(to: try other.address("/x").description, .seeOther))
        other.answer("/x", Cities.json([1]))
        var configuration = RemoteConfiguration(
            try upstream.address(),
            fields: [try RemoteField("Authorization", "Bearer t")]
        )
        configuration.reach = .anyHost
        try await Cities.source(configuration).refresh()
        #expect(other.targets == ["/x"])
        #expect(other.lastFields["authorization"] == nil)
        #expect(upstream.lastFields["authorization"] == "Bearer t")
    }

    @Test("nor do the pages behind it, which that host has")
    func pagesElsewhere() async throws {
        let upstream = try Upstream()
        let other = try Upstream()
        upstream.answer("/", .redirect(to: try other.address("/x").description, .seeOther))
        other.answer("/x", .json(Cities.json([1]), link: "</y>; rel=next"))
        other.answer("/y", Cities.json([2]))
        var configuration = RemoteConfiguration(
            try upstream.address(),
            fields: [try RemoteField("Authorization", "Bearer t")]
        )
        configuration.reach = .anyHost
        try await Cities.source(configuration).refresh()
        #expect(other.targets == ["/x", "/y"])
        #expect(other.lastFields["authorization"] == nil)
    }

    @Test("content is not sent on to another host", arguments: [307, 308])
    func redirectedContent(status: Int) async throws {
        let upstream = try Upstream()
        let other = try Upstream()
        let target = try other.address("/x")
        upstream.answer("/", .redirect(to: target.description, HTTPStatus(code: status)))
        other.answer("/x", Cities.json([1]))
        var configuration = RemoteConfiguration(try upstream.address())
        configuration.reach = .anyHost
        var endpoint = Endpoint()
        endpoint.method = .post
        endpoint.body = Array("secret".utf8)
        let error = await Cities.source(configuration, endpoint).error()
        #expect(error == .refusedAddress(target.description))
        #expect(other.targets.isEmpty)
    }

    @Test("redirects without end are refused", arguments: TestTransport.allCases)
    func redirectLoop(_ transport: TestTransport) async throws {
        let upstream = try Upstream()
        upstream.answer("/", .redirect(to: "/", .found))
        let error = await Cities.source(
            RemoteConfiguration(try upstream.address()),
            over: transport.make()
        ).error()
        #expect(error == .tooManyRedirects(maximum: 5))
        #expect(upstream.targets.count == 6)
    }

    @Test("an answer past its bound is refused", arguments: TestTransport.allCases)
    func tooLarge(_ transport: TestTransport) async throws {
        let upstream = try Upstream()
        upstream.answer("/", Cities.json(Array(1...1_000)))
        var configuration = RemoteConfiguration(try upstream.address())
        configuration.limits.maximumResponseBytes = 1_000
        #expect(
            await Cities.source(configuration, over: transport.make()).error()
                == .tooLarge(maximumBytes: 1_000)
        )
    }

    @Test("an answer without end is cut off at its bound", arguments: TestTransport.allCases)
    func endless(_ transport: TestTransport) async throws {
        let server = try TestServer { _, response in response.stream = EndlessStream() }
        let address = try RemoteAddress("http://127.0.0.1:\(server.port)/")
        var configuration = RemoteConfiguration(address)
        configuration.limits.maximumResponseBytes = 1 << 20
        #expect(
            await Cities.source(configuration, over: transport.make()).error()
                == .tooLarge(maximumBytes: 1 << 20)
        )
    }

    @Test("no answer within the timeout is an error", arguments: TestTransport.allCases)
    func timeout(_ transport: TestTransport) async throws {
        // The kernel takes the connection and the request; nobody answers.
        let loopback = try SocketAddress.resolve(host: "127.0.0.1", port: 0)
        let listener = try Listener(try #require(loopback.first))
        let port = try listener.address.port
        var configuration = RemoteConfiguration(try RemoteAddress("http://127.0.0.1:\(port)/"))
        configuration.timeout = .milliseconds(50)
        #expect(
            await Cities.source(configuration, over: transport.make()).error()
                == .transport(.timedOut)
        )
        #expect(try listener.address.port == port)
    }

    @Test(
        "a host that takes no connections, and one that nobody knows, are told apart",
        arguments: TestTransport.allCases
    )
    func unreachable(_ transport: TestTransport) async throws {
        let upstream = try Upstream(host: "127.0.0.9")
        let address = try upstream.address()
        upstream.stop()
        let refused = await Cities.source(RemoteConfiguration(address), over: transport.make())
            .error()
        #expect(refused == .transport(.unreachable))
        let nowhere = RemoteConfiguration(try RemoteAddress("http://nowhere.invalid/"))
        #expect(
            await Cities.source(nowhere, over: transport.make()).error() == .transport(.unknownHost)
        )
    }

    @Test("a server that cannot speak TLS is not trusted")
    func insecure() async throws {
        let upstream = try Upstream()
        let address = try RemoteAddress("https://127.0.0.1:\(upstream.port)/")
        let source = Cities.source(RemoteConfiguration(address))
        #expect(await source.error() == .transport(.insecure))
    }

    @Test("content that is not coded as it says is refused")
    func miscoded() async throws {
        let upstream = try Upstream()
        var answer = Upstream.Answer.json("[]")
        answer.fields.append(("content-encoding", "gzip"))
        upstream.answer("/", answer)
        let source = Cities.source(RemoteConfiguration(try upstream.address()))
        #expect(await source.error() == .transport(.malformedResponse))
    }

    @Test("a connection that breaks in the middle of an answer is an error")
    func broken() async throws {
        let server = try TestServer { _, response in response.stream = BreakingStream() }
        let address = try RemoteAddress("http://127.0.0.1:\(server.port)/")
        let error = await Cities.source(RemoteConfiguration(address)).error()
        guard case .transport = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
