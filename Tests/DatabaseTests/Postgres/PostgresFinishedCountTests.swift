import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite("Counts that take too long are finished later", .needsPostgres)
struct PostgresFinishedCountTests {
    /// The page once a worker has finished its counts for the current version, which the server
    /// itself may change.
    private func finish(_ query: ListQuery, of list: PostgresList) throws -> Page {
        let worker = try list.source.makeReader()
        while true {
            worker.finishCounting(of: query)
            let page = try list.read(query)
            if page.uncounted == nil { return page }
        }
    }

    @Test("facets and counts of a million rows are there once a worker has finished them")
    func million() throws {
        // In a cluster of its own, no other test changes the version.
        let cluster = try #require(PostgresCluster())
        let database = try PostgresDatabase.patient(cluster.address())
        try cluster.run(
            """
            CREATE TABLE people (id int PRIMARY KEY, city text, team int);
            INSERT INTO people SELECT n, 'city ' || n % 7, n FROM generate_series(1, 1000000) n;
            """
        )
        let list = try PostgresList(
            "people",
            in: database,
            budgets: ReadingBudgets(
                rows: .seconds(60),
                counts: .milliseconds(1),
                exactCounts: .milliseconds(1)
            )
        )
        let (city, team) = (
            try #require(list.schema.index(of: "city")), try #require(list.schema.index(of: "team"))
        )
        var query = ListQuery(shape: .flow(limit: 10))
        query.facets = [city, team]
        query.counting = .exact
        let first = try list.read(query)
        #expect(first.facets.count == 2 && first.facets.allSatisfy(\.isMissing))
        #expect(first.total == nil && first.uncounted == query)
        let second = try finish(query, of: list)
        #expect(second.uncounted == nil && second.total == Count(1_000_000))
        #expect(second.facets[0].isComplete && second.facets[0].values.count == 7)
        #expect(second.facets[0].values[0].count == Count(142_858))
        // A column with as many values as rows has the first ones.
        #expect(second.facets[1].values.count == Facet.maximumValues)
        #expect(second.facets[1].values[0].value == .integer(1))
        try cluster.run("DELETE FROM people WHERE id = 1")
        #expect(try list.read(query).uncounted == query)
    }

    @Test("facets of many rows without an index are not silently empty")
    func unindexed() throws {
        // In a cluster of its own, no other test changes the version.
        let cluster = try #require(PostgresCluster())
        let database = try PostgresDatabase.patient(cluster.address())
        try cluster.run(
            """
            CREATE TABLE people (id int PRIMARY KEY, city text);
            INSERT INTO people SELECT n, 'city ' || n % 7 FROM generate_series(1, 20000) n;
            """
        )
        let list = try PostgresList("people", in: database)
        var query = ListQuery(shape: .flow(limit: 10))
        query.facets = [try #require(list.schema.index(of: "city"))]
        #expect(try list.read(query).uncounted == query)
        let page = try finish(query, of: list)
        #expect(page.uncounted == nil && page.facets[0].values.count == 7)
    }
}
