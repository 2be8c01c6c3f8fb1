import Foundation
import SQLite
import TestSupport
import Testing

@Suite("What is sent is never taken for SQL, nor for a path")
struct InjectionTests {
    private static let payloads = [
        "' OR '1'='1", "'; DROP TABLE people; --", "1; DELETE FROM people", "1 OR 1=1",
        "\" OR \"\"=\"", "x' UNION SELECT name, sql FROM sqlite_schema --", "') OR ('1'='1",
        "1) UNION ALL SELECT 1,2,3,4,5 --", "`; DROP TABLE people", "]; DROP TABLE people --",
        "people; ATTACH DATABASE '/tmp/roster-injected.db' AS x",
        "'||(SELECT name FROM roster_lists)||'", "admin'/*", "*/ OR /*", "-- ", "/**/OR/**/1=1",
        "1 AND randomblob(100000000)", "load_extension('/tmp/x.so')", "%27%20OR%201=1",
        "\\'; DROP TABLE people; --", "¼' OR 1=1", "name COLLATE NOCASE", "(SELECT 1)",
        "CASE WHEN 1 THEN name ELSE id END", "name, (SELECT sql FROM sqlite_schema)",
        "?1", ":a", "@x", "$y", "NULL", "../../../etc/passwd", "..%2f..%2fetc%2fpasswd",
        "{\"$gt\":\"\"}",
        "name\" FROM people; DROP TABLE people; --", "*", "\" NEAR \"", "name : x", "a* OR b",
        "^a", "{c0}: x", "people_words MATCH 'x'", "<script>alert(1)</script>", "\u{0}' OR 1=1",
    ]

    private let folder: TemporaryFolder
    private let database: String
    private let server: RosterProcess

    init() throws {
        folder = try TemporaryFolder()
        database = folder.path("lists.db")
        let file = try folder.write(
            "id,name,city,age\n1,Ada,Oslo,36\n2,Bob,Rome,40\n3,Cy,Oslo,\n",
            to: "people.csv"
        )
        try folder.write("id,name\n1,untouched\n", to: "control.csv")
        server = try RosterProcess(
            serving: [
                file, folder.path("control.csv"), "--database", database,
                "--allow-anonymous-writes", "--group-by", "people=city",
            ]
        )
    }

    private func contents() throws -> [String] {
        let connection = try DatabaseConnection(.file(database), access: .readOnly)
        var lines: [String] = []
        let schema = try connection.prepare("SELECT name || coalesce(sql, '') FROM sqlite_schema")
        while try schema.step() { lines.append(schema.text(0)) }
        for table in ["people", "control", "roster_lists", "roster_columns"] {
            let rows = try connection.prepare("SELECT * FROM \(table) ORDER BY 1, 2")
            while try rows.step() {
                lines.append((0..<4).map { rows.text($0) }.joined(separator: "|"))
            }
        }
        return lines.sorted()
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }

    private func expectHarmless(
        _ client: inout RawConnection,
        _ request: String,
        _ what: String
    ) throws {
        try client.send(request)
        let answer = try client.receiveResponse()
        // What is no request at all ends its connection.
        if answer.field("Connection") == "close" { client = try server.connect() }
        #expect(answer.status < 500, "\(what): \(answer.text)")
        for secret in ["sqlite_schema", "CREATE TABLE", "SQLite", "root:x:"] {
            let isEcho = what.contains(secret)
            #expect(isEcho || !answer.text.contains(secret), "\(what): \(answer.text)")
        }
    }

