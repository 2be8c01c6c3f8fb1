import HTTP
import HTTPServer
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@testable import ListAPI

@Suite("Clients by their addresses")
struct SenderTests {
    private func limited(
        _ perSecond: Int,
        trusting proxies: String? = nil
    ) throws -> AuthorizedClient {
        var settings = Middleware.Settings()
        settings.rateLimits = RateLimits(perSecond: perSecond)
        if let proxies { settings.trustedProxies = try TrustedProxies(proxies) }
        let open = AccessPolicy.Openness(reading: true)
        return try AuthorizedClient(
            [try .items(.numbered(3))],
            [],
            openness: open,
            settings: settings
        )
    }

    private static func refusal(_ ask: () throws -> Answer) throws -> Answer {
        for _ in 0..<100 {
            let answer = try ask()
            if answer.status == 429 { return answer }
        }
        Issue.record("never refused")
        return Answer(status: 0, fields: [], body: "", pieces: 0)
    }

    @Test("so many requests are taken at once and in each second, of each client for itself")
    func bucket() {
        let limits = RateLimits(perSecond: 5)
        let start = ContinuousClock.now
        func taken(_ client: UInt64, after time: Duration) -> Int {
            (0..<100).prefix { _ in limits.take(client, at: start + time) == nil }.count
        }
        #expect(taken(7, after: .zero) == 10)
        #expect(taken(7, after: .milliseconds(100)) == 0)
        #expect(taken(7, after: .milliseconds(200)) == 1)
        #expect(taken(8, after: .milliseconds(200)) == 10)
        #expect(taken(7, after: .milliseconds(1200)) == 5)
        #expect(taken(7, after: .seconds(60)) == 10)
        // However many there are, the table stays as it is, and whoever comes again has a place.
        for client in UInt64(100)..<60_000 { _ = limits.take(client, at: start + .seconds(61)) }
        #expect(taken(9, after: .seconds(62)) == 10)
    }

