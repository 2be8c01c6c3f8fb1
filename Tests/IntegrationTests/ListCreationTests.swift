import Foundation
import TestSupport
import Testing

@Suite("Clients make lists of files and of columns, in the database or the only folder")
struct ListCreationTests {
    private static let csv = "text/csv"
    private static let json = "application/json"
    private static let people = "name,age,born\nAda,36,1815-12-10\nBo,,1990-01-02\n"

    private struct Made: Decodable {
        struct Column: Decodable {
            let name: String
            let type: String
        }
        let name: String
        let rows: Int
        let columns: [Column]
        let notes: [String]

        var types: [String] { columns.map { "\($0.name) \($0.type)" } }
    }

    private let folder: TemporaryFolder
    private let database: [String]
    private let files: [String]

    init() throws {
        folder = try TemporaryFolder()
        database = ["--database", folder.path("lists.db"), "--allow-anonymous-writes"]
        let shelf = folder.path("shelf")
        try FileManager.default.createDirectory(
            atPath: shelf,
            withIntermediateDirectories: false
        )
        try folder.write("id,title\n1,Emma\n", to: "shelf/books.csv")
        files = [shelf, "--allow-anonymous-writes"]
    }

    private func post(
        _ server: RosterProcess,
        _ target: String,
        _ type: String?,
        _ body: some Collection<UInt8>,
        fields: String = ""
    ) throws -> RawResponse {
        let client = try server.connect()
        let type = type.map { "Content-Type: \($0)\r\n" } ?? ""
        try client.send(
            "POST \(target) HTTP/1.1\r\nHost: localhost\r\n\(type)\(fields)"
                + "Content-Length: \(body.count)\r\n\r\n"
        )
        try client.send(Array(body))
        return try client.receiveResponse(to: "POST")
    }

    private func post(
        _ server: RosterProcess,
        _ target: String,
        _ type: String?,
        _ text: String,
        fields: String = ""
    ) throws -> RawResponse {
        try post(server, target, type, Array(text.utf8), fields: fields)
    }

    private func made(_ response: RawResponse) throws -> Made {
        try #require(response.status == 201, "\(response.text)")
        let made = try JSONDecoder().decode(Made.self, from: Data(response.body))
        #expect(response.field("Location") == "/\(made.name)")
        return made
    }

    private func rows(_ list: String, _ server: RosterProcess) throws -> Int? {
        try server.page("/\(list)?count=exact&limit=1").total?.value
    }

