import Bytes
import HTTP
import ListAPITestSupport
import RosterProgram
import System
import TestSupport
import Testing

@testable import ListAPI

@Suite("What stands before the service")
struct MiddlewareTests {
    struct Seen {
        var status = 0
        var fields: [String: String] = [:]
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    static func middleware(
        _ change: (inout Middleware.Settings) -> Void = { _ in }
    ) throws -> Middleware {
        var settings = Middleware.Settings()
        change(&settings)
        return Middleware(
            try APIHandler([try .sampleUsers()], isDraining: { false }),
            settings
        )
    }

    static func ask(
        _ middleware: Middleware,
        _ target: String,
        _ fields: [(FieldName, String)] = [],
        method: HTTPMethod = .get,
        body: String = ""
    ) throws -> Seen {
        try answer(
            middleware,
            HTTPRequest(method, target, fields: fields, body: Array(body.utf8))
        )
    }

    static func answer(_ middleware: Middleware, _ request: HTTPRequest) throws -> Seen {
        var response = HTTPResponse()
        try middleware.respond(to: request, with: &response)
        var seen = Seen(status: response.status.code)
        for line in response.fieldLines.text().split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts[1].drop { $0 == " " }
            let name = parts[0].lowercased()
            seen.fields[name] = seen.fields[name].map { "\($0), \(value)" } ?? String(value)
        }
        if let stream = response.stream {
            var state = HTTPStreamState.more
            while state == .more { state = try stream.write(into: &response.body) }
        }
        seen.body = response.sharedBody?.bytes.array() ?? response.body.array()
        return seen
    }

    // MARK: Compression

    @Test(
        "pages are compressed for who wants it, and read back as they were",
        arguments: ["/users.json", "/users.html", "/users.csv", "/users.ndjson"]
    )
    func compression(target: String) throws {
        let middleware = try Self.middleware()
        let plain = try Self.ask(middleware, target)
        #expect(plain.fields["content-encoding"] == nil)
        #expect(plain.fields["vary"]?.contains("Accept-Encoding") == true)
        for _ in 0..<2 {
            let coded = try Self.ask(middleware, target, [(.acceptEncoding, "br, gzip;q=0.5")])
            #expect(coded.fields["content-encoding"] == "gzip")
            #expect(coded.body.count < plain.body.count * 3 / 5)
            #expect(try Gunzip.read(coded.body) == plain.body)
            #expect(coded.fields["vary"] == plain.fields["vary"])
            #expect(coded.fields["content-type"] == plain.fields["content-type"])
            let tag = try #require(plain.fields["etag"])
            #expect(coded.fields["etag"] == "\(tag.dropLast())-gzip\"")
        }
    }

    @Test(
        "the coding follows the quality values",
        arguments: [
            ("", nil), ("identity", nil), ("gzip;q=0", nil), ("gzip;q=0.1, identity", nil),
            ("gzip", "gzip"), ("x-gzip", "gzip"), ("*", "gzip"), ("deflate", nil), ("GZIP", "gzip"),
            ("gzip;q=1.0, identity;q=0.5", "gzip"), ("identity;q=0, gzip", "gzip"),
        ] as [(String, String?)]
    )
    func qualities(accepted: String, coding: String?) throws {
        let seen = try Self.ask(
            Self.middleware(),
            "/users.json",
            [(.acceptEncoding, accepted)]
        )
        #expect(seen.status == 200)
        #expect(seen.fields["content-encoding"] == coding, "\(accepted)")
    }

    @Test("who refuses every form there is gets 406", arguments: ["identity;q=0", "*;q=0"])
    func refusedForms(accepted: String) throws {
        let seen = try Self.ask(
            Self.middleware(),
            "/users.json",
            [(.acceptEncoding, accepted)]
        )
        #expect(seen.status == 406)
        #expect(seen.fields["content-type"] == "application/problem+json")
        #expect(seen.fields["etag"] == nil)
        // An error is told all the same.
        let error = try Self.ask(Self.middleware(), "/nowhere", [(.acceptEncoding, accepted)])
        #expect(error.status == 404)
    }

