import Foundation
import TestSupport
import Testing

@Suite(
    "What PostgreSQL does for a client ends with the client and with the server",
    .needsPostgres,
    .timeLimit(.minutes(5))
)
struct PostgresEndingTests {
    private let cluster: PostgresCluster
    private let database = "e\(UInt64.random(in: 0...UInt64.max))"

    init() throws {
        cluster = try #require(PostgresCluster.shared)
        try cluster.run("CREATE DATABASE \(database)")
        try cluster.run(
            """
            CREATE FUNCTION nap(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE
                AS 'BEGIN PERFORM pg_sleep(3000); RETURN n; END';
            CREATE TABLE people (id int PRIMARY KEY, name text);
            INSERT INTO people SELECT n, repeat('x', 10) FROM generate_series(1, 3000) n;
            """,
            database: database
        )
    }

    private func serve(_ settings: String..., user: String = "tester") throws -> RosterProcess {
        let address = cluster.address(user: user, database: database)
        return try RosterProcess(serving: [address, "--loops", "1"] + settings)
    }

    @Test("an import that is stopped, or whose server ends", arguments: [true, false])
    func imports(isStopped: Bool) throws {
        try cluster.run(
            """
            CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN PERFORM pg_sleep(3000); RETURN NULL; END';
            CREATE TRIGGER sleep AFTER INSERT ON people EXECUTE FUNCTION sleep();
            """,
            database: database
        )
        let server = try serve("--allow-anonymous-writes")
        let client = try server.connect()
        let lines = "id,name\n5000,x\n"
        try client.send(
            "POST /people/-/import HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: text/csv\r\nContent-Length: \(lines.utf8.count)\r\n\r\n\(lines)"
        )
        let location = try #require(try client.receiveResponse(to: "POST").field("location"))
        try cluster.waitForSleepers(1, in: database)
        if isStopped {
            try client.send("DELETE \(location) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try client.receiveResponse(to: "DELETE")
        } else {
            try server.stop()
        }
        try cluster.waitForSleepers(0, in: database)
        let rows = try cluster.run("SELECT count(*) FROM people", database: database)
        #expect(rows == "3000\n")
    }

    @Test("an export whose client has left")
    func exports() throws {
        try cluster.run(
            """
            CREATE VIEW slow AS SELECT id, name, CASE WHEN id = 300 THEN nap(id) END FROM people
            """,
            database: database
        )
        let server = try serve("--rows-time", "20000", "--only", "slow")
        var client: RawConnection? = try server.connect()
        try client?.send("GET /slow.csv HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try cluster.waitForSleepers(1, in: database)
        let start = ContinuousClock.now
        client = nil
        try cluster.waitForSleepers(0, in: database)
        // The server would end it after 20 seconds.
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test("a count that goes on after its page")
    func counts() throws {
        try cluster.run(
            """
            CREATE POLICY slow ON people USING (id <= 20 OR nap(id) > 0);
            ALTER TABLE people ENABLE ROW LEVEL SECURITY;
            GRANT SELECT ON people TO secretive;
            """,
            database: database
        )
        let server = try serve(user: "secretive:correct%20horse")
        let page = try server.get("/people?limit=5&columns=id")
        #expect(page.text.contains(#""counting":true"#), "\(page.text)")
        try cluster.waitForSleepers(1, in: database)
        let start = ContinuousClock.now
        try server.stop()
        try cluster.waitForSleepers(0, in: database)
        // The server would end it after a minute.
        #expect(ContinuousClock.now - start < .seconds(40))
    }

    @Test("rows that change without a trace are never cached, and a page of them is followed")
    func uncached() throws {
        try cluster.run(
            """
            CREATE SEQUENCE steps;
            CREATE VIEW step AS SELECT 1 AS id, last_value AS number FROM steps;
            """,
            database: database
        )
        let server = try serve()
        #expect(
            server.lines.contains { $0.contains("'step' is never cached") }
                && !server.lines.contains { $0.contains("'people' is never cached") }
        )
        for (number, target) in ["/step", "/step.csv", "/step", "/step?columns=number"].enumerated()
        {
            try cluster.run("SELECT setval('steps', \(number + 40))", database: database)
            let answer = try server.get(target, fields: "If-None-Match: \"x\"\r\n")
            #expect(answer.status == 200 && answer.text.contains("\(number + 40)"))
            #expect(answer.field("ETag") == nil && answer.field("Cache-Control") == "no-store")
        }
        #expect(try server.get("/people?limit=1").field("ETag") != nil)
        let page = try server.get("/step").text
        let link = try #require(page.firstMatch(of: /\/step\/-\/changes\?[^"]*/)).0
        let client = try server.connect()
        func follow(_ seconds: Int) throws {
            try client.send(
                "GET \(link) HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=\(seconds)\r\n\r\n"
            )
        }
        try follow(1)
        let answer = try client.receiveResponse().text
        #expect(answer.contains(#""stages":[]"#), "\(answer)")
        try follow(60)
        try cluster.run("SELECT setval('steps', 77)", database: database)
        #expect(try client.receiveResponse().text.contains("77"))
    }
}