    @Test(
        "a list in the database is served at once, and after a restart, whatever file has its name"
    )
    func stored() throws {
        let server = try RosterProcess(serving: database + ["--loops", "3"])
        let before = try (0..<6).map { _ in try server.connect() }
        for client in before {
            try client.send("GET /people HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.receiveResponse().status == 404)
        }
        let list = try made(try post(server, "/?name=people", Self.csv, Self.people))
        #expect(list.rows == 2 && list.name == "people")
        #expect(list.types == ["name text", "age integer", "born date"])
        for client in before {
            try client.send("GET /people HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.receiveResponse().status == 200)
            try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.receiveResponse().text.contains("\"id\":\"people\""))
        }
        let row = try post(server, "/people", Self.json, #"{"name":"Cy","age":3}"#)
        #expect(row.status == 201)
        try server.stop()
        let file = try folder.write("name\nEve\n", to: "people.csv")
        let again = try RosterProcess(serving: [file] + database)
        #expect(try rows("people", again) == 3)
    }

    @Test("a list of a file is not replaced by a file of its name, even if it was never edited")
    func unedited() throws {
        let server = try RosterProcess(serving: database)
        _ = try made(try post(server, "/?name=people", Self.csv, Self.people))
        try server.stop()
        let file = try folder.write("name\nEve\n", to: "people.csv")
        #expect(try rows("people", try RosterProcess(serving: [file] + database)) == 2)
    }

    @Test("a file is read as the parameters say, and what was corrected is reported")
    func options() throws {
        let server = try RosterProcess(serving: database)
        let text = "Region;Nr;Preis\nNord;01;1,5\nS\u{FC}d;02;\n"
        let latin = text.unicodeScalars.map { UInt8($0.value) }
        let list = try made(
            try post(
                server,
                "/?name=prices&key=Region,Nr&types=Nr%3Dtext&delimiter=semicolon&decimal=comma",
                "application/octet-stream",
                latin
            )
        )
        #expect(list.types == ["Region text", "Nr text", "Preis real"])
        #expect(list.notes.contains { $0.contains("Windows-1252") })
        #expect(try server.page("/prices").ids.count == 2)
        let short = try made(try post(server, "/?name=short", Self.csv, "a,b\n1,2\n\n3\n"))
        #expect(short.notes.contains { $0.contains("blank lines") })
        let lines = "{\"a\":1}\n{\"a\":2}\n"
        let rows = try made(try post(server, "/?name=lines&format=ndjson", nil, lines))
        #expect(rows.types == ["a integer"] && rows.rows == 2)
        let text2 = "[{\"a\":{\"b\":[1]}}]"
        #expect(try made(try post(server, "/?name=nested", Self.json, text2)).rows == 1)
    }

    @Test("columns alone make a list, whose types are kept")
    func definition() throws {
        let server = try RosterProcess(serving: database)
        let definition = #"""
            {"name":"to do","columns":[{"name":"id","type":"integer"},{"name":"task"},
            {"name":"Due, at","type":"date"},{"name":"done","type":"boolean"}]}
            """#
        let list = try made2(try post(server, "/", Self.json, definition))
        #expect(
            list.rows == 0
                && list.types.map { $0.split(separator: " ").last } == [
                    "text", "date", "boolean",
                ]
        )
        let row = #"{"task":"write","done":true}"#
        #expect(try post(server, "/to%20do", Self.json, row).status == 201)
        #expect(try post(server, "/to%20do", Self.json, #"{"done":"maybe"}"#).status == 422)
        try server.stop()
        let again = try RosterProcess(serving: database)
        #expect(try rows("to%20do", again) == 1)
        for (text, place) in [
            (#"{"name":"x"}"#, "/columns"), (#"{"name":"x","columns":[{}]}"#, "/columns/0"),
            (#"{"name":"x","columns":[{"name":"a","type":"int"}]}"#, "/columns/0/type"),
            (#"{"name":"x","columns":[],"rows":[]}"#, "/rows"),
        ] {
            let refused = try post(again, "/", Self.json, text)
            #expect(refused.status == 400 && refused.text.contains("\"\(place)\""), "\(text)")
        }
        let form = "name=x&column=a&type=int"
        let mediaType = "application/x-www-form-urlencoded"
        #expect(try post(again, "/", mediaType, form).status == 400)
        let twice = #"{"name":"x","columns":[{"name":"a"},{"name":"a"}]}"#
        #expect(try post(again, "/", Self.json, twice).status == 400)
    }

    private func made2(_ response: RawResponse) throws -> Made {
        try #require(response.status == 201, "\(response.text)")
        return try JSONDecoder().decode(Made.self, from: Data(response.body))
    }

    @Test("errors name the parameter, or the line and column, and nothing is made")
    func refusals() throws {
        let server = try RosterProcess(serving: database)
        _ = try made(try post(server, "/?name=people", Self.csv, Self.people))
        for (target, type, body, status, text) in [
            ("/", Self.csv, Self.people, 400, "\"name\""),
            ("/?name=a/b", Self.csv, Self.people, 400, "\"name\""),
            ("/?name=sqlite_x", Self.csv, Self.people, 400, "\"name\""),
            ("/?name=.a", Self.csv, Self.people, 400, "\"name\""),
            ("/?name=people", Self.csv, Self.people, 409, "people"),
            ("/?name=People", Self.csv, Self.people, 409, "people"),
            ("/?name=x&nme=y", Self.csv, Self.people, 400, "\"nme\""),
            ("/?name=x&name=y", Self.csv, Self.people, 400, "\"name\""),
            ("/?name=x&key=nam", Self.csv, Self.people, 400, "\"key\""),
            ("/?name=x&types=age%3Dnumber", Self.csv, Self.people, 400, "\"types\""),
            ("/?name=x&format=doc", Self.csv, Self.people, 400, "\"format\""),
            ("/?name=x", "image/png", Self.people, 415, "image/png"),
            ("/?name=x", Self.csv, "", 422, "\"line\":1"),
            ("/?name=x", Self.csv, "a,b\n1,2\n1,2,3\n", 422, "\"line\":3"),
            ("/?name=x&key=a", Self.csv, "a\n1\n1\n", 422, "\"line\":3"),
            ("/?name=x", Self.json, "[{\"a\":1},\n{\"a\" 2}]", 422, "\"line\":2"),
            ("/?name=x", "application/zip", "PK", 422, "zip"),
        ] {
            let response = try post(server, target, type, body)
            #expect(response.status == status, "\(target) \(body): \(response.text)")
            #expect(response.text.contains(text), "\(target): \(response.text)")
        }
        #expect(try !server.get("/").text.contains("\"id\":\"x\""))
        let foreign = "Origin: http://evil.example\r\nSec-Fetch-Site: cross-site\r\n"
        let refused = try post(server, "/?name=x", Self.csv, Self.people, fields: foreign)
        #expect(refused.status == 403)
    }

    @Test(
        "without a place or without writes, the reason is a 405, and the methods are those of reading"
    )
    func readOnly() throws {
        let file = try folder.write("id\n1\n", to: "one.csv")
        for (arguments, text) in [
            ([file, "--allow-anonymous-writes"], "--database FILE"),
            ([file, "--database", folder.path("other.db")], "--allow-anonymous-writes"),
            ([], "--allow-anonymous-writes"),
        ] as [([String], String)] {
            let server = try RosterProcess(serving: arguments)
            let response = try post(server, "/?name=x", Self.csv, Self.people)
            #expect(response.status == 405 && response.text.contains(text), "\(response.text)")
            #expect(response.field("Allow") == "GET, HEAD, OPTIONS")
            let client = try server.connect()
            try client.send("OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.receiveResponse().field("Allow") == "GET, HEAD, OPTIONS")
            #expect(try !server.get("/.html").text.contains("multipart"))
            #expect(try !server.get("/-/openapi.json").text.contains("createList"))
            try server.stop()
        }
        let server = try RosterProcess(serving: files)
        let client = try server.connect()
        try client.send("OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse().field("Allow") == "GET, HEAD, POST, OPTIONS")
        #expect(try server.get("/-/openapi.json").text.contains("createList"))
    }

    @Test("only a client that may write and read every row of every list makes lists")
    func rights() throws {
        func token(_ name: String, _ scopes: String...) throws -> (String, String) {
            let run = try RosterProcess.run(["token", name] + scopes)
            return (String(run.lines[0].split(separator: " ").last ?? ""), run.output)
        }
        let all = try token("all", "*:write")
        let some = try token("some", "books:write")
        let part = try token("part", "*:write", "books:read:title=Emma")
        let reader = try token("reader", "*:read")
        let file = try folder.write([all, some, part, reader].map(\.1).joined(), to: "tokens")
        let server = try RosterProcess(
            serving: [folder.path("shelf"), "--allow-writes", "--tokens", file]
        )
        for (token, status) in [
            (nil, 401), (some.0, 403), (part.0, 403), (reader.0, 403), (all.0, 201),
        ] as [(String?, Int)] {
            let field = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            let page = try server.get("/.html", fields: field).text
            #expect(page.contains("multipart") == (status == 201))
            let response = try post(
                server,
                "/?name=people",
                Self.csv,
                Self.people,
                fields: field
            )
            #expect(response.status == status, "\(response.text)")
        }
        #expect(
            try server.get("/people", fields: "Authorization: Bearer \(all.0)\r\n").status == 200
        )
    }

    @Test("no list in a folder keeps the program from starting again")
    func restarts() throws {
        _ = try folder.write(#"{"x":{"n":1},"y":{"n":2}}"#, to: "shelf/theirs.json")
        _ = try folder.write("a,b\n\"open", to: "shelf/broken.csv")
        let server = try RosterProcess(serving: files)
        #expect(server.lines.contains { $0.contains("the list 'theirs' is read-only") })
        let byKey = #"{"x":{"n":1},"y":{"n":2}}"#
        #expect(try made(try post(server, "/?name=mine", Self.json, byKey)).rows == 2)
        #expect(folder.size(of: "shelf/mine.csv") > 0)
        #expect(try post(server, "/?name=broken", Self.json, #"[{"a":1}]"#).status == 409)
        try server.stop()
        let again = try RosterProcess(serving: files)
        #expect(try rows("mine", again) == 2 && rows("theirs", again) == 2)
    }

    @Test("a list of a folder is its file as it was sent, or CSV, and is served at once")
    func file() throws {
        let server = try RosterProcess(serving: files)
        let list = try made(try post(server, "/?name=people", Self.csv, Self.people))
        #expect(list.rows == 2)
        #expect(try rows("people", server) == 2)
        #expect(
            try String(contentsOfFile: folder.path("shelf/people.csv"), encoding: .utf8)
                == Self.people
        )
        let object = #"[{"a":1,"b":"x, y"}]"#
        #expect(try made(try post(server, "/?name=things", Self.json, object)).rows == 1)
        #expect(
            try String(contentsOfFile: folder.path("shelf/things.json"), encoding: .utf8) == object
        )
        let other = try post(server, "/?name=other&delimiter=pipe", Self.csv, "a|b\nx, y|\n")
        #expect(try made(other).rows == 1)
        let text = try String(contentsOfFile: folder.path("shelf/other.csv"), encoding: .utf8)
        #expect(text == "a,b\r\n\"x, y\",\r\n")
        let empty = #"{"name":"empty","columns":[{"name":"task"},{"name":"note"}]}"#
        #expect(
            try made(try post(server, "/", Self.json, empty)).types == ["task text", "note text"]
        )
        #expect(try server.get("/empty").status == 200)
        for target in ["/?name=x&key=name", "/?name=x&types=age%3Dtext"] {
            let refused = try post(server, target, Self.csv, Self.people)
            #expect(refused.status == 400 && refused.text.contains("--database"), "\(refused.text)")
        }
        try folder.write("not a list", to: "shelf/taken.json.bak")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("shelf/taken.csv"),
            withDestinationPath: "nowhere"
        )
        #expect(try post(server, "/?name=taken", Self.csv, Self.people).status == 409)
        #expect(try post(server, "/?name=books", Self.json, object).status == 409)
        #expect(try post(server, "/?name=bad", Self.csv, "a,b\n1,2,3\n").status == 422)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("shelf"))
        #expect(
            names.sorted() == [
                "books.csv", "empty.csv", "other.csv", "people.csv", "taken.csv", "taken.json.bak",
                "things.json",
            ]
        )
        try server.stop()
        let again = try RosterProcess(serving: files)
        for (list, count) in [("people", 2), ("things", 1), ("other", 1), ("empty", 0)] {
            #expect(try rows(list, again) == count)
        }
    }

    @Test("of two requests with one name, one makes the list", arguments: [true, false])
    func together(inDatabase: Bool) throws {
        let server = try RosterProcess(serving: inDatabase ? database : files)
        let body = Self.people + (0..<20_000).map { "n\($0),1,\n" }.joined()
        let clients = try (0..<4).map { _ in try server.connect() }
        for client in clients {
            try client.send(
                "POST /?name=people HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
        }
        let statuses = try clients.map { try $0.receiveResponse(to: "POST").status }
        #expect(statuses.sorted() == [201, 409, 409, 409])
        #expect(try rows("people", server) == 20_002)
    }

    @Test("a server killed meanwhile has the whole list or none", arguments: [true, false])
    func killed(inDatabase: Bool) throws {
        let arguments = inDatabase ? database : files
        let body = Self.people + (0..<20_000).map { "n\($0),1,\n" }.joined()
        for round in 0..<4 {
            let server = try RosterProcess(serving: arguments)
            let client = try server.connect()
            try client.send(
                "POST /?name=round\(round) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: text/csv\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            for _ in 0..<(round * 40) { _ = try server.get("/-/live") }
            server.send(SIGKILL)
            #expect(try server.waitForEnding().ending == .signal(SIGKILL))
            let again = try RosterProcess(serving: arguments)
            let response = try again.get("/round\(round)?count=exact&limit=1")
            #expect(response.status == 404 || response.text.contains("20002"), "\(response.text)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("shelf"))
            #expect(names.allSatisfy { $0 == "books.csv" || $0.hasPrefix("round") }, "\(names)")
            // Then the list can be made.
            let status = try post(again, "/?name=round\(round)", Self.csv, body).status
            #expect(status == (response.status == 404 ? 201 : 409))
            try again.stop()
        }
    }

    @Test("the forms of the pages do the same without a script")
    func forms() throws {
        let server = try RosterProcess(serving: database)
        let html = "Accept: text/html\r\n"
        #expect(try server.get("/", fields: html).text.contains("action=\"/\""))
        func upload(_ name: String, _ text: String, _ fields: String = html) throws -> RawResponse {
            let body =
                "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
                + "Content-Type: text/csv\r\n\r\n\(text)\r\n--x--\r\n"
            return try post(server, "/", "multipart/form-data; boundary=x", body, fields: fields)
        }
        let sent = try upload("my people.csv", Self.people)
        #expect(sent.status == 303, "\(sent.text)")
        let draft = try #require(sent.field("Location"))
        let page = try server.get(draft, fields: html).text
        #expect(page.contains("value=\"my people\"") && page.contains("1815-12-10"))
        #expect(try !server.get("/").text.contains("my people"))
        let form = "application/x-www-form-urlencoded"
        let bad = try post(server, draft, form, "name=a%2Fb&key=", fields: html)
        #expect(bad.status == 400 && bad.text.contains("role=\"alert\""))
        let good = "name=people&key=name&type=text&type=text&type=date"
        let made = try post(server, draft, form, good, fields: html)
        #expect(made.status == 303 && made.field("Location") == "/people", "\(made.text)")
        #expect(try server.page("/people").ids == ["Ada", "Bo"])
        #expect(try server.get(draft, fields: html).status == 404)
        let columns = "name=tasks&column=task&type=text&column=&type=text&column=due&type=date"
        let empty = try post(server, "/", form, columns, fields: html)
        #expect(empty.status == 303 && empty.field("Location") == "/tasks", "\(empty.text)")
        #expect(try upload("bad.csv", "a,b\n1,2,3\n").status == 422)
        let direct = try upload("more.csv", Self.people, "Accept: application/json\r\n")
        #expect(direct.status == 201 && direct.field("Location") == "/more")
    }
}
