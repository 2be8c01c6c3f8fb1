import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport
import Testing

@testable import ListAPI

@Suite("Paths lead from a column to other rows, into JSON and to periods")
struct ColumnPathTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The statements that make the tables; JSON has another type in each engine.
    private static func tables(_ shop: Shop) -> String {
        """
        CREATE TABLE people (id integer PRIMARY KEY, name text,
            boss_id integer REFERENCES people (id));
        CREATE TABLE parcels (id integer PRIMARY KEY, person_id integer REFERENCES people (id),
            sent \(shop == .sqlite ? "timestamp" : "timestamptz"),
            meta \(shop == .sqlite ? "text" : "jsonb"));
        INSERT INTO people VALUES (1, 'Zoe', NULL), (2, 'Ada', 1), (3, 'Bob', 1), (4, NULL, 2);
        INSERT INTO parcels VALUES
            (1, 1, '2024-01-03T10:00:00Z', '{"k":1,"s":"it''s","a b":{"é":true}}'),
            (2, 2, '2024-02-03T10:00:00Z', '{"k":"1","s":"2024-01-01"}'),
            (3, 3, '2023-02-03T10:00:00Z', '{"k":10,"d":{"e":[5,6.50]}}'),
            (4, NULL, '2023-12-31T23:30:00Z', NULL),
            (5, 2, '2024-01-01T00:30:00Z', '[1,{"k":2}]'),
            (6, 4, NULL, '{"k":2,"s":"It"}'), (7, 3, NULL, '{"k":null}');
        """
    }

    private func client(_ shop: Shop) throws -> Client {
        try Client(try shop.lists(in: folder, of: Self.tables(shop)))
    }

    private func ids(_ query: String, of client: Client) throws -> String {
        var ids: [String] = []
        var next: String? = query + (query.contains("?") ? "&" : "?") + "limit=2"
        while let address = next, ids.count < 20 {
            let answer = try client.get(address)
            guard answer.status == 200 else { return answer.body }
            let json = try answer.json()
            let rows = json["sections"]?.elements.flatMap { $0["rows"]?.elements ?? [] } ?? []
            ids += rows.compactMap { $0["id"]?.text }
            next = json["links", "next"]?.text
        }
        return ids.joined(separator: " ")
    }

    @Test(
        "pages are sorted and filtered by paths, and meet each row once",
        arguments: Shop.installed,
        InputRow.table(
            """
            /parcels.json?sort=person.name
              2 5 3 7 1 4 6
            /parcels.json?sort=-person.name:nullsfirst
              4 6 1 3 7 2 5
            /parcels.json?sort=person.name,-sent
              2 5 3 7 1 4 6
            /people.json?sort=boss.name
              4 2 3 1
            /parcels.json?group=person_id&sort=-person.name,-id
              1 5 2 7 3 6 4
            /parcels.json?or=(person.name=Zoe,meta.k=2)
              1 6
            /parcels.json?meta.k=1
              1 2
            /parcels.json?meta.k__ne=1
              3 4 5 6 7
            /parcels.json?meta.k__gt=1&sort=-meta.k
              3 6
            /parcels.json?meta.k__in=2,10
              3 6
            /parcels.json?meta.k__isnull=true
              4 5 7
            /parcels.json?meta.d.e.1=6.5
              3
            /parcels.json?meta.1.k=2
              5
            /parcels.json?meta.s__startswith=IT
              1 6
            /parcels.json?meta.s=it's
              1
            /parcels.json?meta.s__gte=2024-01-01&meta.s__lt=2024-06
              2
            /parcels.json?meta.a%20b.%C3%A9=true
              1
            /parcels.json?meta[]=1
              5
            /parcels.json?meta.d.e__has=5
              3
            /parcels.json?meta.d.e[]__in=5,7&meta.d.e[]__ne=7
              3
            /parcels.json?not=(meta.d.e__has=6.5)&sort=-id
              7 6 5 4 2 1
            /parcels.json?sort=sent:year,-id
              4 3 5 2 1 7 6
            /parcels.json?sent:month=2024-01
              1 5
            /parcels.json?group=sent:year&sort=id
              3 4 1 2 5 6 7
            """
        )
    )
    func paths(shop: Shop, row: InputRow) throws {
        #expect(try ids(row.input, of: client(shop)) == row.expected.joined())
    }

    @Test(
        "values of different kinds are sorted as the engine sorts them",
        arguments: Shop.installed
    )
    func kinds(shop: Shop) throws {
        let order = try ids("/parcels.json?sort=meta.k", of: client(shop))
        #expect(order == (shop == .sqlite ? "1 6 3 2 4 5 7" : "2 1 6 3 4 5 7"))
    }

    @Test(
        "values at paths are counted, and their links lead to the rows",
        arguments: Shop.installed
    )
    func facets(shop: Shop) throws {
        let client = try client(shop)
        let page = try client.get("/parcels.json?facets=sent:year,meta.k&limit=1").json()
        let facets = page["facets"]?.elements ?? []
        #expect(facets.map { $0["column"]?.text } == ["sent:year", "meta.k"])
        for facet in facets {
            let values = facet["values"]?.elements ?? []
            #expect(values.reduce(0) { $0 + ($1["count"]?.integer ?? 0) } == 7)
            for value in values {
                let address = try #require(value["href"]?.text)
                let count = try client.get(address).json()["total", "value"]?.integer
                #expect(count == value["count"]?.integer, "\(address)")
            }
        }
        #expect(facets[0]["values"]?.elements.first?["value"]?.text == "2024")
        #expect(facets[1]["values"]?.elements.count == 5)
    }

    @Test("elements of arrays are counted once a row, and lead to it", arguments: Shop.installed)
    func elements(shop: Shop) throws {
        let array = shop == .sqlite ? "text" : "jsonb"
        let lists = try shop.lists(
            in: folder,
            of: """
                CREATE TABLE notes (id integer PRIMARY KEY, tags \(array));
                INSERT INTO notes VALUES (1, '["x","a,b*","x",1]'), (2, '["x",",",[1],null]'),
                    (3, '["\\",\\"","1","x?"]'), (4, '{"x":1}'), (5, NULL), (6, '[]'), (7, '"x"');
                """
        )
        let client = try Client(lists)
        let facet = try client.get("/notes.json?facets=tags[]").json()["facets"]?.elements.first
        let values = facet?["values"]?.elements ?? []
        let counts = values.map { "\($0["label"]?.text ?? "") \($0["count"]?.integer ?? 0)" }
        #expect(counts.first == "x 2")
        #expect(counts.sorted() == ["\",\" 1", ", 1", "1 1", "1 1", "a,b* 1", "x 2", "x? 1"])
        for value in values {
            let address = try #require(value["href"]?.text)
            let count = try client.get(address).json()["total", "value"]?.integer
            #expect(count == value["count"]?.integer, "\(address)")
        }
        #expect(try ids("/notes.json?tags__has=x", of: client) == "1 2")
        #expect(try ids("/notes.json?tags__has=1", of: client) == "1 3")
        #expect(try ids("/notes.json?tags[]__ne=x", of: client) == "3 4 5 6 7")
    }

    @Test("a page shows the paths that it is read by, and no further column")
    func shown() throws {
        let client = try client(.sqlite)
        let page = try client.get("/parcels.html?sort=person.name&meta.k__gt=1").body
        #expect(page.contains("Person: Name") && page.contains("Meta: k"))
        #expect(try client.get("/parcels.csv?sort=person.name").body.hasPrefix("id,person_id,sent"))
        let columns = try client.get("/parcels.json?sort=person.name").json()["columns"]?.elements
        #expect(columns?.count == 4)
    }

    @Test("an order by other rows changes the entity tag with them")
    func tags() throws {
        let lists = try Shop.sqlite.lists(in: folder, of: Self.tables(.sqlite))
        let client = try Client(lists)
        let tag = try client.get("/parcels.json?sort=person.name").field("etag")
        #expect(tag?.contains("-") ?? false)
        #expect(try client.get("/parcels.json?sort=id").field("etag") != tag)
    }

    @Test(
        "a path that leads nowhere is refused with the reason",
        arguments: InputRow.table(
            """
            sort=person.nam
              sort unknown-column
            sort=id.k
              sort unknown-column
            sort=sent:week
              sort unknown-option
            meta..k=1
              meta..k unknown-parameter
            columns=meta.k
              columns unknown-column
            meta.k=1&columns=meta.k
              columns unknown-column
            meta.k=1&group=meta.k
              group unknown-column
            sort=meta[]
              sort unsortable-column
            meta[]__gt=1
              meta[]__gt unusable-operator
            group=meta.k
              group unknown-column
            meta.k__like=1
              meta.k__like unknown-operator
            meta.a=1&meta.b=1&meta.c=1&meta.d=1&meta.e=1&meta.f=1&meta.g=1&meta.h=1&meta.i=1
              meta.i too-many-paths
            """
        )
    )
    func refusals(_ row: InputRow) throws {
        let answer = try client(.sqlite).get("/parcels.json?\(row.input)")
        #expect(answer.status == 400)
        let fault = try #require(answer.faults().first)
        #expect(fault.hasPrefix(row.expected.joined()), "\(fault)")
    }

    @Test("a list in memory has no paths into JSON")
    func memory() throws {
        let answer = try Client([.items(.numbered(3))]).get("/items.json?sort=title.k")
        #expect(answer.status == 400 && answer.body.contains("this one is in memory"))
    }

    @Test("a text of PostgreSQL is no JSON", .needsPostgres)
    func texts() throws {
        let answer = try client(.postgres).get("/people.json?name.k=1")
        #expect(try answer.faults().first?.hasPrefix("name.k unusable-path") ?? false)
    }
}
