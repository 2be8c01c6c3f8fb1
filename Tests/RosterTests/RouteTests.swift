import Foundation
import Roster
import TestSupport
import Testing

@Suite("The routes of an app, and the callers that it identifies")
struct RouteTests {
    private struct Book: Identifiable, Codable {
        let id: Int
        var owner: String
    }

    private struct Shop: ListApp {
        let gate = AsyncGate()

        var routes: [Route] {
            Route(.get, "/hello/{name}") { request in
                .text("Hello \(request["name"] ?? "-") of \(request.query("city") ?? "-")")
            }
            Route(.post, "/echo") { request in
                try .json(request.decode(Book.self), status: 201).field("X-Kind", "book")
            }
            Route(.get, "/home") { _ in .redirect(to: "/books") }
            Route(.get, "/page") { request in .html("<p>\(request.cookie("b") ?? "-")</p>") }
            Route(.get, "/wait") { _ in
                await gate.pass()
                return .text("done")
            }
            Route(.get, "/late", deadline: .milliseconds(1)) { _ in
                await gate.pass()
                return .text("late")
            }
            Route(.get, "/broken") { _ in RouteResponse.text("x").field("X-A", "a\r\nX-B: c") }
        }

        var lists: some Lists {
            List("books", [Book(id: 1, owner: "ada"), Book(id: 2, owner: "bob")]) {
                Column(\.owner)
            }
        }
    }

    @Test("a route gets its captures, its query and its content, and says what it responds")
    func responses() async throws {
        try await Shop().test { client in
            let hello = try await client.get("/hello/Ada%20L?city=K%C3%B6ln")
            #expect(hello.body == "Hello Ada L of Köln")
            #expect(hello.field("Content-Type") == "text/plain; charset=utf-8")
            #expect(hello.field("Cache-Control") == "no-store")
            let echo = try await client.post("/echo", json: "{\"id\":7,\"owner\":\"eve\"}")
            #expect(echo.status == 201 && echo.field("X-Kind") == "book")
            #expect(try echo.decode(Book.self).owner == "eve")
            #expect(try await client.get("/home").field("Location") == "/books")
            let page = try await client.send("GET", "/page", fields: ["Cookie": "a=1; b=2=3"])
            #expect(page.body == "<p>2=3</p>")
            let late = try await client.get("/late")
            #expect(late.status == 503)
            #expect(late.body.contains("The program did not respond in time"))
            #expect(page.field("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
            // The program is at fault, which clients do not read.
            let broken = try await client.get("/broken")
            #expect(broken.status == 500)
            #expect(!broken.body.contains("X-A") && broken.field("X-B") == nil)
            for (json, text) in [
                ("[]", "The content is no object."), ("{", "The content is no JSON."),
                ("{\"id\":\"a\",\"owner\":\"eve\"}", "The member /id is no Int."),
                ("{\"id\":7}", "has no member 'owner', which is needed."),
            ] {
                let unfit = try await client.post("/echo", json: json)
                #expect(unfit.status == 400, "\(json)")
                #expect(unfit.body.contains(text), "\(unfit.body)")
            }
        }
    }

    @Test("routes have HEAD, OPTIONS and 405, and are no lists")
    func methods() async throws {
        try await Shop().test { client in
            #expect(try await client.send("HEAD", "/hello/a").status == 200)
            let options = try await client.send("OPTIONS", "/echo")
            #expect(options.status == 204 && options.field("Allow") == "POST, OPTIONS")
            let wrong = try await client.send("DELETE", "/hello/a")
            #expect(wrong.status == 405)
            #expect(wrong.field("Allow") == "GET, HEAD, OPTIONS")
            #expect(try await client.get("/hello").status == 404)
            #expect(try await client.get("/books").rows.count == 2)
            for address in ["/", "/-/openapi.json"] {
                #expect(try await !client.get(address).body.contains("hello"))
            }
            let foreign = try await client.send(
                "POST",
                "/echo",
                fields: ["Sec-Fetch-Site": "cross-site"],
                json: "{\"id\":7,\"owner\":\"eve\"}"
            )
            #expect(foreign.status == 403)
        }
    }

    private struct Odd: ListApp {
        let path: String

        init() { self.init(path: "/hello") }

        init(path: String) { self.path = path }

        var routes: [Route] {
            Route(.get, "/hello") { _ in .text("a") }
            Route(.get, path) { _ in .text("b") }
        }

        var lists: some Lists { List("books", [Book(id: 1, owner: "a")]) { Column(\.owner) } }
    }

