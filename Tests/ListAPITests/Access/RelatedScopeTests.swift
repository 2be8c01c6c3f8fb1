import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Rows of other lists reveal nothing that the caller may not see")
struct RelatedScopeTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The rights of a caller who sees the customers of Oslo, and orders below 400.
    private static let rights =
        "customers:read:city=Oslo orders:read:total__lt=400 "
        + "products:read:title=Pen order_products:read:order_id__lt=9"

    private static let questions = [
        "/orders.json?limit=50", "/orders.html?limit=50", "/orders.json?facets=customerId,code",
        "/orders.json?group=customerId&sum=total&avg=total&max=total", "/orders.json?facets=?",
        "/orders.json?group=code&per_section=2&min=total", "/orders.html?group=customerId",
        "/orders.json?customer.name=Ada%20%26%20Co", "/orders.json?customer.name__ne=Cy",
        "/orders.json?customer.name__contains=a", "/orders.json?customer.name__startswith=A",
        "/orders.json?customer.name__isnull=true", "/orders.json?customer.name__isnull=false",
        "/orders.json?customer.name__nin=Cy", "/orders.json?customer.name__gte=A",
        "/orders.json?customer.id__in=1,2,3", "/orders.json?customer.boss_id=1",
        "/orders.json?code.title__contains=n&facets=code", "/orders.csv?customer.name__lt=Z",
        "/orders.json?embed=customer,code,order_products", "/orders.json?embed=customer.boss",
        "/customers.json?embed=orders,orders.order_products", "/customers.json?facets=?",
        "/customers.json?boss.name__contains=Ada", "/customers.json?facets=boss_id",
        "/orders/1.json", "/orders/3.json", "/orders/50.json", "/orders/3.html",
        "/customers/1.json", "/customers/3.json", "/customers/3.html", "/customers/4.json",
        "/products/p.json.json", "/products/q%2F2.json", "/order_products.json?limit=50",
        "/orders.json?sort=customer.name", "/orders.json?sort=-customer.city,id",
        "/orders.json?facets=customer.city", "/orders.json?or=(customer.name=Zed,total=10)",
        "/orders.json?not=(customer.name__contains=Zed)", "/orders/-/schema.json",
        "/customers.json?sort=boss.name",
    ]

    /// An answer without the names of the state of its database.
    private func bare(_ answer: Answer) -> String {
        answer.body.replacing(/"version":"[^"]*"/, with: "")
            .replacing(/data-version="[^"]*"/, with: "").replacing(/since=[^"&]*/, with: "")
            .replacing(/"instance":"[^"]*"/, with: "")
            .replacing(/"etag":"\\"[^"]*\\""/, with: "")
    }

    @Test("answers are the same whatever hidden rows contain", arguments: Shop.installed)
    func inference(shop: Shop) throws {
        let other = """
            UPDATE customers SET name = 'Zed', boss_id = 2 WHERE city = 'Bonn';
            UPDATE products SET title = 'Zed' WHERE title <> 'Pen';
            UPDATE orders SET total = 100000 WHERE total >= 400;
            """
        let clients = try [Shop.tables + Shop.rows, Shop.tables + Shop.rows + other].map { tables in
            let folder = try ScratchFolder()
            return (
                folder,
                try AuthorizedClient(
                    try shop.lists(in: folder, of: tables),
                    [("some", Self.rights)]
                )
            )
        }
        for question in Self.questions {
            let answers = try clients.map { try $0.1.ask(.get, question, as: "some") }
            #expect(answers[0].status == answers[1].status, "\(question)")
            #expect(bare(answers[0]) == bare(answers[1]), "\(question)")
            #expect(!answers[0].body.contains("Ada &"), "\(question)")
            #expect(answers.allSatisfy { [200, 400, 404].contains($0.status) }, "\(question)")
        }
    }

    @Test("orders and counts by rows that are partly hidden are refused", arguments: Shop.installed)
    func paths(shop: Shop) throws {
        let client = try AuthorizedClient(
            try shop.lists(in: folder),
            [("some", Self.rights), ("none", "orders:read")]
        )
        let refused = [
            "sort=customer.name", "sort=total,-customer.city", "facets=customer.city",
            "or=(customer.name=Cy,total=10)", "not=(customer.name=Cy)",
        ]
        for question in refused {
            let some = try client.ask(.get, "/orders.json?\(question)", as: "some")
            #expect(
                try some.errorLines().first?.contains(" unusable-path: ") == true,
                "\(question): \(some.body)"
            )
            let none = try client.ask(.get, "/orders.json?\(question)", as: "none")
            #expect(none.status == 400 && !none.body.contains("unusable-path"), "\(question)")
            #expect(!none.body.contains("city, boss_id"), "\(question)")
        }
    }

    @Test("counts, aggregates and suggestions are of the visible rows", arguments: Shop.installed)
    func values(shop: Shop) throws {
        let client = try AuthorizedClient(try shop.lists(in: folder), [("some", Self.rights)])
        // The orders 1 to 39, of which each fourth is of no customer.
        let page = try client.ask(
            .get,
            "/orders.json?facets=customerId,?&sum=total&max=total&group=customerId&limit=500",
            as: "some"
        ).json()
        #expect(page["aggregates", "sum", "total"]?.integer == 7_800)
        #expect(page["aggregates", "max", "total"]?.integer == 390)
        let facet = page["facets"]?.elements.first?["values"]?.elements ?? []
        #expect(facet.map { $0["count"]?.integer } == [10, 10, 10, 9])
        #expect(facet.map { $0["label"]?.text } == ["1", "2", "Cy", "No customer"])
        let headers = page["sections"]?.elements.map { $0["header", "title"]?.text }
        #expect(headers == ["1", "2", "Cy", "No customer"])
        // Only one code is to be seen, and the customers are counted already.
        #expect(page["suggestions"]?.elements == [])
    }
}
