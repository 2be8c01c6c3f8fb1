import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("Every reader of a query derives its columns")
struct DerivedReadTests {
    private static let rowCount = 650
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Parcels of people, with JSON, times and arrays; more of them than an export reads at once.
    private static func tables(_ shop: Shop) -> String {
        let parcels = (1...rowCount).map { number in
            "(\(number), \(number % 3 + 1), '2024-0\(number % 9 + 1)-03T10:00:00Z', "
                + "'{\"k\":\(number % 7)}', '[\"t\(number % 5)\"]')"
        }
        let (time, json) = shop == .sqlite ? ("timestamp", "text") : ("timestamptz", "jsonb")
        return """
            CREATE TABLE people (id integer PRIMARY KEY, name text);
            CREATE TABLE parcels (id integer PRIMARY KEY, person_id integer REFERENCES people (id),
                sent \(time), meta \(json), tags \(json));
            INSERT INTO people VALUES (1, 'Zoe'), (2, 'Ada'), (3, 'Bob');
            INSERT INTO parcels VALUES \(parcels.joined(separator: ", "));
            """
    }

    private static let queries = [
        "sort=meta.k", "sort=-person.name", "meta.k=3", "sent:month=2024-04", "group=sent:month",
        "tags__has=t1", "or=(meta.k=1,person.name=Ada)", "facets=sent:month&sort=sent:month",
    ]

    @Test(
        "a download has the rows of the pages, whatever the query derives",
        arguments: Shop.installed,
        queries
    )
    func downloads(shop: Shop, query: String) throws {
        let lists = try shop.lists(in: folder, of: Self.tables(shop))
        let server = try turnServer(lists) {
            $0.readingTimes.rows = .seconds(60)
        }
        let client = try Client(of: server)
        let address = "/parcels.json?\(query)&columns=id&limit=500"
        var (ids, next) = ([String](), String?.some(address))
        while let target = next {
            let page = try client.get(target)
            ids += try page.rows().map(\.id)
            next = try page.json()["links", "next"]?.text
        }
        #expect(!ids.isEmpty)
        let lines = try client.get("/parcels.ndjson?\(query)&columns=id").body
            .split(separator: "\n")
        #expect(try lines.map { try JSON(String($0))["id"]?.integer } == ids.map { Int($0) })
        let csv = try client.get("/parcels.csv?\(query)&columns=id").body
        #expect(csv.split(separator: "\r\n").count == ids.count + 1)
        #expect(try client.get("/parcels.xlsx?\(query)").status == 200)
    }

    @Test(
        "deleting all rows of a query deletes those that its derived columns select",
        arguments: ["meta.k=3", "tags__has=t1", "or=(meta.k=3,tags__has=t1)", "sent:month=2024-04"]
    )
    func bulk(query: String) throws {
        var file = "id,sent,meta,tags\n"
        for number in 1...Self.rowCount {
            let sent = "2024-0\(number % 9 + 1)-03T10:00:00Z"
            file += "\(number),\(sent),\"{\"\"k\"\":\(number % 7)}\",\"[\"\"t\(number % 5)\"\"]\"\n"
        }
        try folder.write(Array(file.utf8), to: "parcels.csv")
        var configuration = Configuration()
        configuration.sources = [try SourceArgument("\(folder.path)/parcels.csv")]
        configuration.allowsAnonymousWrites = true
        configuration.database = ":memory:"
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        options.readingTimes.rows = .seconds(60)
        let client = try Client(try ListRegistry(configuration).lists, options: options)
        func count(_ query: String) throws -> Int? {
            try client.get("/parcels?limit=1&\(query)").json()["total", "value"]?.integer
        }
        let selected = try #require(try count(query))
        #expect(selected > 0)
        let answer = try client.ask(
            .post,
            "/parcels/-/actions/delete?\(query)",
            fields: [(.contentType, "application/x-www-form-urlencoded")],
            body: "all=true"
        )
        #expect(answer.status < 400, "\(answer.body)")
        #expect(try count("") == Self.rowCount - selected)
        #expect(try count(query) == 0)
    }
}
