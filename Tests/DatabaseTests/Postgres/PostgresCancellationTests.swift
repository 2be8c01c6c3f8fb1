import Database
import Dispatch
import Listings
import Locks
import Postgres
import TestSupport
import Testing

@Suite(
    "A statement of PostgreSQL that nobody waits for ends",
    .needsPostgres,
    .timeLimit(.minutes(5))
)
struct PostgresCancellationTests {
    private let cluster: PostgresCluster
    private let name = "c\(UInt64.random(in: 0...UInt64.max))"
    private let database: PostgresDatabase

    init() throws {
        cluster = try #require(PostgresCluster.shared)
        try cluster.run("CREATE DATABASE \(name)")
        try cluster.run(
            """
            CREATE FUNCTION nap(n int) RETURNS int LANGUAGE plpgsql STABLE
                AS 'BEGIN PERFORM pg_sleep(3000); RETURN n; END';
            CREATE TABLE people (id int PRIMARY KEY);
            INSERT INTO people VALUES (1);
            CREATE VIEW slow AS SELECT id, nap(id) FROM people;
            """,
            database: name
        )
        database = try .patient(cluster.address(database: name))
    }

    @Test("when the client leaves, and the list is read as before")
    func left() throws {
        let list = try PostgresList(
            "slow",
            in: database,
            budgets: ReadingBudgets(rows: .seconds(3000))
        )
        let cancellation = RequestCancellation()
        let ended = DispatchGroup()
        DispatchQueue.global().async(group: ended) { [cluster, name] in
            try? cluster.waitForSleepers(1, in: name)
            cancellation.cancel()
        }
        RequestCancellation.$current.withValue(cancellation) {
            #expect(throws: SourceError.self) { _ = try list.read() }
        }
        ended.wait()
        try cluster.waitForSleepers(0, in: name)
        #expect(throws: Never.self) { try list.reader.version() }
        // Nothing is sent for a client that has already left.
        RequestCancellation.$current.withValue(cancellation) {
            #expect(throws: SourceError.outOfTime) { _ = try list.read() }
        }
    }

    @Test("when the server has not ended it in time itself")
    func late() throws {
        try cluster.run(
            """
            CREATE OR REPLACE FUNCTION nap(n int) RETURNS int LANGUAGE plpgsql STABLE AS $$ BEGIN
                BEGIN PERFORM pg_sleep(3000);
                EXCEPTION WHEN query_canceled THEN PERFORM pg_sleep(3000); END;
                RETURN n;
            END $$
            """,
            database: name
        )
        var timeouts = PostgresDatabase.Timeouts()
        timeouts.connect = .seconds(60)
        timeouts.grace = .seconds(5)
        let address = try #require(PostgresAddress(cluster.address(database: name)))
        let list = try PostgresList(
            "slow",
            in: PostgresDatabase(address, timeouts: timeouts),
            budgets: ReadingBudgets(rows: .seconds(2))
        )
        #expect(throws: SourceError.outOfTime) { _ = try list.read() }
        try cluster.waitForSleepers(0, in: name)
    }
}