    @Test("a request is counted once, also where its body is admitted first")
    func admitted() throws {
        let limits = RateLimits(perSecond: 1)
        let start = ContinuousClock.now
        for _ in 0..<9 { #expect(limits.take(7, at: start, counting: false) == nil) }
        #expect(limits.take(7, at: start) == nil)
        #expect(limits.take(7, at: start) == nil)
        #expect(limits.take(7, at: start, counting: false) == 1)

        let authorized = try limited(2)
        authorized.middleware.peer = HTTPPeer(address: "192.0.2.1")
        for _ in 0..<4 {
            let request = try HTTPRequest(.post, "/items", fields: [], body: [])
            var response = HTTPResponse()
            if case .respond = try authorized.middleware.admitBody(of: request, with: &response) {
                #expect(response.status != .tooManyRequests)
            } else {
                try authorized.middleware.respond(to: request, with: &response)
                #expect(response.status != .tooManyRequests)
            }
        }
        // What is answered before its body comes is counted, too.
        let request = try HTTPRequest(.post, "/nowhere", fields: [], body: [])
        var statuses: Set<Int> = []
        for _ in 0..<100 {
            var response = HTTPResponse()
            _ = try authorized.middleware.admitBody(of: request, with: &response)
            statuses.insert(response.status.code)
        }
        #expect(statuses.contains(429))
    }

    @Test("who asks too often is told when to ask again, but for probes")
    func tooOften() throws {
        let authorized = try limited(1)
        authorized.middleware.peer = HTTPPeer(address: "192.0.2.1")
        #expect(try authorized.ask(.get, "/items").status == 200)
        let refused = try Self.refusal { try authorized.ask(.get, "/items") }
        #expect(refused.field("Retry-After") == "1")
        #expect(try refused.json()["type"]?.text == "/-/problems/too-many-requests")
        #expect(try authorized.ask(.get, "/-/live").status == 200)
        authorized.middleware.peer = HTTPPeer(address: "192.0.2.2")
        #expect(try authorized.ask(.get, "/items").status == 200)
    }

    @Test("a proxy that is believed names the client; from others the field means nothing")
    func forwarded() throws {
        let authorized = try limited(1, trusting: "10.0.0.7")
        func ask(_ peer: String, _ forwarded: String) throws -> Answer {
            authorized.middleware.peer = HTTPPeer(address: peer)
            return try authorized.ask(.get, "/items", fields: [("x-forwarded-for", forwarded)])
        }
        #expect(try ask("10.0.0.7", "192.0.2.1").status == 200)
        _ = try Self.refusal { try ask("10.0.0.7", "203.0.113.9, 192.0.2.1") }
        #expect(try ask("10.0.0.7", "192.0.2.2").status == 200)
        var number = 0
        _ = try Self.refusal {
            number += 1
            return try ask("10.0.0.8", "192.0.2.\(number)")
        }
    }

    @Test("a request that is refused before its caller is known has no caller")
    func refusedCaller() throws {
        var settings = Middleware.Settings()
        settings.allowedHosts = AllowedHosts("localhost")
        settings.notesAnswers = true
        let authorized = try AuthorizedClient(
            [try .items(.numbered(3))],
            [("amy", "items:read")],
            settings: settings
        )
        for (host, caller) in [("localhost", "amy"), ("evil.example", nil)] {
            let token = "Bearer \(AuthorizedClient.token(of: "amy"))"
            let fields = [(FieldName.host, host), (.authorization, token)]
            var response = HTTPResponse()
            let request = try HTTPRequest(.get, "/items", fields: fields)
            try authorized.middleware.respond(to: request, with: &response)
            #expect(response.status.code == (caller == nil ? 421 : 200))
            #expect(response.note?.caller == caller)
        }
    }

    private func client(
        _ fields: [(FieldName, String)],
        from peer: String = "10.0.0.7",
        trusting proxies: String = "10.0.0.0/8,2001:db8:f::/48,unix:"
    ) throws -> UInt64? {
        let request = try HTTPRequest(.get, "/", fields: fields)
        let trusted = try TrustedProxies(proxies)
        return try ForwardedClient(request, HTTPPeer(address: peer), trusted).client
    }

    private func network(_ address: String) throws -> UInt64 {
        try #require(IPAddress(address)).network
    }

    @Test(
        "the client is the first from the right that is no trusted proxy, in any spelling",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:1234", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"), ("[::ffff:c000:201]:80", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::"), ("2001:db8:0:0:7::1", "2001:db8::"),
            ("[2001:db8::1]:443", "2001:db8::"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("203.0.113.9, 192.0.2.1", "192.0.2.1"), ("203.0.113.9,10.1.1.1", "203.0.113.9"),
            ("203.0.113.9, 10.1.1.1 ,\t2001:db8:f::7", "203.0.113.9"),
            ("192.0.2.1, 10.9.9.9, 203.0.113.9, 10.1.1.1", "203.0.113.9"),
            // Only proxies have sent it: it began at the first of them.
            ("10.1.1.1, 10.2.2.2", "10.1.1.1"),
            // Behind a name that is no address clients are counted as the proxy that sent it.
            ("192.0.2.1, unknown", "10.0.0.7"), ("192.0.2.1, _hidden, 10.1.1.1", "10.1.1.1"),
            ("192.0.2.1,", "10.0.0.7"), ("proxy.example", "10.0.0.7"), ("", "10.0.0.7"),
        ]
    )
    func walk(field: String, expected: String) throws {
        #expect(try client([("x-forwarded-for", field)]) == network(expected))
        #expect(try client([("x-forwarded-for", field)], from: "192.0.2.9") == network("192.0.2.9"))
    }

    @Test("Forwarded names the client where no X-Forwarded field is sent")
    func forwardedField() throws {
        let fields: [(FieldName, String)] = [
            ("forwarded", "for=192.0.2.1, for=\"[2001:db8:1::1]:80\";proto=https, for=10.1.1.1")
        ]
        #expect(try client(fields) == network("2001:db8:1::"))
        #expect(try client([("forwarded", "proto=https")]) == network("10.0.0.7"))
        let others: [(FieldName, String)] = [
            ("x-forwarded-for", "192.0.2.7"), ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "a.example"), ("x-forwarded-prefix", "/a"),
            ("x-forwarded-user", "amy"),
        ]
        for other in others {
            let expected = other.0 == "x-forwarded-for" ? "192.0.2.7" : "10.0.0.7"
            #expect(try client(fields + [other]) == network(expected))
        }
        #expect(throws: ForwardedClient.Fault.self) { try client([("forwarded", "for=\"")]) }
        #expect(try client([("forwarded", "for=\"")], from: "192.0.2.9") == network("192.0.2.9"))
    }

    @Test("peers of a Unix socket are believed by unix: alone, and are one client without a field")
    func unixSockets() throws {
        let fields: [(FieldName, String)] = [("x-forwarded-for", "192.0.2.1")]
        #expect(try client(fields, from: "unix:") == network("192.0.2.1"))
        #expect(try client(fields, from: "unix:/run/a") == network("192.0.2.1"))
        #expect(try client([], from: "unix:") == .max)
        #expect(try client([("x-forwarded-for", "unknown")], from: "unix:") == .max)
        #expect(try client(fields, from: "unix:", trusting: "0.0.0.0/0,::/0") == nil)
        #expect(try client(fields, trusting: "unix:") == network("10.0.0.7"))
    }

