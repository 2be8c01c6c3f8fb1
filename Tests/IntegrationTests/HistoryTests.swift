import Foundation
import SQLite
import TestSupport
import Testing

@Suite("The history of changes")
struct HistoryTests {
    private static let kills: Int =
        ProcessInfo.processInfo.environment["ROSTER_TEST_KILLS"].flatMap { Int($0) } ?? 3

    enum Store: CaseIterable {
        case imported, saved, foreign, postgres

        static let available = allCases.filter {
            $0 != .postgres || PostgresCluster.programs != nil
        }
    }

    private struct Values: Codable, Equatable {
        var id: Int?
        var name: String?
        var age: Int?
    }

    private struct Entry: Decodable {
        let id: Int
        let time: String
        let caller: String?
        let list: String
        let row: String
        let change: String
        let old: Values?
        let new: Values?
        let outcome: String

        var text: String {
            func text(_ values: Values?) -> String {
                values.map { "\($0.name ?? "-") \($0.age.map(String.init) ?? "-")" } ?? "none"
            }
            return "\(row) \(change): \(text(old)) > \(text(new))"
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let file = "id,name,age\n1,Ada,36\n2,Bo,41\n3,Cy,5\n"

    private func arguments(_ store: Store) throws -> [String] {
        let common = ["--allow-anonymous-writes", "--history", folder.path("history.db")]
        switch store {
        case .imported:
            let file = try folder.write(Self.file, to: "people.csv")
            return [file, "--database", folder.path("lists.db")] + common
        case .saved: return [try folder.write(Self.file, to: "people.csv")] + common
        case .foreign:
            let path = folder.path("people.db")
            try DatabaseConnection(.file(path), access: .readWrite).execute(Self.table)
            return [path] + common
        case .postgres:
            let cluster = try #require(PostgresCluster.shared)
            let schema = "h\(UInt64.random(in: 0...UInt64.max))"
            try cluster.run("CREATE SCHEMA \(schema); SET search_path = \(schema); \(Self.table)")
            return [cluster.address(schema: schema)] + common
        }
    }

    private static let table = """
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
        INSERT INTO people VALUES (1, 'Ada', 36), (2, 'Bo', 41), (3, 'Cy', 5);
        """

    private func ask(
        _ server: RosterProcess,
        _ method: String,
        _ target: String,
        _ body: String = "",
        fields: String = ""
    ) throws -> RawResponse {
        let client = try server.connect()
        let type = fields.contains("Content-Type") ? "" : "Content-Type: application/json\r\n"
        try client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(type)\(fields)"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return try client.receiveResponse(to: method)
    }

    /// The oldest entry first.
    private func entries(
        _ server: RosterProcess,
        _ target: String = "/-/history.ndjson?sort=id&limit=500",
        fields: String = ""
    ) throws -> [Entry] {
        let response = try server.get(target, fields: fields)
        #expect(response.status == 200, "\(response.text)")
        return try response.text.split(separator: "\n").map {
            try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
        }
    }

    private func names(_ server: RosterProcess) throws -> [String] {
        try server.get("/people.ndjson?sort=id").text.split(separator: "\n").map {
            let row = try JSONDecoder().decode(Values.self, from: Data($0.utf8))
            return "\(row.id ?? 0) \(row.name ?? "-") \(row.age ?? 0)"
        }
    }

    @Test(
        "every committed change is there with its values, and nothing else",
        arguments: Store.available
    )
    func changes(store: Store) throws {
        let arguments = try arguments(store)
        let server = try RosterProcess(serving: arguments)
        #expect(try ask(server, "PATCH", "/people/1", #"{"age":37}"#).status == 200)
        #expect(try ask(server, "PATCH", "/people/1", #"{"age":37}"#).status == 200)
        #expect(try ask(server, "PATCH", "/people/1", #"{"age":"old"}"#).status == 422)
        #expect(try ask(server, "PATCH", "/people/9", #"{"age":1}"#).status == 404)
        #expect(try ask(server, "PUT", "/people/4", #"{"name":"Di","age":7}"#).status == 201)
        #expect(try ask(server, "DELETE", "/people/2").status == 204)
        let refused = #"[{"id":1,"age":1},{"id":3,"age":6},{"id":5,"age":"x"}]"#
        let address = "/people/-/rows?on_duplicate=merge"
        #expect(try ask(server, "POST", address, refused).status == 422)
        let rows = #"[{"id":1,"age":38},{"id":5,"name":"Ed","age":1}]"#
        #expect(try ask(server, "POST", address, rows).status == 200)
        let expected = [
            "1 changed: Ada 36 > Ada 37", "4 created: none > Di 7", "2 deleted: Bo 41 > none",
            "1 changed: Ada 37 > Ada 38", "5 created: none > Ed 1",
        ]
        var found = try entries(server)
        #expect(found.map(\.text) == expected)
        #expect(found.allSatisfy { $0.outcome == "committed" && $0.list == "people" })
        #expect(found.allSatisfy { $0.caller == nil && $0.time.wholeMatch(of: /20.*T.*Z/) != nil })
        let ofRow = try entries(server, "/people/1/-/history.ndjson?sort=id")
        #expect(ofRow.map(\.text) == [expected[0], expected[3]])
        #expect(try server.get("/people/1/-/history.csv").text.contains("changed"))
        let page = try server.get("/people/1/-/history?limit=1").text
        #expect(page.contains(#""total":{"value":2,"#) && page.contains("/history?list__is=people"))
        try server.stop()
        found = try entries(try RosterProcess(serving: arguments))
        #expect(found.map(\.text) == expected)
    }

    @Test("an import records each row, and a failed one none", arguments: Store.available)
    func imports(store: Store) throws {
        let server = try RosterProcess(serving: try arguments(store))
        func post(_ file: String) throws -> String {
            let address = "/people/-/import?on_duplicate=merge"
            let fields = "Content-Type: text/csv\r\nAccept: application/json\r\n"
            let begun = try ask(server, "POST", address, file, fields: fields)
            let progress = try #require(begun.field("Location"))
            while true {
                let text = try server.get(progress, fields: "Accept: application/json\r\n").text
                let state = text.firstMatch(of: /"state":"(\w+)"/).map { String($0.1) } ?? text
                if ["done", "failed"].contains(state) { return state }
            }
        }
        let many = (10..<2_510).map { "\($0),n\($0),\($0)\n" }.joined()
        #expect(try post("id,name,age\n1,Ada,40\n" + many) == "done")
        #expect(try post("id,name,age\n2,Bo,1\n\(many)3,Cy,x\n") == "failed")
        let total = try server.get("/-/history.json?limit=1&count=exact").text
        #expect(total.contains(#""total":{"value":2501,"#), "\(total)")
        let last = try entries(server, "/people/2509/-/history.ndjson")
        #expect(last.map(\.text) == ["2509 created: none > n2509 2509"])
        let first = try entries(server, "/people/1/-/history.ndjson")
        #expect(first.map(\.text) == ["1 changed: Ada 36 > Ada 40"])
    }

    @Test("old values and deleted rows are restored", arguments: Store.available)
    func restoring(store: Store) throws {
        let server = try RosterProcess(serving: try arguments(store))
        #expect(try ask(server, "PATCH", "/people/1", #"{"age":37}"#).status == 200)
        #expect(try ask(server, "PATCH", "/people/1", #"{"name":"Eve"}"#).status == 200)
        #expect(try ask(server, "DELETE", "/people/2").status == 204)
        #expect(try ask(server, "PUT", "/people/4", #"{"name":"Di"}"#).status == 201)
        let row = try server.get("/people/1.html").text
        #expect(row.contains("Age: 36 → 37") && row.contains("/history/1/-/restore"))
        let first = try ask(server, "POST", "/history/1/-/restore")
        #expect(first.status == 200 && first.text.contains(#""location":"/people/1""#))
        #expect(try ask(server, "POST", "/history/3/-/restore").status == 200)
        #expect(try ask(server, "POST", "/history/4/-/restore").status == 404)
        #expect(try ask(server, "POST", "/history/99/-/restore").status == 404)
        let expected = ["1 Eve 36", "2 Bo 41", "3 Cy 5", "4 Di 0"]
        #expect(try names(server) == expected)
        let added = try entries(server).dropFirst(4).map(\.text)
        #expect(added == ["1 changed: Eve 37 > Eve 36", "2 created: none > Bo 41"])
        let again = try ask(server, "POST", "/history/1/-/restore")
        #expect(again.status == 409 && again.text.contains("Column 'Age' was changed again"))
        let anyway = try ask(server, "POST", "/history/1/-/restore", fields: "If-Match: *\r\n")
        #expect(anyway.status == 200)
        let existing = try ask(server, "POST", "/history/3/-/restore")
        #expect(existing.status == 409 && existing.text.contains("Row '2' exists again"))
        #expect(try ask(server, "DELETE", "/history/1").status == 405)
        #expect(try ask(server, "PATCH", "/history/1", #"{"caller":"x"}"#).status == 405)
        let form = "Content-Type: application/x-www-form-urlencoded\r\nAccept: text/html\r\n"
        let page = try ask(server, "POST", "/history/2/-/restore", fields: form)
        #expect(page.status == 303 && page.field("Location") == "/people/1")
        let foreign = form + "Origin: http://evil.example\r\n"
        #expect(try ask(server, "POST", "/history/1/-/restore", fields: foreign).status == 403)
    }

    @Test("a caller sees the changes of lists whose rows are all visible, and restores by right")
    func rights() throws {
        let people = try folder.write(Self.file, to: "people.csv")
        let notes = try folder.write("id,text\n1,a\n", to: "notes.csv")
        // Digests of the tokens a-token, b-token and so on.
        let scopes = [
            "*:write", "people:write", "people:read:name=Ada people:write notes:read", "notes:read",
            "people:read:name=Ada",
        ]
        let names = ["ann", "bea", "cat", "dan", "eve"]
        let tokens = try zip(names, scopes).map { name, scope in
            let made = try RosterProcess.run(
                ["token", name] + scope.split(separator: " ").map(String.init)
            )
            #expect(made.ending == .exit(0), "\(made.lines)")
            return made
        }
        let lines = tokens.compactMap { made in
            made.output.split(separator: "\n").first { $0.contains("sha256:") }
        }
        let secrets = try tokens.map { made in
            let all = made.output + made.lines.joined(separator: "\n")
            return String(try #require(all.firstMatch(of: /roster_[A-Za-z0-9_-]+/)).0)
        }
        let file = try folder.write(lines.joined(separator: "\n") + "\n", to: "tokens")
        let server = try RosterProcess(serving: [
            people, notes, "--tokens", file, "--anonymous", "none", "--allow-writes",
            "--history", folder.path("history.db"),
        ])
        func fields(_ index: Int) -> String { "Authorization: Bearer \(secrets[index])\r\n" }
        func patch(_ target: String, _ json: String, _ index: Int) throws -> Int {
            try ask(server, "PATCH", target, json, fields: fields(index)).status
        }
        #expect(try patch("/people/1", #"{"age":1}"#, 1) == 200)
        #expect(try patch("/people/1", #"{"age":2}"#, 2) == 200)
        #expect(try patch("/people/2", #"{"age":2}"#, 0) == 200)
        #expect(try patch("/notes/1", #"{"text":"b"}"#, 0) == 200)
        let seen = try (0..<4).map { index in
            try entries(server, fields: fields(index)).map {
                "\($0.list) \($0.row) \($0.caller ?? "")"
            }
        }
        let ofPeople = ["people 1 bea", "people 1 cat", "people 2 ann"]
        #expect(seen == [ofPeople + ["notes 1 ann"], ofPeople, ["notes 1 ann"], ["notes 1 ann"]])
        let partial = try server.get("/people/1/-/history", fields: fields(2))
        #expect(partial.status == 403 && partial.text.contains("sees only some rows of 'people'"))
        #expect(try server.get("/people/1/-/history", fields: fields(3)).status == 404)
        #expect(try server.get("/nosuch/1/-/history", fields: fields(0)).status == 404)
        #expect(try server.get("/history/1", fields: fields(3)).status == 404)
        #expect(try server.get("/-/history").status == 401)
        #expect(try server.get("/-/history", fields: fields(4)).status == 404)
        func restore(_ entry: Int, _ index: Int) throws -> Int {
            try ask(server, "POST", "/history/\(entry)/-/restore", fields: fields(index)).status
        }
        #expect(try restore(4, 3) == 403)
        #expect(try restore(4, 1) == 404)
        #expect(try restore(3, 2) == 404)
        #expect(try restore(4, 0) == 200)
    }

    @Test("actions of a program are recorded with the values around them")
    func actions() throws {
        let program = try RosterProcess(
            ["--port", "0", "--history", folder.path("history.db")],
            program: RosterProcess.program(named: "BrowserExample")
        )
        _ = try #require(try program.waitForLine { $0.contains(" at http://") })
        #expect(try ask(program, "POST", "/tasks/3/-/finish").status == 200)
        #expect(try ask(program, "POST", "/tasks/3/-/finish").status == 404)
        let found = try program.get("/-/history.csv?columns=row,change,old,new,outcome").text
        let line: Substring = #"3,action finish,"{""title"":""Task 3""}",,committed"#
        #expect(found.split(separator: "\r\n").dropFirst() == [line])
    }

    @Test("a killed server has recorded what it acknowledged, and nothing that is not there")
    func kills() throws {
        let arguments = try arguments(.foreign)
        for round in 0..<Self.kills {
            let server = try RosterProcess(serving: arguments)
            let clients = try (0..<16).map { _ in try server.connect() }
            var acknowledged: Set<String> = []
            for write in 0..<10 {
                for (number, client) in clients.enumerated() {
                    let body = #"{"name":"\#(round)-\#(write)"}"#
                    try client.send(
                        "PUT /people/\(100 + number) HTTP/1.1\r\nHost: localhost\r\n"
                            + "Content-Type: application/json\r\n"
                            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    )
                }
                guard write < 9 else { break }
                for (number, client) in clients.enumerated() {
                    #expect([200, 201].contains(try client.receiveResponse(to: "PUT").status))
                    acknowledged.insert("\(100 + number) \(round)-\(write)")
                }
            }
            server.send(SIGKILL)
            #expect(try server.waitForEnding().ending == .signal(SIGKILL))
            let again = try RosterProcess(serving: arguments)
            let found = try entries(
                again,
                "/-/history.ndjson?sort=id&limit=500&list=people&new.name__startswith=\(round)-"
            )
            let committed = found.filter { $0.outcome == "committed" }
            let recorded = Set(committed.map { "\($0.row) \($0.new?.name ?? "")" })
            #expect(acknowledged.isSubset(of: recorded))
            #expect(found.allSatisfy { ["committed", "unknown"].contains($0.outcome) })
            let last = Dictionary(committed.map { ($0.row, $0.new?.name) }) { $1 }
            let rows = try again.get("/people.ndjson?id__gte=100").text.split(separator: "\n").map {
                try JSONDecoder().decode(Values.self, from: Data($0.utf8))
            }
            for row in rows {
                let id = "\(row.id ?? 0)"
                // A change with an unknown outcome may be the last one.
                let unknown = found.contains {
                    $0.row == id && $0.outcome == "unknown" && $0.new?.name == row.name
                }
                #expect(last[id] == row.name || unknown, "\(id)")
            }
            try again.stop()
        }
    }

    @Test("changes that cannot be recorded are refused", .enabled(if: SmallDisk.isPossible))
    func fullDisk() throws {
        let disk = try SmallDisk(megabytes: 1)
        let file = try folder.write(Self.file, to: "people.csv")
        let server = try RosterProcess(serving: [
            file, "--database", folder.path("lists.db"), "--allow-anonymous-writes",
            "--history", disk.path + "/history.db",
        ])
        let long = String(repeating: "x", count: 60_000)
        var written = ""
        var status = 200
        for number in 0..<40 where status == 200 {
            let name = "\(number)\(long)"
            status = try ask(server, "PATCH", "/people/1", #"{"name":"\#(name)"}"#).status
            if status == 200 { written = name }
        }
        #expect(status == 507)
        #expect(try server.get("/people/1").text.contains(#""name":"\#(written)""#))
        try disk.resize(megabytes: 4)
        #expect(try ask(server, "PATCH", "/people/1", #"{"name":"short"}"#).status == 200)
        let all = try entries(server, "/people/1/-/history.ndjson?sort=-id")
        #expect(all.allSatisfy { $0.outcome == "committed" })
        #expect(all.first?.new?.name == "short" && all.dropFirst().first?.new?.name == written)
    }

    @Test("a file that holds anything else, or is served, is not touched")
    func refusedFiles() throws {
        let file = try folder.write(Self.file, to: "people.csv")
        let other = folder.path("other.db")
        let connection = try DatabaseConnection(.file(other), access: .readWrite)
        try connection.execute("PRAGMA journal_mode = DELETE; CREATE TABLE t (id INTEGER)")
        let before = try Data(contentsOf: URL(filePath: other))
        let link = folder.path("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
        for path in [other, folder.path("./other.db"), link] {
            let run = try RosterProcess.run([other, "--history", path])
            #expect(run.ending == .exit(78))
            let text = "roster: --history: \(path) holds something else; name another file"
            #expect(run.lines.last == text)
        }
        #expect(try Data(contentsOf: URL(filePath: other)) == before)
        let same = folder.path("lists.db")
        let database = try RosterProcess.run([file, "--database", same, "--history", same])
        #expect(database.ending == .exit(78), "\(database.lines)")
        let history = folder.path("history.db")
        try RosterProcess(serving: [file, "--history", history]).stop()
        let served = try RosterProcess.run([history, "--history", folder.path("./history.db")])
        #expect(served.lines.last?.hasSuffix("is served; name another file") ?? false)
        let text = try folder.write("no database", to: "text.db")
        let broken = try RosterProcess.run([file, "--history", text])
        #expect(broken.lines.last?.hasPrefix("roster: --history: ") ?? false, "\(broken.lines)")
        let days = try RosterProcess.run([file, "--history-days", "3"])
        #expect(days.lines.last == "roster: --history-days has no effect without --history")
        let memory = try RosterProcess.run([file, "--history", ":memory:"])
        #expect(memory.ending == .exit(78))
        let named = try folder.write("id\n1\n", to: "history.csv")
        let taken = try RosterProcess.run([named, "--history", history])
        #expect(taken.ending == .exit(78) && taken.lines.last?.contains("rename it") ?? false)
    }

    @Test("a file that is removed while the server runs refuses writes")
    func removedFile() throws {
        let server = try RosterProcess(serving: try arguments(.saved))
        #expect(try ask(server, "PATCH", "/people/1", #"{"age":37}"#).status == 200)
        try FileManager.default.removeItem(atPath: folder.path("history.db"))
        #expect(try ask(server, "PATCH", "/people/1", #"{"age":38}"#).status == 503)
        #expect(try names(server)[0] == "1 Ada 37")
    }

    @Test("changes of lists that are not served are not shown")
    func otherLists() throws {
        let people = try folder.write(Self.file, to: "people.csv")
        let notes = try folder.write("id,text\n1,a\n", to: "notes.csv")
        let rest = ["--allow-anonymous-writes", "--history", folder.path("history.db")]
        let server = try RosterProcess(serving: [people, notes] + rest)
        #expect(try ask(server, "PATCH", "/people/1", #"{"age":37}"#).status == 200)
        #expect(try ask(server, "PATCH", "/notes/1", #"{"text":"b"}"#).status == 200)
        try server.stop()
        let again = try RosterProcess(serving: [notes] + rest)
        let shown = try again.get("/-/history.csv?columns=list,row").text
        #expect(shown == "list,row\r\nnotes,1\r\n")
        #expect(try again.get("/history/1").status == 404)
        try again.stop()
    }

    @Test("values that were not recorded are not restored as nothing, and conditions hold")
    func limitsOfRestoring() throws {
        let path = folder.path("people.db")
        try DatabaseConnection(.file(path), access: .readWrite).execute(
            """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, photo BLOB);
            INSERT INTO people VALUES (1, 'Ada', x'0102'), (2, 'Bo', NULL);
            """
        )
        let arguments = [
            path, "--allow-anonymous-writes", "--history", folder.path("history.db"),
        ]
        let server = try RosterProcess(serving: arguments)
        #expect(try ask(server, "DELETE", "/people/1").status == 204)
        #expect(try ask(server, "PATCH", "/people/2", #"{"name":"Bob"}"#).status == 200)
        let bytes = try ask(server, "POST", "/history/1/-/restore")
        #expect(bytes.status == 409 && bytes.text.contains("'photo'"), "\(bytes.text)")
        #expect(try server.get("/people/1").status == 404)
        let wrong = "If-Match: \"nope\"\r\n"
        #expect(try ask(server, "POST", "/history/2/-/restore", fields: wrong).status == 412)
        try server.stop()
        let strict = try RosterProcess(serving: arguments + ["--require-if-match"])
        #expect(try ask(strict, "POST", "/history/2/-/restore").status == 428)
        let tag = try #require(try strict.get("/people/2").field("ETag"))
        let restored = try ask(
            strict,
            "POST",
            "/history/2/-/restore",
            fields: "If-Match: \(tag)\r\n"
        )
        #expect(restored.status == 200, "\(restored.text)")
        try strict.stop()
    }

    @Test("other methods are refused at the addresses of the history")
    func methods() throws {
        let server = try RosterProcess(serving: try arguments(.saved))
        for address in ["/-/history", "/people/1/-/history"] {
            for method in ["PUT", "DELETE", "POST"] {
                let refused = try ask(server, method, address)
                #expect(refused.status == 405, "\(method) \(address)")
            }
            let options = try ask(server, "OPTIONS", address)
            #expect(options.status == 204 && options.field("Allow")?.contains("GET") ?? false)
        }
    }
}
