import HTTP
import Listings
import TestSupport
import Testing

@testable import ListAPI

@Suite("Pages that are sent again")
struct ResponseCacheTests {
    private typealias Seen = MiddlewareTests.Seen

    /// Gateways before the same list: one that keeps pages, and others that were never asked before.
    private struct Pair {
        let keeping: Middleware
        let items: ChangingItems
        let settings: Middleware.Settings

        var drawing: Middleware {
            get throws {
                Middleware(
                    try APIHandler([items.list], options: .init(), isDraining: { false }),
                    settings
                )
            }
        }

        init(
            count: Int,
            cacheBytes: Int = 1 << 20,
            _ middleware: Middleware.Settings = .init()
        ) throws {
            items = try ChangingItems(count: count)
            settings = middleware
            var options = ServiceOptions()
            options.pageCacheBytes = cacheBytes
            keeping = Middleware(
                try APIHandler([items.list], options: options, isDraining: { false }),
                middleware
            )
        }
    }

    private static func ask(
        _ middleware: Middleware,
        _ target: String,
        _ fields: [(FieldName, String)] = [],
        method: HTTPMethod = .get,
        reader: RequestReader = RequestReader()
    ) throws -> Seen {
        let request = try #require(reader.read(method, target, fields))
        var seen = try MiddlewareTests.answer(middleware, request)
        if seen.fields["content-encoding"] == "gzip" { seen.body = try Gunzip.read(seen.body) }
        // What was drawn before took no time now.
        seen.fields["server-timing"] = nil
        return seen
    }

    private static let targets = [
        "/items", "/items?limit=3", "/items?limit=3&sort=-title", "/items.html",
        "/items.csv?limit=5",
        "/items/-/sections", "/items/-/sections/shelf%201", "/items/item3", "/items?q=shelf",
        "/items?bad=1",
        "/items?limit=2&page=2", "/items?group=none&facets=shelf", "/items/-/schema", "/",
        "/-/live", "/-/version", "/nothing", "/items/-/nothing", "/a/b/c/d",
    ]
    private static let fields: [[(FieldName, String)]] = [
        [], [(.accept, "text/html")], [(.accept, "application/json")],
        [(.acceptEncoding, "gzip")], [(.accept, "text/html"), (.acceptLanguage, "de")],
        [(.prefer, "count=none")], [(.acceptEncoding, "identity;q=0, *;q=0")],
        [(.authorization, "Basic YTpi")], [(.accept, "image/png")],
    ]

    private static func next(_ seen: Seen) -> String? {
        guard let field = seen.fields["link"],
            let match = field.firstMatch(of: /<([^>]*)>; rel="next"/)
        else { return nil }
        return String(match.1)
    }

    @Test(
        "show what a page drawn anew would, whatever is written between",
        arguments: 1...6,
        [1 << 20, 0]
    )
    func equality(seed: UInt64, cacheBytes: Int) throws {
        var random = SeededGenerator(seed: seed)
        let pair = try Pair(count: 40, cacheBytes: cacheBytes)
        var ways: [String] = []
        var tags: [String] = []
        var kept = 0
        let reader = RequestReader()
        for step in 0..<200 {
            if Int.random(in: 0..<8, using: &random) == 0 {
                try pair.items.change(step * 4, &random)
            }
            let target = (Self.targets + ways).randomElement(using: &random) ?? "/"
            var fields = Self.fields.randomElement(using: &random) ?? []
            fields.append((.xRequestID, "same"))
            if let tag = tags.randomElement(using: &random), Bool.random(using: &random) {
                let others = Bool.random(using: &random) ? "\"x\", " : ""
                fields.append((.ifNoneMatch, others + tag))
            }
            let methods: [HTTPMethod] = [.get, .get, .get, .get, .head, .options, .delete]
            let method = methods.randomElement(using: &random) ?? .get
            // Who asks again sends the same head, whatever the list shows meanwhile.
            for time in 0..<Int.random(in: 1...3, using: &random) {
                if time > 0, Int.random(in: 0..<4, using: &random) == 0 {
                    try pair.items.change(step * 4 + time, &random)
                }
                let known = pair.keeping.cachedResponses
                let seen = try Self.ask(
                    pair.keeping,
                    target,
                    fields,
                    method: method,
                    reader: reader
                )
                if seen.status == 200, known > 0, pair.keeping.cachedResponses == known {
                    kept += 1
                }
                let drawn = try Self.ask(try pair.drawing, target, fields, method: method)
                let question = Comment("\(target) \(fields) of seed \(seed)")
                #expect(seen.status == drawn.status, question)
                #expect(seen.fields == drawn.fields, question)
                #expect(seen.body == drawn.body, question)
                if let tag = seen.fields["etag"] { tags = tags.suffix(5) + [tag] }
                if let next = Self.next(seen) { ways = ways.suffix(4) + [next] }
            }
        }
        #expect(cacheBytes == 0 ? kept == 0 : kept > 20, "answers that were there already")
    }