    @Test("an IPv6 client that changes addresses within its network, or a port, is limited as one")
    func limitedNetwork() throws {
        let authorized = try limited(1, trusting: "10.0.0.7")
        authorized.middleware.peer = HTTPPeer(address: "10.0.0.7")
        var number = 0
        _ = try Self.refusal {
            number += 1
            let host = number % 2
            let spelling = "[2001:db8::\(host)]:\(number)"
            return try authorized.ask(.get, "/items", fields: [("x-forwarded-for", spelling)])
        }
        _ = try Self.refusal {
            number += 1
            return try authorized.ask(
                .get,
                "/items",
                fields: [("x-forwarded-for", "7.7.7.7:\(number)")]
            )
        }
    }

    @Test("a proxy that is believed says who asks; from others the field means nothing")
    func users() throws {
        var settings = Middleware.Settings()
        settings.trustedProxies = try TrustedProxies("10.0.0.7")
        let authorized = try AuthorizedClient(
            [try .items(.numbered(3))],
            [("alice", "- items:read"), ("robot", "*:write operate")],
            settings: settings
        )
        func ask(_ peer: String, _ user: String) throws -> Int {
            authorized.middleware.peer = HTTPPeer(address: peer)
            return try authorized.ask(.get, "/items", fields: [("x-forwarded-user", user)]).status
        }
        #expect(try ask("10.0.0.7", "alice") == 200)
        #expect(try ask("10.0.0.8", "alice") == 401)
        #expect(try ask("10.0.0.7", "alice") == 200)
        #expect(try ask("10.0.0.7", "bob") == 403)
        // A line with a digest is for the holder of its token.
        #expect(try ask("10.0.0.7", "robot") == 403)
        #expect(try ask("10.0.0.8", "bob") == 401)
        authorized.middleware.peer = nil
        let fields = [(FieldName("x-forwarded-user"), "alice")]
        #expect(try authorized.ask(.get, "/items", fields: fields).status == 401)
    }

    @Test("a server tells its handler who is at the other end")
    func peers() throws {
        let server = try TestServer(
            configure: {
                $0.identifiesPeers = true
                $0.loops = 1
            },
            makeHandler: { _ in
                try MiddlewareTests.middleware { $0.rateLimits = RateLimits(perSecond: 1) }
            }
        )
        let client = try server.connect()
        var statuses: [Int] = []
        for _ in 0..<50 {
            try client.send("GET /users?limit=1 HTTP/1.1\r\nHost: a\r\n\r\n")
            statuses.append(try client.receiveResponse().status)
        }
        // A second may pass between the last two, but not between all of them.
        #expect(statuses.first == 200)
        #expect(statuses.contains(429))
        try server.stop()
    }

    @Test("every answer keeps browsers from guessing, and every page from loading what is not ours")
    func securityFields() throws {
        let open = AccessPolicy.Openness(reading: true)
        let authorized = try AuthorizedClient(
            try PeopleList.list(),
            [("writer", "*:write operate")],
            openness: open,
            writes: true
        )
        for target in [
            "/", "/.html", "/people", "/people.html", "/people.csv", "/people.ndjson", "/people/1",
            "/people/1.html", "/people/-/schema", "/people/-/schema.html", "/people/-/new",
            "/people/1/-/edit", "/people?nonsense=1", "/people.html?nonsense=1", "/none",
            "/none.html", "/-/live", "/-/ready", "/-/version", "/-/metrics", "/-/lists",
            "/-/openapi.json", "/-/problems/forbidden", "/-/problems/forbidden.html",
            "/-/assets/none", "/people/-/sections.html", "/people/-/changes?since=x",
        ] {
            for caller in [nil, "writer"] {
                let answer = try authorized.ask(.get, target, as: caller)
                #expect(answer.field("X-Content-Type-Options") == "nosniff", "\(target)")
                #expect(answer.field("Access-Control-Allow-Credentials") == nil)
                guard answer.mediaType == "text/html" else { continue }
                let policy = answer.field("Content-Security-Policy") ?? ""
                #expect(policy.hasPrefix("default-src 'none'"), "\(target)")
                #expect(policy.contains("frame-ancestors 'none'"), "\(target)")
                #expect(answer.field("Referrer-Policy") == "same-origin", "\(target)")
            }
        }
        let assets = try authorized.ask(.get, "/people.html").htmlValues(of: "href")
            .filter { $0.hasPrefix("/-/assets/") }
        #expect(!assets.isEmpty)
        for asset in assets {
            #expect(try authorized.ask(.get, asset).field("X-Content-Type-Options") == "nosniff")
        }
    }
}
