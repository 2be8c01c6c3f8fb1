import Database
import Listings
import TestSupport
import Testing

@testable import Postgres

@Suite("Rows of PostgreSQL are found by the values of columns", .needsPostgres)
struct PostgresMatchingTests {
    private let table: WritableTable

    init() throws {
        table = try WritableTable(
            """
            CREATE TABLE lines (number serial PRIMARY KEY, orders int NOT NULL, line int NOT NULL,
                code text UNIQUE, amount int NOT NULL DEFAULT 1, UNIQUE (orders, line));
            INSERT INTO lines (orders, line, code, amount) VALUES
                (1, 1, 'a', 10), (1, 2, 'b', 20), (2, 1, NULL, 30);
            """,
            named: "lines",
            in: try ScratchSchema()
        )
    }

    private func change(
        _ verb: RowChange.Verb,
        _ columns: [String],
        _ values: [String: CellValue]
    ) throws -> RowChange {
        let named = try table.change(.insert, nil, values).values
        let positions = try columns.map { try #require(table.schema.index(of: $0)) }
        return RowChange(verb, matching: positions, values: named)
    }

    @Test("a merge by a unique column changes the row, or creates one")
    func column() throws {
        let results = try table.write([
            try change(
                .mergeOrInsert,
                ["code"],
                ["code": .text("b"), "amount": .integer(21)]
            ),
            try change(
                .mergeOrInsert,
                ["code"],
                ["code": .text("n"), "orders": .integer(3), "line": .integer(1)]
            ),
            try change(.mergeOrInsert, ["code"], ["code": .text("n"), "amount": .integer(7)]),
        ])
        #expect(try results.map { try $0.get().effect } == [.changed, .created, .changed])
        #expect(
            try table.rows() == [
                ["1", "1", "1", "1", "a", "10"], ["2", "2", "1", "2", "b", "21"],
                ["3", "3", "2", "1", "", "30"], ["4", "4", "3", "1", "n", "7"],
            ]
        )
    }

    @Test("several columns find a row together")
    func columns() throws {
        let key: [String: CellValue] = ["orders": .integer(1), "line": .integer(2)]
        let merged = try table.write([
            try change(
                .mergeOrInsert,
                ["orders", "line"],
                key.merging(["amount": .integer(5)]) { $1 }
            )
        ])
        #expect(try merged[0].get().id == "2")
        #expect(throws: WriteError.self) {
            try table.write([try change(.mergeOrInsert, ["orders"], ["orders": .integer(1)])])
        }
    }

    @Test("of many writers that create the same row one does, and the others change it")
    func races() async throws {
        let change = try change(
            .mergeOrInsert,
            ["code"],
            ["code": .text("new"), "orders": .integer(9), "line": .integer(9)]
        )
        let table = table
        let effects = try await withThrowingTaskGroup(of: ChangedRow.Effect.self) { group in
            for _ in 0..<8 { group.addTask { try table.write([change])[0].get().effect } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(effects.count { $0 == .created } == 1)
        #expect(effects.count { $0 == .unchanged } == 7)
    }
}
