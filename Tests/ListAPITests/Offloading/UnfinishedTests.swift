import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("An unfinished answer says so and has no entity tag")
struct UnfinishedTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static func table(_ shop: Shop) -> String {
        let cast = shop == .sqlite ? "" : "::timestamptz"
        return """
            CREATE TABLE t (id integer PRIMARY KEY, v text, w text,
                at \(shop == .sqlite ? "timestamp" : "timestamptz"), n integer);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
            INSERT INTO t SELECT i, 'v' || (i % 3), 'w' || (i % 70),
                ('20' || (10 + i % 15) || '-05-01T10:00:00Z')\(cast), i % 7 FROM n;
            """
    }

    /// Asks until nothing is missing, and compares what has a tag.
    private func finish(_ target: String, _ client: Client, attempts: Int = 400) throws -> JSON? {
        var bodies: [String: String] = [:]
        for _ in 0..<attempts {
            let answer = try client.get(target)
            // Rows have a time limit, too.
            guard answer.status != 503 else { continue }
            #expect(answer.status == 200, "\(answer.body)")
            let isMissing = answer.body.contains(/"(sum|n|total|count)":null|"values":\[\]/)
            let isCounting = answer.body.contains(#""counting":true"#)
            #expect(!isMissing || isCounting, "\(target): \(answer.body)")
            #expect(isCounting == (answer.field("ETag") == nil), "\(target): \(answer.fields)")
            guard let tag = answer.field("ETag") else { continue }
            #expect(!isMissing)
            if let known = bodies[tag] { #expect(known == answer.body) }
            bodies[tag] = answer.body
            if bodies.count == 1, !isMissing { return try answer.json() }
        }
        return nil
    }

    private func client(_ shop: Shop) throws -> Client {
        let lists = try shop.lists(in: folder, of: Self.table(shop))
        return try Client(
            of: turnServer(lists) { options in
                options.pageCacheBytes = 0
                options.readingTimes.counts = .microseconds(200)
                options.readingTimes.facets = .microseconds(200)
            }
        )
    }

    @Test(
        "counts, sums and facets arrive later, and are right",
        arguments: Shop.installed
    )
    func plain(shop: Shop) throws {
        let client = try client(shop)
        let page = try #require(try finish("/t.json?v=v1&sum=n&facets=w&limit=1", client))
        #expect(page["aggregates", "sum", "n"]?.integer == 29_996)
        #expect(page["total", "value"]?.integer == 10_000)
        let facet = try #require(page["facets"]?.elements.first)
        #expect(facet["values"]?.elements.count == 50 && facet["complete"] == .boolean(false))
    }

    @Test(
        "counts, sums and facets of a query with a path arrive later",
        arguments: Shop.installed,
        ["at:year=2014&sum=n&limit=1", "group=at:year&sum=n&limit=300", "facets=at:year&limit=1"]
    )
    func paths(shop: Shop, query: String) throws {
        _ = try #require(try finish("/t.json?\(query)", client(shop)))
    }

    @Test(
        "the most frequent of many values are listed, however they sort",
        arguments: Shop.installed
    )
    func frequent(shop: Shop) throws {
        let rows = (0..<60).map { "(\($0), 'v\($0 < 10 ? "0" : "")\($0)', \(10 + 8 * $0))" }
        let lists = try shop.lists(
            in: folder,
            of: """
                CREATE TABLE parts (id integer, v text, count integer);
                INSERT INTO parts VALUES \(rows.joined(separator: ", "));
                CREATE TABLE t (id integer PRIMARY KEY, v text);
                WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 481)
                INSERT INTO t SELECT parts.id * 1000 + i, v FROM parts JOIN n ON i < count;
                CREATE INDEX vs ON t (v);
                """
        )
        let client = try Client(of: turnServer(lists) { $0.pageCacheBytes = 0 })
        let page = try #require(try finish("/t.json?facets=v&limit=1", client))
        let facet = try #require(page["facets"]?.elements.first)
        let values = facet["values"]?.elements.map { $0["value"]?.text ?? "" } ?? []
        #expect(values == (10..<60).reversed().map { "v\($0)" })
        #expect(facet["values"]?.elements.first?["count"]?.integer == 482)
    }

    @Test("a number that is known to others does not change a tagged page")
    func known() throws {
        // The version of an imported list does not depend on the age of a file.
        let rows = (1...30_000).map { "\($0),v\($0 % 3)\n" }
        try folder.write(Array(("id,v\n" + rows.joined()).utf8), to: "t.csv")
        var configuration = Configuration()
        configuration.sources = [try SourceArgument("\(folder.path)/t.csv")]
        let client = try Client(try ListRegistry(configuration).lists)
        for query in ["", "&v=v1", "&facets=v"] {
            let capped = try client.get("/t.json?limit=1\(query)")
            _ = try client.get("/t.json?limit=1&count=exact\(query)")
            let again = try client.get("/t.json?limit=1\(query)")
            // A page whose count took too long has no tag.
            guard let tag = capped.field("ETag") else { continue }
            #expect(tag == again.field("ETag"))
            #expect(capped.body == again.body)
        }
    }
}
