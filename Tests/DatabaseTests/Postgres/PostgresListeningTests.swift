import Database
import Listings
import Postgres
import TestSupport
import Testing

@Suite(
    "Who follows a list of PostgreSQL is woken",
    .needsPostgres,
    .timeLimit(.minutes(5))
)
struct PostgresListeningTests {
    @Test("by writes of other processes, by triggers, and after the connection was lost")
    func woken() async throws {
        let scratch = try ScratchSchema()
        let table = try WritableTable(
            """
            CREATE TABLE people (id serial PRIMARY KEY, name text);
            CREATE FUNCTION changed() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN NOTIFY roster_changes; RETURN NULL; END';
            CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON people
                FOR EACH STATEMENT EXECUTE FUNCTION changed();
            """,
            named: "people",
            in: scratch
        )
        let name = "listener-\(scratch.name)"
        let address = scratch.cluster.address(schema: scratch.name) + "&application_name=\(name)"
        let list = try PostgresList("people", in: .patient(address))
        let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
        let observation = list.source.observe { continuation.yield() }
        var iterator = calls.makeAsyncIterator()
        // It has begun to listen.
        #expect(await iterator.next() != nil)
        let before = try list.reader.version()
        _ = try table.write(.insert, nil, ["name": .text("x")])
        #expect(await iterator.next() != nil)
        #expect(try list.reader.version() != before)
        try scratch.run("DELETE FROM people")
        #expect(await iterator.next() != nil)
        try scratch.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = '\(name)' AND query LIKE 'LISTEN%'
            """
        )
        #expect(await iterator.next() != nil)
        withExtendedLifetime(observation) {}
    }
}
