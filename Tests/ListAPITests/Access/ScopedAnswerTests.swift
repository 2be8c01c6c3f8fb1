import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("A caller with few rights gets the answers of a list that has only those rows")
struct ScopedAnswerTests {
    enum Source: CaseIterable, Sendable {
        case imported, foreign, postgres, memory

        static let installed = allCases.filter {
            $0 != .postgres || PostgresCluster.programs != nil
        }

        var list: String { self == .memory ? "items" : "people" }

        /// The rights of a caller who sees only some rows.
        var scope: String {
            self == .memory ? "items:read:shelf=shelf+1&size__lt=8" : PeopleList.northern
        }

        /// The columns, each with some of its values.
        var columns: [(name: String, values: [String])] {
            if self == .memory {
                return [
                    ("title", ["Title 1", "Title 5", "title"]),
                    ("shelf", ["shelf 0", "shelf 1", "shelf 2"]), ("size", ["1", "7", "9"]),
                ]
            }
            return [
                ("name", ["Hnn1", "Onn2", "nn"]), ("city", ["Oslo", "Bergen", "Paris", "~"]),
                ("age", ["3", "49", "60"]), ("joined", ["2024-03-04", "2024-08-20"]),
            ]
        }

        var ids: [String] {
            self == .memory ? ["item1", "item2", "item4", "no"] : ["1", "2", "5", "66", "999"]
        }

        func lists(ofScope isScoped: Bool, in folder: ScratchFolder) throws -> [ListDefinition] {
            let isWanted = { !isScoped || PeopleList.isNorthern($0) }
            switch self {
            case .imported: return try PeopleList.list(isWanted)
            case .postgres: return try PeopleList.table(isWanted)
            case .foreign: return try PeopleList.foreign(in: folder, isWanted)
            case .memory:
                let items = [Item].numbered(120)
                let inside = { (item: Item) in
                    item.shelf == "shelf 1" && (item.size ?? 0) < 8
                }
                return [try .items(items.filter { !isScoped || inside($0) })]
            }
        }

        func request(_ random: inout SeededGenerator) -> String {
            func one<Value>(_ values: [Value]) -> Value {
                values[Int.random(in: values.indices, using: &random)]
            }
            func condition() -> String {
                let column = one(columns)
                let operation = one(["", "__ne", "__lt", "__gte", "__contains", "__in", "__isnull"])
                let value = operation == "__isnull" ? one(["true", "false"]) : one(column.values)
                return "\(column.name)\(operation)=\(value.replacing(" ", with: "+"))"
            }
            let names = columns.map(\.name)
            var items: [String] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                items.append(
                    one([
                        condition(), condition(), "or=(\(condition()),\(condition()))",
                        "sort=\(one(["", "-"]))\(one(names))", "group=\(one(names))",
                        "facets=\(one(names))", "facets=?",
                        "q=\(one(["nn", "oslo", "title", "5"]))",
                        "limit=\(one([1, 3, 9, 100]))", "page=\(one([1, 2, 5]))",
                        "per_section=\(one([1, 2]))", "count=\(one(["exact", "none", "capped"]))",
                        "sum=\(one(names))", "min=\(one(names))", "statistics=\(one(names))",
                        "section=\(one(columns[1].values).replacing(" ", with: "+"))",
                        "around=\(one(ids))", "jump=\(one(["A", "H", "T"]))",
                        "columns=\(one(names))",
                    ])
                )
            }
            let section = one(columns[1].values).replacing(" ", with: "%20")
            let path = one([
                list, list, list, list, "\(list)/-/sections", "\(list)/-/sections/\(section)",
                "\(list)/\(one(ids))", "\(list)/-/schema", "",
            ])
            let format = one([".json", ".json", ".json", ".html", ".csv", ".ndjson"])
            return "/\(path)\(format)?\(items.joined(separator: "&"))"
        }
    }

    @Test("random requests get the same answer", arguments: Source.installed)
    func answers(source: Source) throws {
        let folder = try ScratchFolder()
        let few = try AuthorizedClient(
            try source.lists(ofScope: false, in: folder),
            [("some", source.scope)]
        )
        let whole = try AuthorizedClient(
            try source.lists(ofScope: true, in: folder),
            [("some", "\(source.list):read")]
        )
        let seed = UInt64.random(in: 0...9_999)
        var random = SeededGenerator(seed: seed)
        var (found, redirected) = (0, 0)
        // Few of the random requests are for the page around a row.
        let around = source.ids.map { "/\(source.list).json?around=\($0)&limit=1" }
        for step in 0..<450 {
            let request = step < around.count ? around[step] : source.request(&random)
            let scoped = try counted(request, by: few)
            let other = try counted(request, by: whole)
            try #require(bare(scoped) == bare(other), "\(request), seed \(seed)")
            #expect(scoped.field("Location") == other.field("Location"), "\(request), seed \(seed)")
            found += scoped.status == 200 ? 1 : 0
            redirected += scoped.status == 303 ? 1 : 0
        }
        #expect(found > 100, "seed \(seed)")
        #expect(source != .memory || redirected > 0, "seed \(seed)")
    }
}

/// A response without what names states of the list.
func bare(_ answer: Answer) -> String {
    "\(answer.status) \(answer.body.withoutStates)"
}

/// An answer that is finished: what was counted is kept, so that asking again helps.
func counted(
    _ question: String,
    by client: AuthorizedClient,
    as name: String = "some"
) throws -> Answer {
    var answer = try client.ask(.get, question, as: name)
    for _ in 0..<100 where answer.body.contains("\"counting\":true") {
        answer = try client.ask(.get, question, as: name)
    }
    return answer
}
