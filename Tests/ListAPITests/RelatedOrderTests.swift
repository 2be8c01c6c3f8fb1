import Database
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("Rows in the order of a column of another list")
struct RelatedOrderTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let orderCount = 20_000
    private static let customerCount = 1_000

    /// The name of a customer: two have each name, and some have none.
    private static func name(_ customer: Int) -> String? {
        customer % 10 == 0 ? nil : "Name \(1_000 + customer * 37 % (customerCount / 2))"
    }

    /// The customer of an order, or nil for none.
    private static func customer(_ order: Int) -> Int? {
        order % 7 == 0 ? nil : 1 + order * 7_919 % customerCount
    }

    private static func statements(indexes: Bool, _ shop: Shop) -> String {
        func rows(_ table: String, _ count: Int, _ values: String) -> String {
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
                + "INSERT INTO \(table) SELECT i, \(values) FROM n;"
        }
        let name = "'Name ' || (1000 + i * 37 % \(customerCount / 2))"
        let customer = "1 + i * 7919 % \(customerCount)"
        // PostgreSQL compares texts of lists byte by byte.
        let collation = shop == .postgres ? " COLLATE \"C\"" : ""
        var statements = """
            CREATE TABLE customers (id integer PRIMARY KEY, name text);
            CREATE TABLE orders (id integer PRIMARY KEY,
                customer_id integer REFERENCES customers (id), state integer);
            """
        statements += rows(
            "customers",
            customerCount,
            "CASE WHEN i % 10 > 0 THEN \(name) END"
        )
        statements += rows("orders", orderCount, "CASE WHEN i % 7 > 0 THEN \(customer) END, i % 3")
        if indexes {
            statements += "CREATE INDEX their_names ON customers (name\(collation));"
            statements += "CREATE INDEX their_customers ON orders (customer_id);"
        }
        return statements + (shop == .postgres ? "ANALYZE customers; ANALYZE orders;" : "")
    }

    /// The ids of the orders in an order of names.
    private static func expected(
        descending: Bool = false,
        nullsFirst: Bool = false,
        where isShown: (Int) -> Bool = { _ in true }
    ) -> [Int] {
        let named = (1...orderCount).filter(isShown).map { order in
            (order: order, name: customer(order).flatMap(name))
        }
        return named.sorted { left, right in
            switch (left.name, right.name) {
            case (let left?, let right?) where left != right: (left < right) != descending
            case (nil, .some): nullsFirst
            case (.some, nil): !nullsFirst
            default: left.order < right.order
            }
        }.map(\.order)
    }

    private func ids(_ page: JSON) throws -> [Int] {
        let rows = page["sections"]?.elements.flatMap { $0["rows"]?.elements ?? [] } ?? []
        return rows.compactMap { $0["cells", "id"]?.integer }
    }

    @Test(
        "rows are those of a sort of all of them, with and without indexes",
        arguments: Shop.installed,
        [true, false]
    )
    func order(shop: Shop, indexes: Bool) throws {
        var options = ServiceOptions()
        options.readingTimes.rows = .seconds(60)
        let client = try Client(
            try shop.lists(in: folder, of: Self.statements(indexes: indexes, shop)),
            options: options
        )
        let orders: [(String, [Int])] = [
            ("customer.name", Self.expected()),
            ("-customer.name", Self.expected(descending: true)),
            ("customer.name:nullsfirst", Self.expected(nullsFirst: true)),
            ("-customer.name:nullsfirst", Self.expected(descending: true, nullsFirst: true)),
            ("customer.name&state=1", Self.expected { $0 % 3 == 1 }),
            ("customer.name&state__gte=1&count=none", Self.expected { $0 % 3 >= 1 }),
            ("customer.name&customer_id__isnull=true", Self.expected { Self.customer($0) == nil }),
        ]
        for (sort, expected) in orders {
            let last = (expected.count - 1) / 500 * 500
            for start in [0, 500, 8_000, 9_500, last] where start <= 10_000 && start <= last {
                let address = "/orders.json?limit=500&sort=\(sort)&offset=\(start)"
                let page = try client.get(address).json()
                #expect(
                    try ids(page) == Array(expected[start...].prefix(500)),
                    "\(sort) from \(start)"
                )
                guard let next = page["links", "next"]?.text else { continue }
                let second = try client.get(next).json()
                #expect(
                    try ids(second) == Array(expected[(start + 500)...].prefix(500)),
                    "\(sort) behind \(start)"
                )
                let back = try #require(second["links", "prev"]?.text)
                #expect(try ids(client.get(back).json()) == ids(page), "\(sort) before \(start)")
            }
        }
    }

    @Test("keys of several types are those of a sort of all rows")
    func mixedKeys() throws {
        let releases = "id,name\n1.5,One\n1.7,Two\nfinal,Last\nx,Y\n"
        let bugs = "id,release\n1,2.0-beta\n2,1.5\n3,1.7\n4,final\n5,\n"
        let customers = #"[{"id": "7", "name": "Ada"}, {"id": "b", "name": "Bo"}]"#
        let orders = """
            [{"id": 1, "customer": "b"}, {"id": 2, "customer": 7}, {"id": 3, "customer": "7"},
            {"id": 4, "customer": "a"}]
            """
        let files = [
            "releases.csv": releases, "bugs.csv": bugs, "customers.json": customers,
            "orders.json": orders,
        ]
        for (name, content) in files { try folder.write(Array(content.utf8), to: name) }
        var configuration = Configuration()
        configuration.sources = try files.keys.sorted().map {
            try SourceArgument("\(folder.path)/\($0)")
        }
        configuration.database = "\(folder.path)/lists.sqlite"
        var options = ServiceOptions()
        options.relations.relations = [
            ListRelation(list: "bugs", column: "release", target: "releases"),
            ListRelation(list: "orders", column: "customer", target: "customers"),
        ]
        let client = try Client(try ListRegistry(configuration).lists, options: options)
        #expect(try ids(client.get("/bugs.json?sort=release.name").json()) == [4, 2, 3, 1, 5])
        #expect(try ids(client.get("/orders.json?sort=customer.name").json()) == [2, 3, 1, 4])
    }

    @Test("indexes of both lists find the rows, and none is sorted", arguments: Shop.installed)
    func indexes(shop: Shop) throws {
        for indexes in [true, false] {
            let folder = try ScratchFolder()
            let lists = try shop.lists(
                in: folder,
                of: Self.statements(indexes: indexes, shop)
            )
            let plan = try Self.plan(of: lists)
            let names = ["their_names", "their_customers"]
            let found = names.map { name in plan.contains { $0.contains(name) } }
            #expect(found == [indexes, indexes], "\(plan)")
        }
    }

    /// The engine's plan for orders by the names of their customers.
    private static func plan(of lists: [ListDefinition]) throws -> [String] {
        let orders = try #require(lists.first { $0.name == "orders" })
        let customers = try #require(lists.first { $0.name == "customers" })
        let source = try #require(orders.source as? TableSource)
        let others = try #require(customers.source as? TableSource)
        let relation = try #require(orders.relations.first { $0.target == "customers" })
        let column = try #require(
            DerivedColumn("customer.name", of: source.schema, [(relation, others)])
        )
        let sort = SortKey(.column(source.schema.columns.count))
        var query = ListQuery(sort: [sort], shape: .flow(limit: 50))
        query.derived = [column]
        return try source.explain(query)
    }
}