    @Test("in every parameter, part of a path and field of a request that reads")
    func reading() throws {
        let before = try contents()
        var client = try server.connect()
        for payload in Self.payloads {
            let sent = Self.escaped(payload)
            let parameters = [
                "limit", "after", "before", "page", "per_section", "group", "section", "sort",
                "columns", "q", "facets", "count", "jump", "layout", "collapsed", "expanded",
                "segment", "notice", "name", "name__ne", "name__in", "name__contains",
                "name__startswith", "name__isnull", "age", "age__gte", "id", "id__in",
            ]
            var targets = parameters.map { "/people?\($0)=\(sent)" }
            targets += [
                "/people?\(sent)=1", "/people?name__\(sent)=1", "/people?group=\(sent):initial",
            ]
            targets += ["/\(sent)", "/people/\(sent)", "/people/-/\(sent)", "/people.\(sent)"]
            targets += ["/people/-/sections/\(sent)", "/people/1/-/\(sent)", "/-/\(sent)"]
            targets += ["/-/assets/\(sent)", "/-/problems/\(sent)"]
            for target in targets {
                let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
                try expectHarmless(&client, request, "\(target) \(payload)")
            }
            // What cannot stand in a field is another test's.
            guard !payload.contains("\u{0}") else { continue }
            for field in [
                "Accept", "If-None-Match", "Prefer", "X-Request-Id", "Cookie", "Authorization",
                "Accept-Language", "User-Agent", "Referer", "X-Forwarded-For", "If-Modified-Since",
            ] {
                let request =
                    "GET /people HTTP/1.1\r\nHost: localhost\r\n\(field): \(payload)\r\n\r\n"
                try expectHarmless(&client, request, "\(field): \(payload)")
            }
        }
        #expect(try contents() == before)
        #expect(FileManager.default.fileExists(atPath: "/tmp/roster-injected.db") == false)
    }

    @Test("in every cell, id, key and condition of a request that writes")
    func writing() throws {
        let before = try contents()
        let client = try server.connect()
        func send(
            _ method: String,
            _ target: String,
            _ body: String,
            _ fields: String = "Content-Type: application/json\r\n"
        ) throws -> RawResponse {
            try client.send(
                "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            let answer = try client.receiveResponse(to: method)
            #expect(answer.status < 500, "\(method) \(target) \(body): \(answer.text)")
            return answer
        }
        for payload in Self.payloads where !payload.contains("\u{0}") {
            let json = String(decoding: try JSONEncoder().encode(payload), as: UTF8.self)
            let sent = Self.escaped(payload)
            // A text is stored as it is sent, and found again by what it is.
            #expect(try send("PUT", "/people/9", "{\"name\":\(json)}").status == 201, "\(payload)")
            let found = try server.page("/people.json?name=\(sent)")
            #expect(found.sections.flatMap(\.rows).map(\.cells["name"]) == [.text(payload)])
            #expect(try send("DELETE", "/people/9", "", "").status == 204)
            let refused = [
                try send("PUT", "/people/9", "{\"age\":\(json)}"),
                try send("PUT", "/people/9", "{\(json):1}"),
                try send("POST", "/people", "{\"id\":\(json)}"),
                try send("PUT", "/people/\(sent)", "{\"name\":\"x\"}"),
                try send("PATCH", "/people/\(sent)", "{\"name\":\"x\"}"),
                try send("DELETE", "/people/\(sent)", "", ""),
                try send("POST", "/people/-/rows", "[{\"id\":\(json)}]"),
                try send("POST", "/people/-/rows?on_duplicate=\(sent)", "[]"),
                try send("POST", "/people/-/actions/\(sent)", "{\"ids\":[\(json)]}"),
                try send("POST", "/people/1/-/\(sent)", "{}"),
                try send(
                    "DELETE",
                    "/people/1",
                    "",
                    "If-Match: \"\(payload.filter { $0 != "\"" })\"\r\n"
                ),
                try send(
                    "POST",
                    "/people",
                    "age=\(sent)",
                    "Content-Type: application/x-www-form-urlencoded\r\n"
                ),
            ]
            #expect(refused.allSatisfy { (400..<500).contains($0.status) }, "\(payload)")
            let key = payload.filter { $0.isASCII && $0 > " " && $0 != "\"" }
            let keyed = "Content-Type: application/json\r\nIdempotency-Key: \(key)\r\n"
            #expect(try send("PATCH", "/people/1", "{\"name\":\"Ada\"}", keyed).status < 300)
        }
        // The version and the answers kept have moved; nothing else has.
        func rows(_ lines: [String]) -> [String] {
            lines.filter { !$0.contains("roster_answers") && !$0.contains("people.csv") }
                .filter { !$0.hasPrefix("people|") }
        }
        #expect(try rows(contents()) == rows(before))
        #expect(try server.page("/control").ids == ["1"])
    }
}
