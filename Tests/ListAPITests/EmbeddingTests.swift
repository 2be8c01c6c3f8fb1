import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Rows of other lists are embedded in the rows of JSON")
struct EmbeddingTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func rows(_ answer: Answer) throws -> [JSON] {
        try answer.json()["sections"]?.elements.flatMap { $0["rows"]?.elements ?? [] } ?? []
    }

    @Test("a key has its row, with the chosen columns, or null", arguments: Shop.installed)
    func keys(shop: Shop) throws {
        let client = try Client(try shop.lists(in: folder))
        let page = try client.get("/orders.json?limit=4&embed=customer(city,name)")
        let customers = try rows(page).map { $0["embedded", "customer"] }
        #expect(customers.map { $0?["id"]?.text } == ["1", "2", "3", nil])
        #expect(
            customers[0]?["cells"] == .object(["city": .text("Bonn"), "name": .text("Ada & Co")])
        )
        #expect(customers[0]?["links", "self"]?.text == "/customers/1")
        #expect(customers[3] == .null)
        let next = try #require(try page.json()["links", "next"]?.text)
        #expect(next.contains("embed=customer%28city%2Cname%29"))
        #expect(try rows(client.get(next)).first?["embedded", "customer", "id"]?.text == "1")
        #expect(try page.json()["links", "csv"]?.text == "/orders.csv")
        #expect(try page.json()["links", "changes"] == nil)
        let row = try client.get("/orders/2.json?embed=code").json()
        #expect(row["row", "embedded", "code", "cells", "title"]?.text == "Pen")
    }

    @Test("a row has the rows that refer to it, and those have theirs", arguments: Shop.installed)
    func levels(shop: Shop) throws {
        let client = try Client(try shop.lists(in: folder))
        let embed = "embed=orders(total),orders.order_products(sku),boss(name)"
        let page = try client.get("/customers.json?\(embed)")
        let customers = try rows(page)
        let orders = customers.map { $0["embedded", "orders", "rows"]?.elements ?? [] }
        #expect(orders.map(\.count) == [15, 15, 15, 0])
        #expect(orders[0].prefix(3).map { $0["id"]?.text } == ["1", "5", "9"])
        #expect(orders[0][0]["cells"] == .object(["total": .number(10)]))
        let pairs = orders[0][2]["embedded", "order_products", "rows"]?.elements ?? []
        #expect(pairs.map { $0["cells", "sku"]?.text } == ["p.json", "q/2"])
        #expect(
            customers.map { $0["embedded", "boss", "cells", "name"]?.text } == [
                nil, "Ada & Co", "Ada & Co", "Cy",
            ]
        )
        #expect(
            customers.map { $0["embedded", "orders", "more"] } == [
                .boolean(false), .boolean(false), .boolean(false), .boolean(false),
            ]
        )
    }

    @Test("a page takes one query for each embedded list", arguments: Shop.installed)
    func queries(shop: Shop) throws {
        let (lists, counts) = try shop.countedLists(in: folder)
        let client = try Client(lists)
        let embed = "columns=name&embed=orders,orders.order_products"
        #expect(try client.get("/customers.json?\(embed)").status == 200)
        #expect(
            counts.mapValues(\.reads) == [
                "customers": 1, "orders": 1, "order_products": 1, "products": 0,
            ]
        )
    }

    @Test("rows beyond the limit of a page are said to be missing")
    func limit() throws {
        let shelves = try ListDefinition.items(
            ["s1", "s2", "s3"].map { Item(id: $0) },
            list: "shelves",
            grouping: nil
        )
        let all = (0..<1_500).map { number in
            Item(id: "i\(10_000 + number)", shelf: number < 900 ? "s1" : "s2")
        }
        var items = try ListDefinition.items(all, grouping: nil)
        items.relations = [ListRelation(list: "items", column: "shelf", target: "shelves")]
        let client = try Client([shelves, items])
        let embedded = try rows(client.get("/shelves.json?embed=items(size)"))
            .map { $0["embedded", "items"] }
        #expect(embedded.map { $0?["rows"]?.elements.count } == [900, 100, 0])
        #expect(embedded.map { $0?["more"] } == [.boolean(false), .boolean(true), .boolean(true)])
    }

    @Test("embedded rows are those that the caller may see", arguments: Shop.installed)
    func scopes(shop: Shop) throws {
        let client = try AuthorizedClient(
            try shop.lists(in: folder),
            [
                ("few", "customers:read orders:read:total__lt=100"),
                ("oslo", "orders:read customers:read:city=Oslo"),
                ("orders", "orders:read"),
            ]
        )
        for _ in 0..<2 {
            let few = try client.ask(.get, "/customers.json?embed=orders", as: "few")
            let orders = try rows(few).map { $0["embedded", "orders", "rows"]?.elements.count }
            #expect(orders == [3, 2, 2, 0])
            let oslo = try client.ask(.get, "/orders.json?limit=4&embed=customer", as: "oslo")
            #expect(
                try rows(oslo).map { $0["embedded", "customer", "id"]?.text } == [
                    nil, nil, "3", nil,
                ]
            )
        }
        let hidden = try client.ask(.get, "/orders.json?embed=customer", as: "orders")
        #expect(hidden.status == 400)
        #expect(try hidden.errorLines().first?.contains("customers") == false)
    }

    @Test("an invalid embedding says what is wrong")
    func invalid() throws {
        let client = try Client(try Shop.sqlite.lists(in: folder))
        func error(_ target: String) throws -> String? { try client.get(target).errorLines().first }
        let names = "allowed: customer, code, order_products"
        let unknown = try error("/orders.json?embed=client")
        #expect(unknown?.contains(names) == true, "\(unknown ?? "")")
        // A list leads back along the key that it came from: a cycle.
        let back = try error("/orders.json?embed=customer.orders")
        #expect(back?.contains("unknown-option") == true)
        #expect(try error("/orders.json?embed=customer(nme)")?.contains("name") == true)
        #expect(try error("/orders.json?embed=customer.boss.boss")?.contains("malformed") == true)
        #expect(try error("/orders.json?embed=customer(name")?.contains("malformed") == true)
        #expect(try error("/orders.json?embed=,")?.contains("malformed") == true)
        #expect(try client.get("/orders.csv?embed=customer").body.contains("JSON only"))
        let alone = try error("/orders.json?embed=customer&shape=array")
        #expect(alone?.contains("conflicting-parameters") == true, "\(alone ?? "")")
        #expect(try error("/orders/-/sections.json?embed=customer")?.contains("unknown") == true)
    }
}
