import Foundation
import TestSupport
import Testing

@Suite("A list answers alike from memory and from a database")
struct EngineTests {
    @Test("a database of an earlier run is served as a source, and not written to")
    func asSource() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(People(50).csv, to: "people.csv")
        let database = folder.path("lists.db")
        let first = try RosterProcess(serving: [file, "--database", database])
        let page = try first.page("/people?group=occupation")
        try first.stop()
        let bytes = try Data(contentsOf: URL(filePath: database))
        let second = try RosterProcess(serving: [database])
        #expect(try second.page("/people?group=occupation") == page)
        try second.stop()
        #expect(try Data(contentsOf: URL(filePath: database)) == bytes)
        let named = try RosterProcess.run(["--port", "0", "people=\(database)"])
        #expect(named.ending == .exit(64))
        #expect(named.lines.count == 1)
        let missing = try RosterProcess.run(["--port", "0", folder.path("missing.db")])
        #expect(missing.ending == .exit(66))
        #expect(missing.lines == ["roster: \(folder.path("missing.db")): no such file"])
        #expect(folder.size(of: "missing.db") == 0)
    }

    @Test("whatever is asked, nothing is the service's fault", arguments: 0..<4)
    func anyRequest(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        let file = try folder.write(People(40).csv, to: "users.csv")
        let server = try RosterProcess(serving: [file, "--loops", "1"])
        let client = try server.connect()
        for _ in 0..<250 {
            let target = RandomTarget(&random).text
            let accept =
                ["*/*", "text/html", "text/csv", "x", "image/png, */*;q=0"]
                .randomElement(using: &random) ?? "*/*"
            try client.send(
                "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\n\r\n"
            )
            let response = try client.receiveResponse()
            #expect([200, 308, 400, 404, 406, 410].contains(response.status), "\(target)")
        }
        try server.stop()
    }
}

/// A request target that a client might send, sensible or not, and always well-formed HTTP.
struct RandomTarget {
    let text: String

    init(_ random: inout SeededGenerator) {
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
        let words = [
            "age", "id", "firstName", "lastName", "occupation", "visits", "joined", "height",
            "active", "-visits", "-joined:nullsfirst", "lastName:initial", "none", "~", "Pilot",
            "Designer%20%2F%20Artist", "", "0", "1", "3", "50", "500", "501", "-1", "abc",
            "%F0%9F%91%A9",
            "%", "%zz", "%ff", "a,b,,c", "true", "2020-10-10", "99999999999999999999", "%00", "%0A",
            "AQAA0y9R8QIAAAAGV3JpdGVy", "é".addingPercentEncoding(withAllowedCharacters: []) ?? "",
            "'",
        ]
        let names = [
            "limit", "after", "before", "page", "sort", "group", "section", "per_section",
            "columns",
            "utm_source", "q", "lmit", "", "%zz", "section%5B%5D",
        ]
        let paths = [
            "/users", "/users.html", "/users.csv", "/users.ndjson", "/users.json",
            "/users/-/sections",
            "/users/-/sections.html", "/users/-/sections/Pilot", "/users/-/sections/~.csv",
            "/users/1",
            "/users/1.html", "/users/-/schema", "/",
            "/users/\(pick(words.filter { !$0.contains("%") }))",
            "/users/-/sections/\(pick(words.filter { !$0.contains("%") }))",
            "/\(pick(["a", "-", ".html"]))",
        ]
        var target = pick(paths)
        for index in 0..<Int.random(in: 0...4, using: &random) {
            target += (index == 0 ? "?" : "&") + pick(names)
            if Int.random(in: 0..<8, using: &random) > 0 { target += "=" + pick(words) }
        }
        text = target
    }
}
