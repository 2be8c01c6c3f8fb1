import Database
import Foundation
import Listings
import Postgres
import TestSupport
import Testing

@Suite(
    "A PostgreSQL that is away",
    .needsPostgres,
    // They stop and start the cluster that they share.
    .serialized
)
struct PostgresRecoveryTests {
    private static let shared = PostgresCluster()
    private let cluster: PostgresCluster
    private let name = "d\(UInt64.random(in: 0...UInt64.max))"

    init() throws {
        cluster = try #require(Self.shared)
        try cluster.run("CREATE DATABASE \(name)")
        try run("CREATE TABLE people (id int PRIMARY KEY, name text)")
        try run("INSERT INTO people SELECT n, 'p' || n FROM generate_series(1, 10) n")
    }

    @discardableResult
    private func run(_ sql: String) throws -> String { try cluster.run(sql, database: name) }

    @discardableResult
    private func sessions(_ what: String) throws -> String {
        try run(
            """
            SELECT \(what) FROM pg_stat_activity
            WHERE application_name = 'roster' AND datname = current_database()
            """
        )
    }

    private func database(
        _ address: String? = nil,
        grace: Duration = .seconds(60)
    ) throws -> PostgresDatabase {
        var timeouts = PostgresDatabase.Timeouts()
        timeouts.connect = .seconds(60)
        timeouts.grace = grace
        timeouts.firstPause = .zero
        timeouts.longestPause = .zero
        let address = try #require(PostgresAddress(address ?? cluster.address(database: name)))
        return PostgresDatabase(address, timeouts: timeouts)
    }

    private func reason(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "nothing"
        } catch PostgresError.unreachable(let reason) {
            return reason
        } catch SourceError.unavailable(let reason) {
            return reason
        } catch {
            return "another error: \(error)"
        }
    }

    @Test(
        "a wrong password, a missing database and an absent server are told apart, without secrets"
    )
    func refusals() throws {
        func connect(_ address: String) -> String {
            reason { _ = try PostgresCatalog(try database(address)) }
        }
        let wrong = connect(cluster.address(user: "secretive:wrong%20horse", database: name))
        #expect(wrong.contains("password authentication failed for user \"secretive\""))
        #expect(!wrong.contains("wrong horse"))
        #expect(!wrong.contains("wrong%20horse"))
        #expect(
            connect(cluster.address(database: "nowhere")).contains("\"nowhere\" does not exist")
        )
        #expect(connect("postgres:///x?host=/nowhere").contains("/nowhere"))
        let unknown = connect("postgres://u:hunter2@/x?host=/nowhere&unheard=1")
        #expect(!unknown.contains("hunter2"))
    }

    @Test("a password may stand in a file, which is read at every connection")
    func passwordFile() throws {
        let scratch = try ScratchFolder()
        try scratch.write(Array("correct horse\n".utf8), to: "password")
        try run("GRANT SELECT ON people TO secretive")
        func list(_ file: String) throws -> PostgresList {
            let address = cluster.address(user: "secretive", database: name)
            return try PostgresList("people", in: .patient(address, passwordFile: file))
        }
        let page = try list(scratch.path + "/password").read()
        #expect(page.rowCount == 10)
        #expect(throws: PostgresError.noPassword(file: "/nowhere")) { _ = try list("/nowhere") }
    }

    @Test("lists fail while the server is stopped, and answer when it is back")
    func restart() throws {
        let list = try PostgresList("people", in: try database())
        #expect(try list.walk([], limit: 4).count == 10)
        let version = try list.reader.version()
        try cluster.control(.stop)
        #expect(reason { _ = try list.reader.version() }.hasPrefix("PostgreSQL: not reachable"))
        #expect(reason { _ = try list.read() }.hasPrefix("PostgreSQL: not reachable"))
        try cluster.control(.start)
        #expect(try list.walk([], limit: 4).count == 10)
        #expect(try list.reader.version().epoch != version.epoch)
    }

    @Test("a session that was ended meanwhile costs nobody an answer")
    func endedSession() throws {
        let list = try PostgresList("people", in: try database())
        for _ in 0..<3 {
            _ = try list.read()
            try sessions("pg_terminate_backend(pid)")
        }
        #expect(try list.walk([], limit: 3).count == 10)
    }

    @Test("a server that says nothing any more is given up, and another session is made")
    func partition() throws {
        let database = try database(grace: .milliseconds(200))
        let list = try PostgresList(
            "people",
            in: database,
            budgets: ReadingBudgets(rows: .seconds(60), counts: .zero)
        )
        _ = try list.read()
        let pids = try sessions("pid").split(separator: "\n").compactMap { Int32($0) }
        #expect(pids.count == 1)
        for pid in pids { kill(pid, SIGSTOP) }
        defer { for pid in pids { kill(pid, SIGCONT) } }
        // The session that says nothing is dropped where a page begins, and a new one is made.
        #expect(try list.walk([], limit: 4).count == 10)
    }

    @Test("a version differs after every write, and not without one")
    func versions() throws {
        let database = try database()
        let list = try PostgresList("people", in: database)
        let other = try list.source.makeReader()
        var versions: Set<ListVersion> = []
        for number in 11..<16 {
            let version = try list.reader.version()
            #expect(try other.version() == version)
            let page = try list.read()
            #expect(page.version == version)
            versions.insert(version)
            try run("INSERT INTO people VALUES (\(number))")
        }
        #expect(versions.count == 5)
    }

    @Test("rows do not wait for counts, and the server ends what takes too long")
    func budgets() throws {
        try run(
            """
            CREATE FUNCTION nap(n int) RETURNS int LANGUAGE plpgsql STABLE
                AS 'BEGIN PERFORM pg_sleep(n); RETURN n; END';
            CREATE VIEW slow AS SELECT id, nap(id) FROM people;
            """
        )
        let catalog = try PostgresCatalog(try database())
        #expect(catalog.lists.map(\.name) == ["people", "slow"])
        let hasty = try PostgresList(
            "people",
            in: try database(),
            budgets: ReadingBudgets(rows: .seconds(60), counts: .zero)
        )
        let page = try hasty.read()
        #expect(page.rowCount == 10)
        #expect(page.total == nil)
        let slow = try PostgresList(
            "slow",
            in: try database(),
            budgets: ReadingBudgets(rows: .milliseconds(20))
        )
        #expect(throws: SourceError.outOfTime) { _ = try slow.read() }
        // The session is as good as before.
        #expect(throws: Never.self) { try slow.reader.version() }
    }

    @Test("sessions end with the lists of their database")
    func ending() throws {
        weak var gone: PostgresDatabase?
        do {
            let database = try database()
            gone = database
            let list = try PostgresList("people", in: database)
            _ = try list.read()
            #expect(try sessions("count(*)") == "1\n")
        }
        #expect(gone == nil)
        try run(
            """
            SET statement_timeout = '60s';
            DO $$ BEGIN
                WHILE EXISTS (SELECT FROM pg_stat_activity
                    WHERE application_name = 'roster' AND datname = current_database())
                LOOP PERFORM pg_sleep(0.01), pg_stat_clear_snapshot(); END LOOP;
            END $$
            """
        )
        #expect(try sessions("count(*)") == "0\n")
    }

    @Test("there are as many sessions as readers at once, whatever the number of lists")
    func sessions() throws {
        let database = try database()
        let lists = try (0..<5).map { _ in try PostgresList("people", in: database) }
        for _ in 0..<3 { for list in lists { _ = try list.read() } }
        #expect(try sessions("count(*)") == "1\n")
    }
}