    @Test(
        "who refuses an answer without a coding is told so before anything is written",
        arguments: ["identity;q=0", "*;q=0", "gzip, identity;q=0"]
    )
    func refusedWrites(accepted: String) throws {
        var configuration = Configuration()
        configuration.allowsAnonymousWrites = true
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        let lists = try ListRegistry(configuration).lists
        let middleware = Middleware(try APIHandler(lists, options: options, isDraining: { false }))
        let before = try Self.ask(middleware, "/users/19.json")
        let rows = try Self.ask(middleware, "/users/-/sections.json")
        let fields = [
            (FieldName.acceptEncoding, accepted), (.contentType, "application/json"),
        ]
        let row = #"{"firstName":"A","lastName":"B","occupation":"C"}"#
        for (method, target) in [
            (HTTPMethod.delete, "/users/19"), (.patch, "/users/19"), (.put, "/users/19"),
            (.post, "/users"), (.post, "/users/-/rows"), (.post, "/users/-/import"),
        ] {
            let seen = try Self.ask(middleware, target, fields, method: method, body: row)
            #expect(seen.status == 406, "\(method) \(target): \(seen.text)")
            let isCoded = seen.fields["content-encoding"] == "gzip"
            let body = isCoded ? try Gunzip.read(seen.body) : seen.body
            #expect(String(decoding: body, as: UTF8.self).contains("Nothing was done."))
        }
        #expect(try Self.ask(middleware, "/users/19.json").text == before.text)
        #expect(try Self.ask(middleware, "/users/-/sections.json").text == rows.text)
        let heard = try Self.ask(
            middleware,
            "/users/19",
            [(.acceptEncoding, "gzip"), (.contentType, "application/json")],
            method: .put,
            body: row
        )
        #expect(heard.status == 200)
    }

    @Test("a row's strong tag keeps it as it is")
    func strongTag() throws {
        let seen = try Self.ask(Self.middleware(), "/users/19.json", [(.acceptEncoding, "gzip")])
        #expect(seen.fields["etag"]?.hasPrefix("\"") == true)
        #expect(seen.fields["content-encoding"] == nil)
        let refusing = [(FieldName.acceptEncoding, "gzip, identity;q=0")]
        #expect(try Self.ask(Self.middleware(), "/users/19.json", refusing).status == 406)
    }

    @Test("what is small is compressed only when nothing else is accepted")
    func small() throws {
        let middleware = try Self.middleware()
        let plain = try Self.ask(middleware, "/-/live", [(.acceptEncoding, "gzip")])
        #expect(plain.text == "live\n")
        let coded = try Self.ask(middleware, "/-/live", [(.acceptEncoding, "gzip, identity;q=0")])
        #expect(try Gunzip.read(coded.body) == Array("live\n".utf8))
    }

    @Test("the tag of either form is answered 304 with that tag", arguments: ["gzip", "identity"])
    func notModified(accepted: String) throws {
        let middleware = try Self.middleware()
        let fields = [(FieldName.acceptEncoding, accepted)]
        let first = try Self.ask(middleware, "/users.json", fields)
        let tag = try #require(first.fields["etag"])
        let again = try Self.ask(middleware, "/users.json", fields + [(.ifNoneMatch, tag)])
        #expect(again.status == 304)
        #expect(again.fields["etag"] == tag)
        #expect(again.fields["vary"] == first.fields["vary"])
        #expect(again.body.isEmpty)
    }

    @Test("HEAD has the fields of GET")
    func head() throws {
        let middleware = try Self.middleware()
        let fields = [(FieldName.acceptEncoding, "gzip")]
        var head = try Self.ask(middleware, "/users.json", fields, method: .head)
        var get = try Self.ask(middleware, "/users.json", fields)
        for name in ["x-request-id", "server-timing"] {
            head.fields[name] = nil
            get.fields[name] = nil
        }
        #expect(head.fields == get.fields)
        #expect(head.body.count == get.body.count)
    }

