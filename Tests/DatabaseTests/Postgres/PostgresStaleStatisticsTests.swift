import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite(
    "A load that changes rows does not depend on statistics",
    .needsPostgres,
    .timeLimit(.minutes(5))
)
struct PostgresStaleStatisticsTests {
    private static let count = 60_000

    @Test("it finds rows by their keys in a table that seemed empty", arguments: ["", "parted"])
    func replacing(kind: String) throws {
        let scratch = try ScratchSchema()
        let table = try WritableTable(
            """
            CREATE TABLE people (id int PRIMARY KEY, name text)
                \(kind.isEmpty ? "" : "PARTITION BY RANGE (id)");
            \(kind.isEmpty ? "" : "CREATE TABLE p PARTITION OF people DEFAULT;")
            """,
            named: "people",
            in: scratch
        )
        // Another program analyzes the table while rows that it does not see are written.
        let other = try scratch.database.connect()
        try other.execute(
            "BEGIN; INSERT INTO people SELECT n, 'n' FROM generate_series(1, \(Self.count)) n",
            until: .now + .seconds(60)
        )
        try scratch.run("ANALYZE people")
        try other.execute("COMMIT", until: .now + .seconds(60))
        let writer = try #require(try table.makeWriter() as? PostgresListWriter)
        let changes = try (1...20_000).map {
            try table.change(.replace, "\($0 * 3 + 10)", ["name": .text("m")])
        }
        let start = ContinuousClock.now
        let isCancelled = { .now - start > .seconds(120) }
        var counts = LoadedPart.Counts()
        let isLoaded = try writer.load(to: "people", isCancelled: isCancelled) {
            (load) throws(WriteError) in
            for change in changes { _ = try load.stage(change) }
            try load.endStaging()
            while let part = try load.performNext() {
                counts.changed += part.counts?.changed ?? 0
                counts.created += part.counts?.created ?? 0
            }
            return true
        }
        print("replaced within \(ContinuousClock.now - start)")
        #expect(isLoaded && counts.changed == 19_996 && counts.created == 4, "\(counts)")
    }
}
