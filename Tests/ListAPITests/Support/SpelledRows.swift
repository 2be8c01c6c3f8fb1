import ListAPITestSupport
import Listings
import MemoryLists
import RosterProgram
import SQLite
import TestSupport
import Testing

/// The sources that can have the same rows, whose values are spelled in several ways.
enum SpelledRows: CaseIterable, Sendable {
    case memory, imported, sqlite, postgres

    static let installed = allCases.filter {
        $0 != .postgres || PostgresCluster.programs != nil
    }

    private struct Row: Identifiable {
        let id: Int
        let cells: [CellValue]
    }

    private static let names: [String?] = [
        "Ada", "ada", "Élodie", "50% off", "a,b", #"say "hi""#, "x/y?z&w=1", "~n:5", "Zoë", nil,
    ]
    private static let prices: [String?] = ["1.50", "1.5", "2", "2.0", nil, "0.25"]
    private static let times: [String?] = [
        "2024-03-12T02:30:00Z", "2024-03-12T04:30:00+02:00", "2023-12-31T23:30:00-01:00", nil,
    ]
    private static let codes: [String?] = ["1", "1.0", "x", "2024", nil]
    private static let documents: [String?] = [
        #"{"a":1,"t":["x","y"]}"#, #"{"a":2,"t":["x"]}"#, nil,
    ]

    /// The texts of the columns name, price, at, code and meta of each row.
    private static let rows: [[String?]] = (1...40).map { row in
        [names, prices, times, codes, documents].map { $0[row % $0.count] }
    }

    /// A list called `t` with an index of names.
    func lists(in folder: ScratchFolder) throws -> [ListDefinition] {
        switch self {
        case .memory: return [ListDefinition("t", source: try Self.memory())]
        case .imported:
            let lines = Self.rows.enumerated().map { index, row in
                let fields = row.map { (text: String?) -> String in
                    text.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" } ?? ""
                }
                return "\(index + 1),\(fields.joined(separator: ","))\n"
            }
            let file = "id,name,price,at,code,meta\n" + lines.joined()
            try folder.write(Array(file.utf8), to: "t.csv")
            var configuration = Configuration()
            configuration.sources = [try SourceArgument(folder.path + "/t.csv")]
            return try ListRegistry(configuration).lists
        case .sqlite: return try Shop.sqlite.lists(in: folder, of: Self.statements("text", "text"))
        case .postgres:
            return try Shop.postgres.lists(
                in: folder,
                of: Self.statements("timestamptz", "jsonb")
            )
        }
    }

    private static func statements(_ time: String, _ json: String) -> String {
        let values = rows.enumerated().map { index, row in
            let texts = row.enumerated().map { column, text -> String in
                guard let text else { return "NULL" }
                return column == 1 ? text : "'\(text)'"
            }
            return "(\(index + 1), \(texts.joined(separator: ", ")))"
        }
        return """
            CREATE TABLE t (id integer PRIMARY KEY, name text, price numeric(10, 2), at \(time),
                code text, meta \(json));
            INSERT INTO t VALUES \(values.joined(separator: ", "));
            CREATE INDEX names ON t (name);
            """
    }

    private static func memory() throws -> any ListSource {
        let columns = [
            Column("name", isGroupable: true), Column("price", type: .real),
            Column("at", type: .timestamp, isGroupable: true),
            Column("code", isGroupable: true, isMixed: true), Column("meta"),
        ]
        let models = rows.enumerated().map { index, row in
            let cells = row.enumerated().map { column, text -> CellValue in
                guard let text else { return .null }
                return columns[column].value(of: text) ?? .text(text)
            }
            return Row(id: index + 1, cells: cells)
        }
        var registry = ControllerRegistry()
        let registration = try registry.register(
            ClosureController(
                columns: columns.enumerated().map { position, column in
                    ModelColumn<Row>(column) { $1.append($0.cells[position]) }
                }
            )
        )
        return try MemorySource(
            models: models,
            using: registration,
            schema: ListSchema(columns: columns, idType: .integer),
            version: ListVersion(epoch: 7, counter: 1)
        )
    }
}

/// A random query of the rows, each time in another spelling.
struct SpelledQuery: CustomStringConvertible {
    private static let conditions = [
        "price__is=1.50", "price__is=01.5", "price__is=~n:01.50", "price=1.50", "price__in=1.5,2.0",
        "price__gte=0.250", "or=(price__is=1.50,name=Ada)", "not=(price__is=2.00)",
        "at__is=2024-03-12T03:30:00%2B01:00", "at__is=2024-03-12T02:30:00Z", "at=2024-03-12",
        "at__lt=2024-03-12%2004:30:00%2B02:00", "or=(at__is=2024-03-12T04:30:00%2B02:00,price=2)",
        "name__is=Ada", "name__is=~t:Ada", "name__contains=A", "name__in=%22a,b%22,ada",
        "name__is=~~n:5", "code__is=1", "code__is=~t:1", "code__is=1.0", "code=1", "code__in=1,x",
        "code__isnull=true", "id__in=3,4,5,6,7,8,9", "q=ada",
    ]
    private static let paths = [
        "meta.a__is=1.0", "meta.a=1", "meta.t__has=x", "at:year__is=2024", "at:month=2024-03",
    ]

    let description: String

    init(_ random: inout SeededGenerator, hasPaths: Bool) {
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
        var parts = (0..<Int.random(in: 0...2, using: &random)).map { _ in pick(Self.conditions) }
        if hasPaths, Int.random(in: 0..<3, using: &random) == 0 { parts.append(pick(Self.paths)) }
        let further = [
            [
                "", "sort=price", "sort=-price,name", "sort=at", "sort=-name", "sort=-id",
                "sort=code",
            ]
                + (hasPaths ? ["sort=meta.a,-id", "sort=at:year"] : []),
            ["", "", "group=name", "group=code", "group=at", "group=name:initial"]
                + (hasPaths ? ["group=at:year"] : []),
            ["", "facets=name,code", "facets=?", "facets=at", "sum=price", "statistics=price"],
            ["", "", "columns=name,price", "count=exact", "per_section=2", "page=2"],
            ["limit=3", "limit=4", "limit=9"],
        ]
        parts += further.map(pick)
        // A parameter that is not repeatable stands once.
        let path = pick(["/t", "/t", "/t.json", "/t.html", "/t.html", "/t/-/sections"])
        let isIndex = path.hasSuffix("sections")
        let left = ["sort", "columns", "per_section", "sum", "statistics", "facets", "count"]
        parts = parts.filter { part in
            !part.isEmpty && !(isIndex && left.contains { part.hasPrefix($0 + "=") })
        }
        description = path + "?" + parts.joined(separator: "&")
    }
}
