import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("What the engine does for a page")
struct QueryPlanTests {
    private let folder = TemporaryFolder()

    private func fixture(_ kind: ListFixture.Kind) throws -> ListFixture {
        var random = SeededGenerator(seed: 5)
        return try ListFixture(kind, rows: 50, idType: .text, using: &random, in: folder)
    }

    private func starts(_ query: ListQuery, _ list: ListFixture) throws -> [ListQuery.Start] {
        let row = try #require(list.reference.rows.first { !$0.values.contains(.null) })
        let location = list.reference.location(row, query)
        let cursor = Cursor(
            signature: query.signature(of: "people", schema: list.schema),
            section: location.section,
            row: Cursor.Row(values: location.values)
        )
        return [.beginning, .after(cursor), .before(cursor)]
    }

    @Test(
        "a sort by one column reads its index and sorts nothing, in every direction",
        arguments: [0, 1, 2, 3, 4, 5],
        [
            SortKey(.id, .ascending, nulls: .first), SortKey(.id, .ascending, nulls: .last),
            SortKey(.id, .descending, nulls: .first), SortKey(.id, .descending, nulls: .last),
        ]
    )
    func oneColumn(column: Int, like key: SortKey) throws {
        let list = try fixture(.stored)
        let sort = SortKey(.column(column), key.direction, nulls: key.nulls)
        var query = ListQuery(sort: [sort], shape: .flow(limit: 5))
        for start in try starts(query, list) {
            query.start = start
            let plan = try list.source.explain(query)
            #expect(!plan.isEmpty)
            for line in plan {
                #expect(line.contains("USING INDEX") || line.contains("COVERING INDEX"), "\(line)")
                #expect(!line.contains("TEMP B-TREE"), "\(line)")
            }
            if start != .beginning || key.nulls == .last, key.direction == .ascending {
                #expect(plan.contains { $0.hasPrefix("SEARCH") }, "\(plan)")
            }
        }
    }

    @Test("the order shown when none is asked for searches its index for sections and rows")
    func defaultOrder() throws {
        let list = try fixture(.stored)
        var query = ListQuery(
            grouping: list.schema.defaultGrouping,
            sort: list.schema.defaultSort,
            shape: .flow(limit: 5)
        )
        for start in try starts(query, list).dropFirst() {
            query.start = start
            let plan = try list.source.explain(query)
            #expect(plan.contains { $0.hasPrefix("SEARCH") })
            for line in plan {
                #expect(!line.hasPrefix("SCAN"), "\(line)")
                #expect(!line.contains("TEMP B-TREE"), "\(line)")
            }
        }
    }

    @Test("a section is found by the index of its column", arguments: [1, 2, 4, 5])
    func sections(column: Int) throws {
        let list = try fixture(.stored)
        let row = try #require(list.reference.rows.first { !$0.values[column].isNull })
        let query = ListQuery(
            grouping: Grouping(column: column),
            sections: [.value(row.values[column])],
            shape: .flow(limit: 5)
        )
        let plan = try list.source.explain(query)
        #expect(plan.contains { $0.contains("=?") && $0.hasPrefix("SEARCH") }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test("a sort by id uses the key itself", arguments: ListFixture.Kind.files)
    func byID(kind: ListFixture.Kind) throws {
        let list = try fixture(kind)
        var query = ListQuery(shape: .flow(limit: 5))
        for start in try starts(query, list) {
            query.start = start
            let plan = try list.source.explain(query)
            #expect(plan.allSatisfy { $0.contains("sqlite_autoindex_people_1") }, "\(plan)")
        }
    }

    @Test("an index of a foreign table is used for its order")
    func foreignIndex() throws {
        let list = try fixture(.foreign)
        try list.writer.execute("CREATE INDEX theirs ON people (name, id)")
        let query = ListQuery(sort: [SortKey(.column(0))], shape: .flow(limit: 5))
        for start in try starts(query, list) {
            var query = query
            query.start = start
            let plan = try list.source.explain(query)
            #expect(plan.allSatisfy { $0.contains("theirs") }, "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }
}
