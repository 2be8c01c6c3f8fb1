import Database
import Listings
import Postgres
import TestSupport
import Testing

@Suite(
    "The ids of a table of PostgreSQL are a column",
    .enabled(if: PostgresCluster.programs != nil, "PostgreSQL is not installed")
)
struct IDColumnTests {
    private let scratch: ScratchSchema

    init() throws { scratch = try ScratchSchema() }

    @Test(
        "rows are shown, ordered and chosen by it",
        arguments: [
            ("name text, id int PRIMARY KEY", ["-2", "9", "10"]),
            ("\"ID\" text PRIMARY KEY, name text", ["AT", "DE", "de2"]),
            (
                "\"Id\" uuid PRIMARY KEY, name text",
                [
                    "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-00000000000a",
                    "f0000000-0000-4000-8000-000000000001",
                ]
            ),
            ("id date PRIMARY KEY, name text", ["1999-12-31", "2024-02-29", "2024-03-01"]),
        ]
    )
    func columns(columns: String, ids: [String]) throws {
        let name =
            columns.contains("\"ID\"") ? "\"ID\"" : columns.contains("\"Id\"") ? "\"Id\"" : "id"
        let values = ids.shuffled().map { "('\($0)', 'n')" }.joined(separator: ", ")
        try scratch.run(
            "CREATE TABLE t (\(columns)); INSERT INTO t (\(name), name) VALUES \(values)"
        )
        let list = try PostgresList("t", in: scratch.database, showsIDs: true)
        let column = try #require(list.schema.idColumn)
        #expect(list.schema.columns.count == 2)
        #expect(list.schema.columns[column].label == "ID")
        let page = try list.read()
        let shown = (0..<page.rowCount).map { page.value(row: $0, column: column).plainText }
        #expect(shown == ids)
        for limit in [1, 2] {
            #expect(try list.walk([SortKey(.column(column))], limit: limit) == ids)
            let backwards = [SortKey(.column(column), .descending)]
            #expect(try list.walk(backwards, limit: limit) == ids.reversed())
        }
        let type = list.schema.columns[column].type
        let second = try #require(CellValue.parse(ids[1], as: type))
        func chosen(_ operation: Filter.Operator, _ operand: CellValue) throws -> [String] {
            var query = ListQuery(sort: [SortKey(.column(column))], shape: .flow(limit: 50))
            query.filters = [Filter(column: column, operation, [operand])]
            let page = try list.read(query)
            return (0..<page.rowCount).map { page.id(ofRow: $0) }
        }
        #expect(try chosen(.atLeast, second) == Array(ids.dropFirst()))
        #expect(try chosen(.less, second) == [ids[0]])
        #expect(try chosen(.equal, second) == [ids[1]])
        guard type == .text else { return }
        #expect(
            try chosen(.startsWith, .text(ids[1]))
                == ids.filter { $0.hasPrefix(ids[1]) || $0 == "de2" }
        )
        var query = ListQuery(shape: .flow(limit: 5))
        query.search = TextSearch(ids[0])
        #expect(try list.read(query).id(ofRow: 0) == ids[0])
    }

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