    @Test("are the same whoever asks for what before and behind them, on whatever connection")
    func manyConnections() throws {
        let items = try ChangingItems(count: 40)
        let server = try TestServer { _ in
            Middleware(try APIHandler([items.list], isDraining: { false }))
        }
        func head(_ method: String, _ target: String, _ field: String = "") -> String {
            "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(field)\r\n"
        }
        let first = try server.connect()
        try first.send(head("GET", "/items.json"))
        let tag = try #require(try first.receiveResponse().field("ETag"))
        let requests = [
            head("GET", "/items.json"), head("GET", "/items.json?limit=3"),
            head("GET", "/items.json", "If-None-Match: \(tag)\r\n"),
            head("GET", "/items.json", "If-None-Match: W/\"other\"\r\n"),
            head("GET", "/items.json", "Authorization: Basic YTpi\r\n"),
            head("HEAD", "/items.json"), head("GET", "/-/live"), head("GET", "/nothing"),
        ]
        func ask(_ request: String, _ connection: RawConnection) throws -> String {
            let answer = try connection.receiveResponse(to: String(request.prefix { $0 != " " }))
            let body = answer.status < 400 ? String(decoding: answer.body, as: UTF8.self) : ""
            return "\(answer.status) \(answer.field("ETag") ?? "") \(body)"
        }
        let expected = try requests.map { request in
            let connection = try server.connect()
            try connection.send(request)
            return try ask(request, connection)
        }
        #expect(
            expected.map { $0.prefix(3) } == [
                "200", "200", "304", "200", "200", "200", "200", "404",
            ]
        )
        var random = SeededGenerator(seed: 7)
        let connections = try (0..<3).map { _ in try server.connect() }
        for _ in 0..<200 {
            let asked = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                requests.indices.randomElement(using: &random) ?? 0
            }
            let connection = connections[Int.random(in: 0..<3, using: &random)]
            try connection.send(asked.map { requests[$0] }.joined())
            for index in asked { #expect(try ask(requests[index], connection) == expected[index]) }
        }
    }

    @Test("are the same with credentials where no caller is known, and not kept without room")
    func credentials() throws {
        let pair = try Pair(count: 3)
        let drawing = try pair.drawing
        for fields in [[(FieldName.authorization, "Basic YTpi")], []] {
            let first = try Self.ask(drawing, "/items", fields)
            #expect(try Self.ask(pair.keeping, "/items", fields).body == first.body)
            #expect(pair.keeping.cachedResponses == 1)
            #expect(drawing.cachedResponses == 0)
        }
    }

    @Test("are kept under a version that lasts, and under no other", arguments: [true, false])
    func versions(isLasting: Bool) throws {
        let items = try ChangingItems(count: 3)
        let source = CountingSource(base: items.list.source, isLasting: isLasting)
        var options = ServiceOptions()
        options.pageCacheBytes = 1 << 20
        let list = ListDefinition("items", source: source)
        let middleware = Middleware(try APIHandler([list], options: options, isDraining: { false }))
        for _ in 0..<2 { #expect(try Self.ask(middleware, "/items").status == 200) }
        #expect(middleware.cachedResponses == (isLasting ? 1 : 0))
        #expect(source.counts.reads == (isLasting ? 1 : 2))
    }

    @Test("take no more memory than they may, and leave room for what is asked for often")
    func bound() throws {
        let pair = try Pair(count: 200, cacheBytes: 64 * 1_024)
        for page in 1...60 {
            _ = try Self.ask(pair.keeping, "/items?limit=1")
            _ = try Self.ask(pair.keeping, "/items?limit=3&page=\(page)")
            #expect(pair.keeping.cachedBytes <= 64 * 1_024)
        }
        let count = pair.keeping.cachedResponses
        #expect(count > 5 && count < 61)
        _ = try Self.ask(pair.keeping, "/items?limit=1")
        #expect(pair.keeping.cachedResponses == count)
    }

    @Test("are told by their tags to who has them, compressed or not, as long as they are the same")
    func tags() throws {
        let pair = try Pair(count: 50)
        var random = SeededGenerator(seed: 1)
        for fields in [[], [(FieldName.acceptEncoding, "gzip")]] {
            let tag = try #require(try Self.ask(pair.keeping, "/items", fields).fields["etag"])
            #expect(tag.hasSuffix("-gzip\"") == !fields.isEmpty)
            let known = fields + [(.ifNoneMatch, tag)]
            let again = try Self.ask(pair.keeping, "/items", known)
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(again.fields["etag"] == tag)
            try pair.items.change(fields.count, &random)
            #expect(try Self.ask(pair.keeping, "/items", known).status == 200)
        }
    }

    @Test("are not kept where one would take a quarter of the room")
    func large() throws {
        let pair = try Pair(count: 50, cacheBytes: 16 * 1_024)
        _ = try Self.ask(pair.keeping, "/items?limit=50")
        #expect(pair.keeping.cachedResponses == 0)
        _ = try Self.ask(pair.keeping, "/items?limit=1")
        #expect(pair.keeping.cachedResponses == 1)
    }

    @Test("have the fields of the caller each time anew")
    func fieldsOfCaller() throws {
        var settings = Middleware.Settings()
        settings.crossOrigin = CrossOrigin("https://a.example,https://b.example")
        let pair = try Pair(count: 3, settings)
        var names: Set<String> = []
        for origin in ["https://a.example", "https://b.example", "https://c.example"] {
            let seen = try Self.ask(pair.keeping, "/items", [(.origin, origin)])
            let allowed = origin == "https://c.example" ? nil : origin
            #expect(seen.fields["access-control-allow-origin"] == allowed)
            names.insert(seen.fields["x-request-id"] ?? "")
        }
        #expect(names.count == 3)
        #expect(pair.keeping.cachedResponses == 1)
    }
}
