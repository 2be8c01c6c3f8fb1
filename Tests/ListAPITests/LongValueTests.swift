import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import SQLite
import TestSupport
import Testing

@Suite("Lists are walked past long values")
struct LongValueTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Forty texts of up to 70,000 characters; four share their first 35,000 characters.
    private static let parts = (0..<40).map { number in
        let start = number >= 36 ? "long" : "\(number * 7 % 40)"
        return (start: start, count: number * number * 22 + 5, end: "\(number)")
    }
    private static let texts = parts.map { $0 + String(repeating: "é~", count: $1) + $2 }

    private func lists(_ source: SpelledRows) throws -> [ListDefinition] {
        switch source {
        case .memory:
            let items = Self.texts.enumerated().map { Item(id: "\($0 + 1)", title: $1) }
            return [try .items(items, list: "t", grouping: nil)]
        case .imported:
            let rows = Self.texts.enumerated().map { "\($0 + 1),\($1)\n" }
            try folder.write(Array(("id,title\n" + rows.joined()).utf8), to: "t.csv")
            var configuration = Configuration()
            configuration.sources = [try SourceArgument(folder.path + "/t.csv")]
            return try ListRegistry(configuration).lists
        case .sqlite, .postgres:
            // A command has a maximum length.
            let rows =
                source == .sqlite
                ? Self.texts.enumerated().map { "(\($0 + 1), '\($1)')" }
                : Self.parts.enumerated().map { index, part in
                    "(\(index + 1), '\(part.start)' || repeat('é~', \(part.count)) || '\(part.end)')"
                }
            return try (source == .sqlite ? Shop.sqlite : Shop.postgres).lists(
                in: folder,
                of: """
                    CREATE TABLE t (id integer PRIMARY KEY, title text);
                    INSERT INTO t VALUES \(rows.joined(separator: ", "));
                    """
            )
        }
    }

    @Test(
        "each row is met once, forwards and backwards, by short cursors",
        arguments: SpelledRows.installed,
        ["sort=title", "sort=-title", "sort=title&id__ne=7"]
    )
    func walk(source: SpelledRows, order: String) throws {
        var options = ServiceOptions()
        options.readingTimes.rows = .seconds(60)
        let client = try Client(try lists(source), options: options)
        let count = order.contains("ne") ? 39 : 40
        var pages: [[String]] = []
        var next: String? = "/t.json?\(order)&limit=3&columns=id"
        if source == .memory { next = "/t.json?\(order)&limit=3&columns=size" }
        var previous: String?
        while let address = next, pages.count < 30 {
            let page = try client.get(address)
            #expect(page.status == 200, "\(page.body.prefix(300))")
            pages.append(try page.json().rows.map(\.id))
            next = try page.json().link("next")
            previous = try page.json().link("prev")
            for name in ["after", "before"] {
                #expect(try page.json()["page", name]?.text?.count ?? 0 <= 512)
            }
        }
        #expect(Set(pages.joined()).count == count && pages.joined().count == count)
        var backwards: [[String]] = []
        while let address = previous, backwards.count < 30 {
            let page = try client.get(address).json()
            backwards.insert(page.rows.map(\.id), at: 0)
            previous = page.link("prev")
        }
        #expect(backwards == pages.dropLast())
    }

    @Test(
        "a cursor is refused after its row with a long value is changed or deleted",
        arguments: ["UPDATE t SET title = 'short' WHERE id =", "DELETE FROM t WHERE id ="]
    )
    func changed(statement: String) throws {
        let client = try Client(try lists(.sqlite))
        let page = try client.get("/t.json?sort=-title&limit=1").json()
        let (next, id) = (try #require(page.link("next")), try #require(page.rows.first?.id))
        #expect(try client.get(next).status == 200)
        let path = folder.path + "/shop.sqlite"
        try DatabaseConnection(.file(path), access: .readWrite).execute("\(statement) \(id)")
        let answer = try client.get(next)
        #expect(answer.status == 410)
        #expect(try answer.errorLines().first?.contains("cursor-expired") ?? false)
    }

    @Test("a cursor leads no caller to a row that they may not see")
    func scope() throws {
        let client = try AuthorizedClient(
            try lists(.sqlite),
            [("all", "*:read"), ("few", "t:read:id__lte=2")]
        )
        let page = try client.ask(.get, "/t.json?sort=-title&limit=1", as: "all").json()
        let next = try #require(page.link("next"))
        #expect(try client.ask(.get, next, as: "all").status == 200)
        #expect(try client.ask(.get, next, as: "few").status == 410)
    }
}