    @Test(
        "a route that would take an address of a list or of another route stops the start",
        arguments: [
            ("/books", "the list 'books' has this path; begin with another word"),
            ("/books.csv", "the list 'books' has this path; begin with another word"),
            ("/books/{id}/x", "the list 'books' has this path; begin with another word"),
            ("/-/live", "paths below /-/ belong to Roster; begin with another word"),
            ("/", "the path of each list; begin with a word, as in /hello"),
            ("/{x}", "the path of each list; begin with a word, as in /hello"),
            ("hello", "a path begins with /"),
            ("/hello", "another route has the same path, /hello"),
            ("/a/{b}c", "a capture is a whole segment, as in /greetings/{name}"),
            ("/r/:id", "a capture is written {id}, not :id"),
        ]
    )
    func conflicts(path: String, error: String) async throws {
        let app = Odd(path: path)
        let thrown = await #expect(throws: AppError.self) { try await app.test { _ in } }
        #expect(thrown?.description == "route GET \(path): \(error)")
    }

    @Test("routes that wait hold up neither probes nor lists, and end when their client leaves")
    func waiting() async throws {
        let app = Shop()
        try await app.serving { port in
            var connections = try (0..<24).map { number in
                try RawConnection(port: port, from: "127.0.0.\(number % 2 + 1)")
            }
            for connection in connections {
                try connection.send("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
            }
            try await app.gate.waitForClosures(connections.count)
            let other = try RawConnection(port: port)
            for target in ["/-/live", "/books", "/hello/a"] {
                try other.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try other.receiveResponse().status == 200)
            }
            try connections.removeLast().resetWhenReleased()
            try await app.gate.waitForCancellation()
            await app.gate.open()
            for connection in connections {
                let response = try connection.receiveResponse()
                #expect(response.status == 200, "\(response.text)")
            }
        }
    }

    private struct Private: ListApp {
        let gate = AsyncGate()

        var authentication: Authentication? {
            Authentication { request in
                switch request.cookie("user") ?? request.field("X-User") {
                case "ada": Caller("ada", scopes: [.read("books", where: ["owner": "ada"])])
                case "bob": Caller("bob", scopes: [.write("books"), .operate])
                case "odd": Caller("odd", scopes: [.read("book")])
                case "none": Caller("none", scopes: [])
                case "slow":
                    await { () -> Caller? in
                        await gate.pass()
                        return Caller("slow", scopes: [.read()])
                    }()
                default: nil
                }
            }
        }

        var routes: [Route] {
            Route(.get, "/me") { request in .text(request.caller ?? "-") }
            Route(.get, "/sign-in", isOpen: true) { request in .text(request.caller ?? "nobody") }
        }

        var lists: some Lists {
            List("books", [Book(id: 1, owner: "ada"), Book(id: 2, owner: "bob")]) {
                Column(\.owner)
            }
            .action("lend") { book, call in .done(message: "to \(call.caller ?? "-")") }
        }
    }

    @Test("callers have the scopes that the app gives them, and unknown ones get 401")
    func callers() async throws {
        try await Private().test { client in
            for target in ["/", "/books", "/books/1", "/me", "/-/openapi.json"] {
                let response = try await client.get(target)
                #expect(response.status == 401, "\(target)")
                #expect(response.field("WWW-Authenticate") == "Bearer realm=\"roster\"")
            }
            for target in ["/-/live", "/-/ready", "/-/assets/style.css", "/sign-in"] {
                #expect(try await client.get(target, accept: "*/*").status == 200, "\(target)")
            }
            func get(_ target: String, _ user: String) async throws -> TestResponse {
                try await client.send("GET", target, fields: ["Cookie": "user=\(user)"])
            }
            #expect(try await get("/books", "ada").rows.map(\.id) == ["1"])
            #expect(try await get("/books/2", "ada").status == 404)
            #expect(try await get("/books", "bob").rows.map(\.id) == ["1", "2"])
            #expect(try await get("/books", "ada").field("Cache-Control") == "private, no-cache")
            #expect(try await get("/me", "bob").body == "bob")
            #expect(try await get("/-/lists", "bob").status == 200)
            #expect(try await get("/-/lists", "ada").status == 403)
            func lend(_ user: String) async throws -> TestResponse {
                try await client.send("POST", "/books/1/-/lend", fields: ["X-User": user])
            }
            #expect(try await lend("ada").status == 403)
            #expect(try await lend("bob").body.contains("to bob"))
            #expect(try await lend("eve").status == 401)
            // Scopes that cannot be are the program's error.
            #expect(try await get("/books", "odd").status == 500)
            #expect(try await get("/books", "none").status == 500)
        }
    }

