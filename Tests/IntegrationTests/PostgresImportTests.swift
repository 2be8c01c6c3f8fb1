import Foundation
import TestSupport
import Testing

@Suite("Files of rows are imported into tables of PostgreSQL", .needsPostgres)
struct PostgresImportTests {
    private let cluster: PostgresCluster
    private let schema = "p\(UInt64.random(in: 0...UInt64.max))"
    private let server: RosterProcess

    init() throws {
        cluster = try #require(PostgresCluster.shared)
        try cluster.run(
            """
            CREATE SCHEMA \(schema); SET search_path = \(schema);
            CREATE TABLE people (id int PRIMARY KEY, name text NOT NULL, mail text UNIQUE,
                born date, score numeric, role text DEFAULT 'guest', code varchar(3));
            INSERT INTO people (id, name, mail) VALUES (1, 'Ada', 'a@b.c');
            """
        )
        server = try RosterProcess(serving: [
            cluster.address(schema: schema), "--loops", "1", "--allow-anonymous-writes",
        ])
    }

    private func count() throws -> String {
        let found = try cluster.run("SET search_path = \(schema); SELECT count(*) FROM people")
        return String(found.split(separator: "\n").last ?? "")
    }

    private func post(
        _ file: String,
        _ query: String = "",
        type: String = "text/csv",
        to server: RosterProcess? = nil
    ) throws -> String {
        let client = try (server ?? self.server).connect()
        try client.send(
            "POST /people/-/import\(query) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
                + "Content-Length: \(file.utf8.count)\r\n\r\n\(file)"
        )
        let response = try client.receiveResponse(to: "POST")
        #expect(response.status == 202, "\(response.text)")
        return try #require(response.field("Location"))
    }

    /// Asks how far an import is until it is so, or has ended.
    private func progress(
        _ location: String,
        until isSo: (String) -> Bool = { _ in false }
    ) throws -> String {
        while true {
            let text = try server.get(location, fields: "Accept: application/json\r\n").text
            let isAtEnd = ["done", "failed", "interrupted"].contains { state in
                text.contains(#""state":"\#(state)""#)
            }
            if isAtEnd || isSo(text) { return text }
        }
    }

    @Test("values of a file are those of the table, whatever characters they have")
    func values() throws {
        let file = """
            id,name,mail,born,score,role,code
            2,"tab\tand, ""quotes"" \\N \\\\",x@y.z,2024-02-29,1.50,,abc
            3,"two\nlines",,,,"",
            4,Zoë,\\.,0001-01-01,-7,admin,é
            5,plain,p@q.r,2024-02-28,12345678901234567890,user,x

            """
        let done = try progress(post(file))
        #expect(done.contains(#""state":"done","rows":{"read":4,"inserted":4"#), "\(done)")
        let rows = try server.get("/people.ndjson").text.split(separator: "\n")
        #expect(rows.count == 5)
        #expect(rows[1].contains(#""name":"tab\tand, \"quotes\" \\N \\\\""#), "\(rows[1])")
        #expect(rows[1].contains(#""score":1.5"#) && rows[1].contains(#""role":null"#))
        #expect(rows[2].contains(#""name":"two\nlines","mail":null,"born":null"#), "\(rows[2])")
        #expect(rows[2].contains(#""role":"","code":null"#))
        #expect(rows[3].contains(#""mail":"\\.","born":"0001-01-01","score":-7"#))
        #expect(rows[4].contains("12345678901234567890"))
        let lines = #"{"id":6,"name":"a"}"# + "\n" + #"{"id":7,"name":"b","role":"x"}"# + "\n"
        _ = try progress(post(lines, type: "application/x-ndjson"))
        let last = try server.get("/people.ndjson?id__gte=6").text
        #expect(last.contains(#""role":"guest""#) && last.contains(#""role":"x""#), "\(last)")
    }

    @Test("rows that exist are refused, kept, replaced or merged")
    func duplicates() throws {
        let rows = (1...3).map { "\($0),n\($0)\n" }.joined()
        let file = "id,name\n" + rows
        let refused = try progress(post(file))
        #expect(refused.contains(#""state":"failed""#) && refused.contains(#""line":2"#))
        #expect(refused.contains("The id '1' is taken") || refused.contains("taken"), "\(refused)")
        #expect(try count() == "1")
        let kept = try progress(post(file, "?on_duplicate=keep-first"))
        #expect(kept.contains(#""inserted":2,"replaced":0,"unchanged":1"#), "\(kept)")
        let merged = try progress(post("id,name\n1,n1\n2,n2\n4,n4\n", "?on_duplicate=merge"))
        #expect(merged.contains(#""inserted":1,"replaced":1,"unchanged":1"#), "\(merged)")
        #expect(try server.get("/people/1").text.contains("a@b.c"))
        let replaced = try progress(post("id,name\n1,n1\n1,m1\n", "?on_duplicate=replace"))
        #expect(replaced.contains(#""replaced":2"#), "\(replaced)")
        let row = try server.get("/people/1").text
        #expect(row.contains(#""name":"m1","mail":null"#) && row.contains("guest"), "\(row)")
    }

    @Test("every refused row is named by its line and column, and nothing is written")
    func errors() throws {
        var lines = (10..<60_000).map { "\($0),name \($0),m\($0)@b.c,abc\n" }
        lines[45_000] = "45010,name,m5@b.c,toolong\n"
        lines[45_001] = "45011,name,a@b.c,abc\n"
        lines[45_002] = "17,name,,abc\n"
        let failed = try progress(post("id,name,mail,code\n" + lines.joined()))
        #expect(failed.contains(#""refused":3"#), "\(failed)")
        #expect(failed.contains(#"{"line":45002,"column":1,"field":"code""#), "\(failed)")
        #expect(failed.contains(#"{"line":45003,"column":1,"field":"mail""#), "\(failed)")
        #expect(failed.contains(#"{"line":45004,"column":1,"#), "\(failed)")
        #expect(try count() == "1")
        let missing = try progress(post("id,name,born\n2,x,2024-02-30\n3,,2024-01-01\n"))
        #expect(missing.contains(#"{"line":2,"column":5,"field":"born""#), "\(missing)")
        #expect(missing.contains(#"{"line":3,"column":3,"field":"name""#), "\(missing)")
    }

    @Test(
        "an import that is stopped, or whose server ends, leaves nothing",
        arguments: [true, false]
    )
    func interrupted(isStopped: Bool) throws {
        let rows = (10..<300_000).map { "\($0),a name that takes room \($0)\n" }
        let location = try post("id,name\n" + rows.joined())
        _ = try progress(location) { !$0.contains(#""rows":{"read":0,"#) }
        if isStopped {
            let client = try server.connect()
            try client.send("DELETE \(location) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try client.receiveResponse(to: "DELETE")
            let end = try progress(location)
            #expect(end.contains(#""state":"interrupted""#), "\(end)")
        } else {
            server.send(SIGTERM)
            #expect(try server.waitForEnding().ending == .exit(0))
        }
        #expect(try count() == "1")
    }
}
