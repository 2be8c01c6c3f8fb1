import Database
import Listings
import Postgres
import TestSupport
import Testing

@Suite("The ids of a table of PostgreSQL are a column", .needsPostgres)
struct PostgresIDColumnTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    @Test("the order of its values is that of the key's index")
    func index() throws {
        try scratch.run(
            """
            CREATE TABLE many (id int PRIMARY KEY, name text);
            INSERT INTO many SELECT n, 'n' FROM generate_series(1, 3000) n; ANALYZE many;
            """
        )
        let list = try PostgresList("many", in: scratch.database, showsIDs: true)
        var query = ListQuery(sort: [SortKey(.column(0), .descending)], shape: .flow(limit: 5))
        let page = try list.read(query)
        let next = page.next
        for start in [ListQuery.Start.beginning, .after(try #require(next))] {
            query.start = start
            let plan = try list.source.explain(query)
            #expect(plan.contains { $0.contains("many_pkey") }, "\(plan)")
            #expect(!plan.contains { $0.contains("Sort") }, "\(plan)")
        }
    }

    @Test("writes leave it to the id, and what the table makes of it stays")
    func writes() throws {
        let made = try WritableTable(
            "CREATE TABLE made (id serial PRIMARY KEY, name text, age int DEFAULT 5)",
            named: "made",
            in: scratch
        )
        #expect(try made.write(.insert, nil, ["name": .text("a")]).id == "1")
        #expect(try made.write(.insert, "7", ["name": .text("b")]).effect == .created)
        #expect(try made.write(.replace, "7", ["name": .text("c")]).effect == .changed)
        #expect(try made.write(.merge, "1", ["age": .integer(6)]).effect == .changed)
        #expect(try made.rows() == [["1", "a", "6"], ["7", "c", "5"]])
        #expect(try made.makeWriter().rules.valueColumns == [1, 2])
        let given = try WritableTable(
            "CREATE TABLE given (name text, id text PRIMARY KEY, age int)",
            named: "given",
            in: scratch
        )
        #expect(try given.write(.insert, nil, ["name": .text("a")]).id.utf8.count == 16)
        #expect(try given.write(.replace, "x", ["name": .text("b")]).effect == .created)
        #expect(try given.write(.replace, "x", ["age": .integer(1)]).effect == .changed)
        #expect(try given.rows().contains(["x", "", "1"]))
        let plain = try WritableTable(
            "CREATE TABLE plain (id int PRIMARY KEY, name text NOT NULL)",
            named: "plain",
            in: scratch
        )
        let missing = RowRefusal.invalid([FieldValidationError(column: nil, .missing)])
        #expect(try plain.refusal(.insert, nil, ["name": .text("a")]) == missing)
    }
}