    @Test("an identification that waits holds up no probe, and content follows its caller")
    func waitingIdentification() async throws {
        let app = Private()
        try await app.serving { port in
            let slow = try RawConnection(port: port)
            try slow.send("GET /books HTTP/1.1\r\nHost: localhost\r\nX-User: slow\r\n\r\n")
            try await app.gate.waitForClosures(1)
            let other = try RawConnection(port: port)
            try other.send("GET /-/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try other.receiveResponse().status == 200)
            for (user, status) in [("ada", 403), ("bob", 200), ("eve", 401)] {
                try other.send(
                    "POST /books/-/actions/lend HTTP/1.1\r\nHost: localhost\r\nX-User: \(user)\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 13\r\n\r\n"
                        + "{\"ids\":[\"1\"]}"
                )
                #expect(try other.receiveResponse().status == status, "\(user)")
            }
            await app.gate.open()
            let response = try slow.receiveResponse()
            #expect(response.status == 200)
        }
    }

    private struct Owned: ListApp {
        var authentication: Authentication? {
            Authentication { request in
                guard let user = request.field("X-User")?.removingPercentEncoding else {
                    return nil
                }
                let owner: any Sendable = user == "nobody" ? String?.none : user
                let column = user == "eve" ? "size" : "owner"
                return Caller(
                    user,
                    scopes: [.write("books"), .read("books", where: [column: owner])]
                )
            }
        }

        var routes: [Route] {
            Route(.get, "/me") { request in .text(request.caller ?? "-") }
        }

        var lists: some Lists {
            List("books", RouteTests.owners.enumerated().map { Book(id: $0, owner: $1) }) {
                Column(\.owner).editable()
                Column("size", \.owner.count)
            }
            .onUpdate { _ in }
        }
    }

    private static let owners = [
        "bob", "Zoë", "Ada Lovelace", "auth0|5f7", "b%6Fb", "bob&owner=bob", "~t:bob", "\u{3bb}",
        "Zoe\u{308}", "a,b", "bob ", "*", "null", "1",
    ]

    @Test("a caller of any name reads its own rows, and no others", arguments: owners)
    func names(user: String) async throws {
        let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "a"..."z"))
        let name = try #require(user.addingPercentEncoding(withAllowedCharacters: allowed))
        try await Owned().test { client in
            func get(_ target: String) async throws -> TestResponse {
                try await client.send("GET", target, fields: ["X-User": name])
            }
            let rows = try await get("/books").rows
            #expect(rows.count == 1)
            #expect(rows.first.map { Array(($0.cells["owner"] ?? "").utf8) } == Array(user.utf8))
            #expect(try await get("/books?owner=bob").rows.count == (user == "bob" ? 1 : 0))
            #expect(try await get("/books/0").status == (user == "bob" ? 200 : 404))
            #expect(try await get("/me").body == user)
        }
    }

    @Test("a condition without a value, or that no column can meet, is the program's error")
    func conditions() async throws {
        try await Owned().test { client in
            for user in ["nobody", "eve"] {
                let answer = try await client.send("GET", "/books", fields: ["X-User": user])
                #expect(answer.status == 500, "\(user)")
            }
        }
    }

    @Test("an address that lets the identification wait delays no other, and is refused")
    func crowd() async throws {
        let app = Private()
        try await app.serving { port in
            func request(_ user: String) -> String {
                "GET /books HTTP/1.1\r\nHost: localhost\r\nX-User: \(user)\r\n\r\n"
            }
            let crowd = try (0..<16).map { _ in try RawConnection(port: port) }
            for connection in crowd { try connection.send(request("slow")) }
            try await app.gate.waitForClosures(16)
            for _ in 0..<50 {
                let more = try RawConnection(port: port)
                try more.send(request("slow"))
                let refused = try more.receiveResponse()
                #expect(refused.status == 429 && refused.field("Retry-After") == "1")
            }
            let other = try RawConnection(port: port, from: "127.0.0.2")
            try other.send(request("ada"))
            #expect(try other.receiveResponse().status == 200)
            await app.gate.open()
            for connection in crowd {
                #expect(try connection.receiveResponse().status == 200)
                try connection.send(request("bob"))
                #expect(try connection.receiveResponse().status == 200)
            }
        }
    }
}