    // MARK: Request names

    @Test("every answer names its request, and problems name it too")
    func requestIDs() throws {
        let middleware = try Self.middleware()
        let first = try Self.ask(middleware, "/nowhere")
        let second = try Self.ask(middleware, "/nowhere")
        let made = try #require(first.fields["x-request-id"])
        #expect(made != second.fields["x-request-id"])
        #expect(first.text.contains(made))
        let given = try Self.ask(middleware, "/nowhere", [(.xRequestID, "trace-7.a_B")])
        #expect(given.fields["x-request-id"] == "trace-7.a_B")
        #expect(given.text.contains("\"instance\":\"trace-7.a_B\""))
    }

    @Test(
        "a name that is not sane is replaced",
        arguments: ["", "a b", "<script>", String(repeating: "a", count: 65), "é", "a, b"]
    )
    func insaneRequestID(name: String) throws {
        let seen = try Self.ask(Self.middleware(), "/-/live", [(.xRequestID, name)])
        #expect(seen.fields["x-request-id"]?.hasPrefix("req-") == true)
    }

    // MARK: Hosts, origins, credentials

    @Test(
        "other hosts than the allowed ones are answered 421",
        arguments: [
            ("lists.example.org", 200), ("LISTS.example.org:8080", 200),
            ("lists.example.org.", 200), ("127.0.0.1:81", 200), ("127.0.0.1:82", 421),
            ("[::1]:9000", 200), ("evil.example", 421), ("example.org", 421),
        ]
    )
    func hosts(host: String, status: Int) throws {
        let middleware = try Self.middleware {
            $0.allowedHosts = AllowedHosts("Lists.example.org,127.0.0.1:81,[::1]")
        }
        #expect(try Self.ask(middleware, "/users.json", [(.host, host)]).status == status)
        let absolute = try Self.ask(middleware, "http://\(host)/users.json", [(.host, "x")])
        #expect(absolute.status == status)
        #expect(try Self.ask(middleware, "/-/live", [(.host, host)]).status == 200)
        #expect(try Self.ask(middleware, "/-/ready", [(.host, host)]).status == status)
    }

    @Test("the host of each request is looked at, whichever was let in before")
    func hostsInSuccession() throws {
        let reader = RequestReader()
        let middleware = try Self.middleware {
            $0.allowedHosts = AllowedHosts("lists.example.org,other.example.org")
        }
        for (host, status) in [
            ("lists.example.org", 200), ("lists.example.orx", 421), ("lists.example.or", 421),
            ("lists.example.org", 200), ("LISTS.example.org", 200), ("xlists.example.org", 421),
            ("other.example.org", 200), ("lists.example.org", 200),
        ] {
            // Asked twice: a head that comes again is known.
            for _ in 0..<2 {
                let given = try #require(reader.read(.get, "/users.json", [(.host, host)]))
                #expect(try Self.answer(middleware, given).status == status, "\(host)")
            }
            for _ in 0..<2 {
                // The target's host counts, not the field's.
                let target = "http://evil.example/users.json"
                let absolute = try #require(reader.read(.get, target, [(.host, host)]))
                #expect(try Self.answer(middleware, absolute).status == 421, "\(host)")
            }
        }
    }

