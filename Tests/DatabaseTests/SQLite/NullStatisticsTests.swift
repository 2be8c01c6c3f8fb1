import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Orders in which no value is missing")
struct NullFactsTests {
    private let folder = TemporaryFolder()
    private static let rows = 5_000

    private func list() throws -> ListFixture {
        try .people(
            Self.rows,
            name: "char(65 + i * 7 % 26) || 'ame ' || (i * 7919 % 100)",
            city: "CASE WHEN i % 2 = 1 THEN 'Oslo' ELSE 'Place ' || (i % 40) END",
            in: folder
        )
    }

    private func query(_ list: ListFixture) -> ListQuery {
        var query = ListQuery(
            grouping: list.schema.defaultGrouping,
            sort: list.schema.defaultSort,
            shape: .flow(limit: 50)
        )
        query.counting = .off
        return query
    }

    /// The ids in the order of the list, as the engine sorts them when it is told where nulls stand.
    private func ordered(_ list: ListFixture) throws -> [String] {
        let rows = try list.writer.prepare(
            """
            SELECT id FROM people ORDER BY city IS NULL, ifnull(roster_order(city), lower(city) || char(1) || city),
              name IS NULL, ifnull(roster_order(name), lower(name) || char(1) || name), age IS NULL, age DESC, id
            """
        )
        var ids: [String] = []
        while try rows.step() { ids.append("\(rows.integer(0))") }
        return ids
    }

    private func change(_ list: ListFixture, _ sql: String) throws {
        try list.writer.execute("\(sql); UPDATE roster_lists SET counter = counter + 1")
    }

    @Test("a page is read by the index of the order, wherever it stands, and nothing is sorted")
    func pages() throws {
        let list = try list()
        let counted = try MeasuredReader(list)
        var query = query(list)
        var works = [try counted.work(query)]
        for location in [100, Self.rows / 2, Self.rows - 60] {
            let cursor = try counted.cursor(after: location, query)
            for start in [ListQuery.Start.after(cursor), .before(cursor)] {
                query.start = start
                works.append(try counted.work(query))
            }
        }
        for found in works {
            #expect(found.rows == 50)
            #expect(found.work.statements <= 8, "\(found)")
            #expect(found.work.sorts == 0, "\(found)")
            #expect(found.work.scannedRows <= 100, "\(found)")
        }
    }

    @Test("whether any is missing is asked once for every version, by one row of an index each")
    func learning() throws {
        let list = try list()
        let counted = try MeasuredReader(list)
        let query = query(list)
        let known = try counted.work(query).work
        #expect(known.statements == 1, "\(known)")
        try change(list, "UPDATE people SET score = 0 WHERE id = 1")
        let first = try counted.firstWork(query).work
        // The columns of the sections, of the names and of the ages.
        #expect(first.statements == known.statements + 3, "\(first) \(known)")
        #expect(first.scannedRows <= known.scannedRows + 3, "\(first) \(known)")
    }

    @Test("rows that lose a value stand last as soon as they have, and those that get one do not")
    func changes() throws {
        let list = try list()
        let counted = try MeasuredReader(list)
        let query = query(list)
        #expect(try counted.walk(query) == ordered(list))
        for sql in [
            "UPDATE people SET name = NULL WHERE id IN (17, 18, 2000)",
            "UPDATE people SET city = NULL WHERE id IN (17, 19)",
            "UPDATE people SET name = 'B' WHERE name IS NULL",
            "UPDATE people SET city = 'Oslo' WHERE city IS NULL",
        ] {
            try change(list, sql)
            #expect(try counted.walk(query) == ordered(list), "\(sql)")
        }
    }

    @Test("a page that ended at a missing value is followed by the same rows when none is missing")
    func cursors() throws {
        let list = try list()
        let counted = try MeasuredReader(list)
        var query = query(list)
        try change(list, "UPDATE people SET name = NULL WHERE id IN (17, 19)")
        let all = try ordered(list)
        // The younger one stands behind the older one.
        let location = try #require(all.firstIndex(of: "19"))
        let cursor = try counted.cursor(after: location + 1, query)
        #expect(all[location + 1] == "17")
        try change(list, "UPDATE people SET name = 'A' WHERE name IS NULL")
        // Behind the row that had none stand the sections behind its own; before it all that has a
        // name.
        query.start = .after(cursor)
        #expect(
            try counted.page(query).ids.flatMap(\.self) == Array(all[(location + 2)...].prefix(50))
        )
        query.start = .before(cursor)
        let before = try counted.page(query).ids.flatMap(\.self)
        #expect(before == Array(all[..<location].suffix(50)))
    }
}
