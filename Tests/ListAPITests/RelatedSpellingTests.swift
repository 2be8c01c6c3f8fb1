import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("A foreign key compares numbers by value, everywhere")
struct RelatedSpellingTests {
    /// The lists `par`, whose rows have the names A, B and C, and `chi`, whose codes name them.
    enum Origin: String, CaseIterable, Sendable {
        case memory, database, untyped, integers, texts, textIDs, view
        case numerics, postgresTexts, postgresIDs

        static let installed = allCases.filter { $0.shop == .sqlite || Shop.installed.count > 1 }

        var shop: Shop {
            switch self {
            case .numerics, .postgresTexts, .postgresIDs: .postgres
            default: .sqlite
            }
        }

        /// The rows of `chi` that name each row of `par`, by its name.
        var named: [String: [String]] {
            switch self {
            case .memory, .database: ["A": ["1", "2", "3", "9"], "B": ["4"], "C": ["7"]]
            case .untyped, .view: ["A": ["1", "2", "3"], "B": ["4"], "C": ["7"]]
            case .integers: ["A": ["1", "2", "3"], "B": ["4"], "C": ["7"]]
            case .texts, .postgresTexts: ["A": ["1"], "B": ["4"], "C": ["7"]]
            case .textIDs: ["A": ["1", "2"], "B": ["4"], "C": ["7"]]
            case .numerics, .postgresIDs: ["A": ["1", "2"], "B": ["4"], "C": ["7"]]
            }
        }

        private var statements: String {
            let ids = self == .textIDs || self == .postgresIDs ? "text" : "integer"
            let (type, codes) =
                switch self {
                case .untyped, .view: ("", "'1', 1, 1.0, 2, '01', NULL, 3, 9, x'31'")
                case .integers: ("integer", "'1', 1.0, '01', 2, 'x', NULL, 3, 9, '1x'")
                case .textIDs: ("", "1, 1.0, '01', '2', 'x', NULL, 3, 9, '+1'")
                case .numerics, .postgresIDs: ("numeric", "1, 1.0, 1.5, 2, 0, NULL, 3, 9, -1")
                default: ("text", "'1', '1.0', '01', '2', 'x', NULL, '3', '9', '+1'")
                }
            let rows = codes.split(separator: ", ").enumerated()
                .map { "(\($0 + 1), \($1))" }.joined(separator: ", ")
            let table = self == .view ? "stored" : "chi"
            return """
                CREATE TABLE par (id \(ids) PRIMARY KEY, name text);
                INSERT INTO par VALUES ('1', 'A'), ('2', 'B'), ('3', 'C');
                CREATE TABLE \(table) (id integer PRIMARY KEY, code \(type));
                INSERT INTO \(table) VALUES \(rows);
                """ + (self == .view ? "CREATE VIEW chi AS SELECT id, code FROM stored;" : "")
        }

        fileprivate func lists(in folder: ScratchFolder) throws -> [ListDefinition] {
            guard self == .memory || self == .database else {
                return try shop.lists(in: folder, of: statements)
            }
            try folder.write(Array("id,name\n1,A\n2,B\n3,C\n".utf8), to: "par.csv")
            let codes = ["1", "1.0", "1.00", "2", "x", "", "3", "9", "+1"]
            let rows = codes.enumerated().map { "\($0 + 1),\($1)\n" }
            try folder.write(Array(("id,code\n" + rows.joined()).utf8), to: "chi.csv")
            var configuration = Configuration()
            configuration.sources = try ["par", "chi"].map {
                try SourceArgument("\(folder.path)/\($0).csv")
            }
            if self == .database { configuration.database = "\(folder.path)/lists.sqlite" }
            return try ListRegistry(configuration).lists
        }
    }

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func client(_ origin: Origin) throws -> Client {
        var options = ServiceOptions()
        options.relations.relations = [ListRelation(list: "chi", column: "code", target: "par")]
        return try Client(try origin.lists(in: folder), options: options)
    }

