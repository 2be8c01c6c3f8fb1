import Foundation
import TestSupport
import Testing

@Suite("A program below a base path")
struct BasePathTests {
    struct Proxy: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let base: String
        let arguments: [String]
        var fields = ""
        /// Whether the proxy removes the base path.
        var strips = false

        func target(_ address: String) -> String {
            strips ? String(address.dropFirst(base.count)) : address
        }
    }

    private static let proxies = [
        Proxy(
            testDescription: "none",
            base: "",
            arguments: []
        ),
        Proxy(
            testDescription: "one that passes the path on",
            base: "/lists",
            arguments: ["--base-path", "/lists"]
        ),
        Proxy(
            testDescription: "one that removes the path",
            base: "/lists",
            arguments: ["--base-path", "/lists/"],
            strips: true
        ),
        Proxy(
            testDescription: "one that removes the path and says so",
            base: "/apps/my.lists",
            arguments: ["--trust-proxy", "127.0.0.0/8", "--base-path", "/other"],
            fields: "X-Forwarded-Prefix: /apps/my.lists\r\n",
            strips: true
        ),
    ]

    private let folder: TemporaryFolder
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        file = try folder.write(
            "id,name,city,site\n1,Ada,Oslo,https://a.example\n2,Bob,Rome,\n3,Cy,Oslo,x\n",
            to: "people.csv"
        )
    }

    private func answer(
        _ server: RosterProcess,
        _ proxy: Proxy,
        _ address: String,
        method: String = "GET",
        type: String? = nil,
        accept: String = "*/*",
        body: String = ""
    ) throws -> RawResponse {
        let client = try server.connect()
        let content =
            type.map { "Content-Type: \($0)\r\nContent-Length: \(body.utf8.count)\r\n" } ?? ""
        try client.send(
            "\(method) \(proxy.target(address)) HTTP/1.1\r\nHost: localhost\r\n\(proxy.fields)"
                + "Accept: \(accept)\r\n\(content)\r\n\(body)"
        )
        return try client.receiveResponse(to: method)
    }

    @Test("every link of every page and document leads somewhere below it", arguments: proxies)
    func crawl(proxy: Proxy) throws {
        let server = try RosterProcess(
            serving: [file, "--allow-anonymous-writes", "--group-by", "city"] + proxy.arguments
        )
        let base = proxy.base
        var crawler = Crawler(base: base, depth: 2) { try answer(server, proxy, $0) }
        try crawler.visit([
            base + "/", base + "/.html", base + "/people.html", base + "/people?limit=1",
            base + "/people/1.html", base + "/-/openapi.json",
        ])
        #expect(crawler.broken == [])
        #expect(crawler.strays == [])
        let visited = Set(crawler.visited)
        for location in [
            "/people", "/people.csv", "/people.ndjson", "/people/1", "/people/1.html",
            "/people/-/schema", "/people/-/new", "/people/1/-/edit", "/-/live",
        ] {
            #expect(visited.contains { $0.hasPrefix(base + location) }, "\(location)")
        }
        for word in ["/-/assets/style.", "/-/assets/list.", "/-/changes?", "/-/sections", "after="]
        {
            #expect(visited.contains { $0.contains(word) }, "\(word)")
        }
        // Problems link, too.
        for target in ["/none", "/people?limit=x", "/people/9", "/people?group=cty"] {
            for suffix in ["application/json", "text/html"] {
                let problem = try answer(server, proxy, base + target, accept: suffix)
                #expect((400..<500).contains(problem.status))
                let links = crawler.links(of: problem, at: target)
                #expect(!links.isEmpty)
                for link in links {
                    #expect(try answer(server, proxy, link).status == 200, "\(link) at \(target)")
                }
            }
        }
        #expect(crawler.strays == [])
        try server.stop()
    }

    @Test("redirects and new resources are below it", arguments: proxies)
    func locations(proxy: Proxy) throws {
        let server = try RosterProcess(
            serving: [file, "--allow-anonymous-writes"] + proxy.arguments
        )
        let list = proxy.base + "/people"
        func location(
            _ address: String,
            _ method: String,
            _ type: String?,
            _ body: String,
            accept: String = "application/json"
        ) throws -> (status: Int, location: String) {
            let answer = try answer(
                server,
                proxy,
                address,
                method: method,
                type: type,
                accept: accept,
                body: body
            )
            let location = try #require(answer.field("Location"), "\(answer.text)")
            #expect(location.hasPrefix(list), "\(location)")
            #expect(try self.answer(server, proxy, location).status == 200, "\(location)")
            return (answer.status, location)
        }
        let json = "application/json"
        let form = "application/x-www-form-urlencoded"
        let made = try location(list, "POST", json, #"{"name":"Dee"}"#)
        #expect(made.status == 201)
        #expect(try location(list + "/-/import", "POST", "text/csv", "name\nEve\n").status == 202)
        let saved = try location(list, "POST", form, "name=Fay", accept: "text/html")
        #expect(saved.status == 303)
        let narrowed = try location(list + "/-/narrow?q=Ada", "GET", nil, "", accept: "text/html")
        #expect(narrowed.status == 303)
        let slash = try location(list + "/?city=Oslo&q=%41", "GET", nil, "")
        #expect(slash == (308, list + "?city=Oslo&q=%41"))
        try server.stop()
    }

    @Test("a base path that is no path, or the name of a list, keeps the program from starting")
    func refused() throws {
        let lists = try RosterProcess.run([file, "--base-path", "/people/x"])
        #expect(lists.ending == .exit(78))
        #expect(
            lists.lines.last == "roster: --base-path: /people/x is at the address of the list "
                + "'people'; name another path or another list"
        )
        let service = try RosterProcess.run([file, "--base-path", "/-/x"])
        #expect(service.ending == .exit(78))
        #expect(
            service.lines.last == "roster: --base-path: /-/x is at the addresses of the service "
                + "itself; name another path"
        )
        let path = try RosterProcess.run([file, "--base-path", "lists"])
        #expect(path.ending == .exit(64))
    }

    @Test("a limit that no client of a Unix socket would meet is told at the start, once")
    func limitOnUnixSocket() throws {
        let socket = "unix:" + folder.path("s")
        func notes(_ arguments: [String]) throws -> [String] {
            let server = try RosterProcess(["--host", socket] + arguments)
            try server.waitForLine { $0.contains("serving") }
            let notes = server.lines.filter { $0.contains("--rate-limit") }
            try server.stop()
            return notes
        }
        #expect(
            try notes(["--rate-limit", "5"]) == [
                "roster: --rate-limit does not apply to the Unix socket: its clients have no "
                    + "addresses; --trust-proxy unix: takes them from the fields of a proxy"
            ]
        )
        #expect(try notes(["--rate-limit", "5", "--trust-proxy", "unix:"]) == [])
        #expect(try notes([]) == [])
    }

    @Test("clients of a proxy on a Unix socket are limited by the addresses it names")
    func clientsOfUnixSocket() throws {
        let path = folder.path("s")
        let server = try RosterProcess([
            "--host", "unix:\(path)", "--rate-limit", "1", "--trust-proxy", "unix:",
        ])
        try server.waitForLine { $0.contains("serving") }
        func status(_ address: String) throws -> Int {
            let client = try RawConnection(path: path)
            try client.send(
                "GET /users?limit=1 HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(address)\r\n\r\n"
            )
            return try client.receiveResponse().status
        }
        #expect(try status("2001:db8:1::1") == 200)
        // A second may pass between two of them, but not between all.
        let statuses = try (0..<50).map { try status("[2001:db8::\($0)]:\($0)") }
        #expect(statuses.contains(429))
        #expect(try status("2001:db8:2::1") == 200)
        try server.stop()
    }
}
