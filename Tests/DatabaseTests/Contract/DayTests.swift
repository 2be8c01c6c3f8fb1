import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("A day is compared with an instant as the midnight that it begins with, in every engine")
struct DayTests {
    private static let days = ["2023-12-31", "2024-01-01", "2024-01-02", ""]
    private static let midnight = "2024-01-01T00:00:00Z"

    /// Conditions, and the positions of the days that meet them; the last day is missing.
    private static let conditions: [(Filter.Operator, String, [Int])] = [
        (.equal, midnight, [1]), (.notEqual, midnight, [0, 2, 3]), (.less, midnight, [0]),
        (.atMost, midnight, [0, 1]), (.greater, midnight, [2]), (.atLeast, midnight, [1, 2]),
        (.among, midnight, [1]), (.notAmong, midnight, [0, 2, 3]),
        (.equal, "2024-01-01T05:30:00+05:30", [1]), (.atMost, "2023-12-31T19:00-05:00", [0, 1]),
        (.equal, "2024-01-01T00:00:01Z", []), (.notEqual, "2024-01-01T00:00:01Z", [0, 1, 2, 3]),
        (.less, "2024-01-01T00:00:01Z", [0, 1]), (.greater, "2023-12-31T23:59:59Z", [1, 2]),
        (.atLeast, "2024-01-01T00:00:00.000000001Z", [2]), (.equal, "2024-01-01", [1]),
        (.atMost, "2024-01-01", [0, 1]), (.greater, "2024-01-01", [2]), (.equal, "2024", [1, 2]),
        (.atMost, "2024-01", [0, 1, 2]), (.greater, "9999", []), (.less, "9999", [0, 1, 2]),
    ]

    @Test("conditions", arguments: ListFixture.Kind.everywhere)
    func conditions(kind: ListFixture.Kind) throws {
        let folder = TemporaryFolder()
        var random = SeededGenerator(seed: 6)
        var list = try ListFixture(kind, rows: 0, idType: .integer, using: &random, in: folder)
        for day in Self.days {
            let born = CalendarDate(day).map(CellValue.date) ?? .null
            try list.insert(born: born, using: &random)
        }
        let names = list.reference.rows.map(\.id.plainText)
        let column = list.schema.columns[5]
        var page = Page(list: "people", schema: list.schema)
        for (operation, text, positions) in Self.conditions {
            let operand = try #require(column.operand(for: text))
            var query = ListQuery(shape: .flow(limit: 10))
            query.filters = [Filter(column: 5, operation, [operand])]
            try list.reader.read(query, into: &page)
            let found = Set(ids(page).flatMap { $0 })
            #expect(found == Set(positions.map { names[$0] }), "\(operation) \(text)")
        }
    }
}
