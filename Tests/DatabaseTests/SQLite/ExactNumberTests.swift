import Database
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Numbers are compared by their exact values, in tables of SQLite")
struct ExactNumberTests {
    private let folder = TemporaryFolder()

    private static let numbers = [
        "-9223372036854775808", "-9007199254740993", "-1", "0", "1", "9007199254740992",
        "9007199254740993", "9223372036854775806", "9223372036854775807", "0.1", "1.5",
        "9007199254740994.0", "9223372036854775808.0", "1e300", "-1e300",
    ]
    private static let operands = [
        "9007199254740992.5", "9007199254740993.5", "9223372036854775806.5",
        "9223372036854775807.5", "9223372036854775808.5", "-9223372036854775808.5",
        "-9007199254740993.5", "0.1", "0.10000000000000001", "0.09999999999999999", "1.5",
        "9007199254740993", "9223372036854775807", "9223372036854775808", "-0.5",
        String(repeating: "9", count: 400), "-" + String(repeating: "9", count: 400),
    ]

    @Test(
        "conditions",
        arguments: ["INTEGER", "NUMERIC", "REAL", "DOUBLE PRECISION", "", "BLOB"],
        [false, true]
    )
    func conditions(type: String, isIndexed: Bool) throws {
        let location = folder.file("numbers.db")
        let writer = try DatabaseConnection(location, access: .readWrite)
        try writer.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v \(type))")
        for number in Self.numbers { try writer.execute("INSERT INTO t (v) VALUES (\(number))") }
        if isIndexed { try writer.execute("CREATE INDEX t_v ON t (v)") }
        let list = try #require(try ForeignCatalog(location).lists.first)
        let (source, schema) = try list.source(in: location)
        let reader = try source.makeReader()
        var page = Page(list: "t", schema: schema)
        try reader.read(ListQuery(shape: .flow(limit: 100)), into: &page)
        let values = (0..<page.rowCount).map { page.value(row: $0, column: 1) }
        for text in Self.operands {
            let operand = try #require(CellValue.parse(text, as: .real))
            for operation in [Filter.Operator.equal, .notEqual, .less, .atMost, .greater, .atLeast]
            {
                var query = ListQuery(shape: .flow(limit: 100))
                query.filters = [Filter(column: 1, operation, [operand])]
                try reader.read(query, into: &page)
                let found = ids(page).flatMap { $0 }
                let expected = values.indices.filter { index in
                    let order = RowOrder.compare(values[index], operand)
                    return switch operation {
                    case .equal: order == 0
                    case .notEqual: order != 0
                    case .less: order < 0
                    case .atMost: order <= 0
                    case .greater: order > 0
                    default: order >= 0
                    }
                }
                #expect(found == expected.map { "\($0 + 1)" }, "\(operation) \(text)")
            }
        }
    }
}
