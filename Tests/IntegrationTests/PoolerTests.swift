import Foundation
import Locks
import TestSupport
import Testing

@Suite(
    "PostgreSQL through a pooler that other programs share",
    .enabled(
        if: PostgresCluster.programs != nil && Pooler.program != nil,
        "PostgreSQL or pgbouncer is not installed"
    ),
    .timeLimit(.minutes(5))
)
struct PoolerTests {
    private let cluster: PostgresCluster
    private let database = "p\(UInt64.random(in: 0...UInt64.max))"

    init() throws {
        cluster = try #require(PostgresCluster.shared)
        try cluster.run("CREATE DATABASE \(database)")
        try cluster.run(
            """
            CREATE TABLE people (id int PRIMARY KEY, name text, born timestamptz, rest interval);
            INSERT INTO people SELECT n, 'n' || n, '2024-03-01 10:00+01', '1 day 02:00'
                FROM generate_series(1, 2000) n;
            CREATE TABLE notes (id serial PRIMARY KEY, at timestamptz DEFAULT now());
            """,
            database: database
        )
    }

    @Test(
        "thirty clients read and write while another program writes, and nobody gets an error",
        arguments: [("transaction", 3), ("session", 60)]
    )
    func shared(mode: String, size: Int) throws {
        let pooler = try Pooler(before: cluster, mode: mode, size: size)
        let server = try RosterProcess(serving: [
            pooler.address(database), "--loops", "1", "--allow-anonymous-writes",
        ])
        #expect(server.lines.contains { $0.contains("through a pooler") }, "\(server.lines)")
        let isOver = Locked(false)
        let failures = Locked<[String]>([])
        let other = DispatchGroup()
        DispatchQueue.global().async(group: other) { [database] in
            var count = 0
            while !isOver.withLock({ $0 }) || count < 10 {
                count += 1
                let result = try? pooler.run("INSERT INTO notes DEFAULT VALUES", in: database)
                guard result?.code == 0 else {
                    return failures.withLock { $0.append(result?.output ?? "no psql") }
                }
            }
        }
        for round in 0..<6 {
            let clients = try (0..<30).map { _ in try server.connect() }
            for (number, client) in clients.enumerated() {
                if number % 10 == 9 {
                    let row = #"{"id":\#(10_000 + round * 30 + number),"name":"new"}"#
                    try client.send(
                        "POST /people HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
                            + "\r\nContent-Length: \(row.utf8.count)\r\n\r\n\(row)"
                    )
                } else {
                    let target = "/people?limit=20&sort=-name&id__gt=\(round * 30 + number)"
                    try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                }
            }
            for (number, client) in clients.enumerated() {
                let isWrite = number % 10 == 9
                let answer = try client.receiveResponse(to: isWrite ? "POST" : "GET")
                #expect(answer.status == (isWrite ? 201 : 200), "\(answer.text)")
                guard !isWrite else { continue }
                #expect(answer.text.contains("2024-03-01T09:00:00Z"), "\(answer.text)")
                #expect(answer.text.contains("P1DT2H"), "\(answer.text)")
            }
        }
        isOver.withLock { $0 = true }
        other.wait()
        #expect(failures.withLock { $0 } == [])
        let explained = try RosterProcess.run([pooler.address(database), "--explain"])
        #expect(explained.ending == .exit(0), "\(explained.lines)")
        try expectNothingLeft(pooler)
    }

    private func expectNothingLeft(_ pooler: Pooler) throws {
        // A pooler itself keeps these as every client has them.
        let left = """
            SELECT 'setting ' || name FROM pg_settings WHERE source = 'session' AND name NOT IN
                ('application_name', 'client_encoding', 'DateStyle', 'TimeZone',
                'standard_conforming_strings')
            UNION ALL SELECT 'statement ' || name FROM pg_prepared_statements
            UNION ALL SELECT 'channel ' || name FROM pg_listening_channels() name
            UNION ALL SELECT 'table ' || relname FROM pg_class WHERE relpersistence = 't'
            UNION ALL SELECT 'lock ' || objid FROM pg_locks WHERE locktype = 'advisory'
            """
        for _ in 0..<5 { #expect(try pooler.run(left, in: database).output == "") }
        let cells = try pooler.run("SELECT rest, born AT TIME ZONE 'UTC' FROM people", in: database)
        #expect(cells.output.contains("1 day 02:00:00|2024-03-01 09:00:00"), "\(cells.output)")
    }

    @Test("imports are staged, and a page that is followed shows what another program writes")
    func importing() throws {
        let pooler = try Pooler(before: cluster, mode: "transaction", size: 2)
        let server = try RosterProcess(serving: [
            pooler.address(database), "--loops", "1", "--allow-anonymous-writes",
        ])
        let lines = "id,name\n" + (1500..<2500).map { "\($0),m\($0)\n" }.joined()
        let client = try server.connect()
        try client.send(
            "POST /people/-/import?on_duplicate=replace HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: text/csv\r\nContent-Length: \(lines.utf8.count)\r\n\r\n\(lines)"
        )
        let location = try #require(try client.receiveResponse(to: "POST").field("location"))
        var state = ""
        while !state.contains(#""state":"done""#), !state.contains(#""state":"failed""#) {
            state = try server.get(location).text
        }
        #expect(state.contains(#""inserted":499,"replaced":501"#), "\(state)")
        let page = try server.get("/people?id__gt=2490").text
        let link = try #require(page.firstMatch(of: /\/people\/-\/changes\?[^"]*/)).0
        try client.send("GET \(link) HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=30\r\n\r\n")
        let inserted = try pooler.run("INSERT INTO people VALUES (3000, 'x')", in: database)
        #expect(inserted.code == 0, "\(inserted.output)")
        #expect(try client.receiveResponse().text.contains("3000"))
        try expectNothingLeft(pooler)
    }

    @Test("a stopped import ends in the database, too")
    func stopping() throws {
        try cluster.run(
            """
            CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_sleep(3000); RETURN NULL; END';
            CREATE TRIGGER sleep AFTER INSERT ON people EXECUTE FUNCTION sleep();
            """,
            database: database
        )
        let pooler = try Pooler(before: cluster, mode: "transaction", size: 2)
        let server = try RosterProcess(serving: [
            pooler.address(database), "--loops", "1", "--allow-anonymous-writes",
        ])
        let client = try server.connect()
        let lines = "id,name\n5000,x\n"
        try client.send(
            "POST /people/-/import HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: text/csv\r\nContent-Length: \(lines.utf8.count)\r\n\r\n\(lines)"
        )
        let location = try #require(try client.receiveResponse(to: "POST").field("location"))
        try cluster.waitForSleepers(1, in: database)
        try client.send("DELETE \(location) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try client.receiveResponse(to: "DELETE")
        try cluster.waitForSleepers(0, in: database)
    }
}