    private func rows(_ address: String, of client: Client) throws -> [JSON] {
        let response = try client.get(address)
        #expect(response.status == 200, "\(address): \(response.body)")
        return try response.json()["sections"]?.elements
            .flatMap { $0["rows"]?.elements ?? [] } ?? []
    }

    private func ids(_ query: String, of client: Client) throws -> [String] {
        try rows("/chi.json?\(query)", of: client).compactMap { $0["id"]?.text }
    }

    private static let all = (1...9).map(String.init)

    @Test("conditions are the same alone and in groups", arguments: Origin.installed)
    func conditions(origin: Origin) throws {
        let client = try client(origin)
        for (name, rows) in origin.named {
            #expect(try ids("code.name=\(name)&sort=id", of: client) == rows)
            #expect(try ids("or=(code.name=\(name),id=99)&sort=id", of: client) == rows)
            let others = Self.all.filter { !rows.contains($0) }
            #expect(try ids("code.name__ne=\(name)&sort=id", of: client) == others)
            #expect(try ids("not=(code.name=\(name))&sort=id", of: client) == others)
        }
    }

    @Test("orders and facets have the rows of the condition", arguments: Origin.installed)
    func orders(origin: Origin) throws {
        let client = try client(origin)
        let named = origin.named.sorted { $0.key < $1.key }
        let rest = Self.all.filter { id in !named.contains { $0.value.contains(id) } }
        let expected = named.flatMap(\.value) + rest
        #expect(try ids("sort=code.name,id", of: client) == expected)
        let nullsFirst = try ids("sort=code.name:nullsfirst,id", of: client)
        #expect(nullsFirst == rest + named.flatMap(\.value))
        // No path to another row or into JSON makes sections.
        #expect(try client.get("/chi.json?group=code.name").body.contains("No column 'code.name'"))
        let page = try client.get("/chi.json?facets=code.name").json()
        let values = page["facets"]?.elements.first?["values"]?.elements ?? []
        #expect(values.count == named.count + 1)
        for value in values {
            let rows = value["value"]?.text.flatMap { origin.named[$0] } ?? rest
            #expect(value["count"]?.integer == rows.count)
            let address = try #require(value["href"]?.text)
            let linked = try self.rows(address, of: client).compactMap { $0["id"]?.text }
            #expect(linked.sorted() == rows, "\(address)")
        }
    }

    @Test("labels and their links are those of the condition", arguments: Origin.installed)
    func labels(origin: Origin) throws {
        let client = try client(origin)
        let shown = try rows("/chi.json?sort=id", of: client)
        let html = try client.get("/chi.html").body
        for (name, rows) in origin.named {
            let labelled = shown.filter { $0["display", "code"]?.text == name }
            #expect(labelled.compactMap { $0["id"]?.text } == rows)
            let link = "\">\(name)</a>"
            let parts = html.split(separator: link, omittingEmptySubsequences: false)
            #expect(parts.count == rows.count + 1)
        }
        #expect(!html.contains("/par/1.0"))
        guard origin == .memory else { return }
        let condition = try client.get("/chi.html?code__is=1.0").body
        #expect(condition.contains(">Code is A</span>"), "\(condition)")
    }

    @Test("embedded and related rows are those of the condition", arguments: Origin.installed)
    func embedded(origin: Origin) throws {
        let client = try client(origin)
        let shown = try rows("/chi.json?embed=code&sort=id", of: client)
        let outer = try rows("/par.json?embed=chi&sort=id", of: client)
        for (index, (name, rows)) in origin.named.sorted(by: { $0.key < $1.key }).enumerated() {
            let found = shown.filter { $0["embedded", "code", "cells", "name"]?.text == name }
            #expect(found.compactMap { $0["id"]?.text } == rows)
            let inner = outer[index]["embedded", "chi", "rows"]?.elements ?? []
            #expect(inner.compactMap { $0["id"]?.text }.sorted() == rows)
            let row = try client.get("/par/\(index + 1).json").json()
            let related = row["related"]?.elements.first
            #expect(related?["total", "value"]?.integer == rows.count)
        }
    }
}