    @Test(
        "a server of this machine alone answers for its own names and addresses",
        arguments: [
            ("localhost", 200), ("LOCALHOST:8080", 200), ("localhost.:80", 200),
            ("lists.localhost:8080", 200), ("127.0.0.1:8080", 200), ("127.9.0.255", 200),
            ("[::1]:8080", 200), ("evil.example", 421), ("evil.example:8080", 421),
            ("notlocalhost", 421), ("localhost.evil.example", 421), ("127.0.0.1.evil.example", 421),
            ("127.0.0.evil", 421), ("127.0.0.256", 421), ("127.0.0.+1", 421), ("128.0.0.1", 421),
            ("[::2]", 421),
        ]
    )
    func hostsOfThisMachine(host: String, status: Int) throws {
        let middleware = try Self.middleware { $0.allowedHosts = .thisMachine }
        let answer = try Self.ask(middleware, "/users.json", [(.host, host)])
        #expect(answer.status == status)
        guard status == 421 else { return }
        #expect(answer.text.contains("localhost, 127.0.0.1 and [::1] only; --allow-hosts names"))
    }

    @Test("hosts are names or addresses", arguments: ["", "a,", "a b", "http://a", "a/b", "a:b"])
    func malformedHosts(text: String) {
        #expect(AllowedHosts(text) == nil)
    }

    @Test("pages of allowed origins may read, and others may not")
    func crossOrigin() throws {
        let middleware = try Self.middleware {
            $0.crossOrigin = CrossOrigin("https://a.example,http://b.example:81")
        }
        let name = "access-control-allow-origin"
        let allowed = try Self.ask(middleware, "/users.json", [(.origin, "https://a.example")])
        #expect(allowed.fields[name] == "https://a.example")
        #expect(allowed.fields["vary"]?.contains("Origin") == true)
        #expect(allowed.fields["access-control-expose-headers"]?.contains("ETag") == true)
        let other = try Self.ask(middleware, "/users.json", [(.origin, "https://c.example")])
        #expect(other.fields[name] == nil)
        #expect(other.fields["vary"]?.contains("Origin") == true)
        let all = try Self.middleware { $0.crossOrigin = CrossOrigin("*") }
        #expect(try Self.ask(all, "/users.json").fields[name] == "*")
        #expect(try Self.ask(Self.middleware(), "/users.json").fields[name] == nil)
    }

    @Test("a preflight request is told what may be sent")
    func preflight() throws {
        let middleware = try Self.middleware {
            $0.crossOrigin = .any
        }
        let seen = try Self.ask(
            middleware,
            "/users",
            [(.origin, "https://a.example"), ("access-control-request-method", "GET")],
            method: .options
        )
        #expect(seen.status == 204)
        #expect(seen.fields["access-control-allow-methods"] == seen.fields["allow"])
        #expect(seen.fields["access-control-allow-headers"]?.contains("If-Match") == true)
    }

    @Test(
        "an origin is a scheme, a host and a port",
        arguments: ["", "a.example", "https://", "https://a.example/", "ftp://a", "*,https://a"]
    )
    func malformedOrigins(text: String) {
        #expect(CrossOrigin(text) == nil)
    }

    @Test("a body nobody reads is declined before it is sent")
    func declinedBody() throws {
        let server = try TestServer { _ in try Self.middleware() }
        let client = try server.connect()
        try client.send(
            "POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
        )
        let answer = try client.receiveResponse(to: "POST")
        #expect(answer.status == 405)
        #expect(answer.field("Connection") == "close")
    }
}

@Suite("Streams that are compressed")
struct GzipStreamTests {
    private final class DripStream: HTTPBodyStream {
        func begin(waker: HTTPStreamWaker) {}

        func write(into buffer: inout ByteBuffer) -> HTTPStreamState {
            buffer.append(UInt8(ascii: "a"))
            return .more
        }
    }

    @Test("let others have their turn while nothing comes out")
    func turns() throws {
        let stream = GzipStream(DripStream(), try #require(GzipEncoder()))
        var buffer = ByteBuffer()
        var states: Set<Bool> = []
        for _ in 0..<100 {
            let before = buffer.count
            let state = try stream.write(into: &buffer)
            #expect((state == .waiting(atMost: .zero)) == (buffer.count == before))
            states.insert(state == .more)
        }
        #expect(states.contains(false))
    }
}
