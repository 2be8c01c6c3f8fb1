import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import MemoryLists
import RosterProgram
import SQLite
import TestSupport
import Testing

/// A shop whose orders refer to customers and, through a table of pairs, to products.
enum Shop: CaseIterable, Sendable {
    case sqlite, postgres

    static let installed = allCases.filter { $0 == .sqlite || PostgresCluster.programs != nil }

    static let tables = """
        CREATE TABLE customers (id integer PRIMARY KEY, name text, city text,
            boss_id integer REFERENCES customers (id));
        CREATE TABLE products (sku text PRIMARY KEY, code text UNIQUE, title text);
        CREATE TABLE orders (id integer PRIMARY KEY, "customerId" integer REFERENCES customers (id),
            code text REFERENCES products (code), total integer);
        CREATE TABLE order_products (order_id integer REFERENCES orders (id),
            sku text REFERENCES products (sku), PRIMARY KEY (order_id, sku));
        INSERT INTO customers VALUES (1, 'Ada & Co', 'Bonn', NULL), (2, NULL, 'Bonn', 1),
            (3, 'Cy', 'Oslo', 1), (4, 'Di', 'Oslo', 3);
        INSERT INTO products VALUES ('p.json', 'c1', 'Pen'), ('q/2', 'c2', 'Ink'),
            ('r', NULL, 'Cap');
        """

    /// The statements that fill the tables: order n is of customer n % 4, where 0 is null.
    static var rows: String {
        let orders = (1...60).map { number in
            "(\(number), \(number % 4 == 0 ? "NULL" : "\(number % 4)"), "
                + "\(number % 2 == 0 ? "'c1'" : "NULL"), \(number * 10))"
        }
        let pairs = (1...60).flatMap { number in
            ["(\(number), 'p.json')"] + (number % 3 == 0 ? ["(\(number), 'q/2')"] : [])
        }
        return "INSERT INTO orders VALUES \(orders.joined(separator: ","));"
            + "INSERT INTO order_products VALUES \(pairs.joined(separator: ","));"
    }

    /// The lists, and the number of queries to each of them so far.
    func countedLists(
        in folder: ScratchFolder
    ) throws -> (lists: [ListDefinition], counts: [String: ReadCounts]) {
        var counts: [String: ReadCounts] = [:]
        let lists = try lists(in: folder).map { list in
            let source = CountingSource(base: list.source)
            counts[list.name] = source.counts
            var counted = ListDefinition(list.name, source: source)
            counted.relations = list.relations
            return counted
        }
        return (lists, counts)
    }

    /// The lists of a new database, whose file is in a folder.
    func lists(
        in folder: ScratchFolder,
        of statements: String = tables + rows
    ) throws -> [ListDefinition] {
        var configuration = Configuration()
        configuration.sources = [try SourceArgument(try source(in: folder, statements))]
        return try ListRegistry(configuration).lists
    }

    private func source(in folder: ScratchFolder, _ statements: String) throws -> String {
        switch self {
        case .sqlite:
            let path = folder.path + "/shop.sqlite"
            let connection = try DatabaseConnection(.file(path), access: .readWrite)
            try connection.execute(statements)
            return path
        case .postgres:
            let cluster = try #require(PostgresCluster.shared)
            let schema = "t\(UInt64.random(in: 0...UInt64.max))"
            try cluster.run(
                "CREATE SCHEMA \(schema); SET search_path = \(schema); \(statements)"
            )
            return cluster.address(schema: schema)
        }
    }
}

@Suite("Foreign keys show the rows that they name")
struct RelationTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The display text of a column in each row of a page.
    private func labels(_ column: String, _ answer: Answer) throws -> [String] {
        try rows(answer).map { $0["display", column]?.text ?? "-" }
    }

    private func rows(_ answer: Answer) throws -> [JSON] {
        try answer.json()["sections"]?.elements.flatMap { $0["rows"]?.elements ?? [] } ?? []
    }

    @Test("a cell has its value, and shows the label of the row", arguments: Shop.installed)
    func labels(shop: Shop) throws {
        let client = try Client(try shop.lists(in: folder))
        let page = try client.get("/orders.json?limit=4")
        #expect(try labels("customerId", page) == ["Ada & Co", "2", "Cy", "-"])
        #expect(try rows(page)[0]["cells", "customerId"]?.integer == 1)
        let html = try client.get("/orders?limit=4", accept: "text/html").body
        #expect(html.contains(#"<a href="/customers/1">Ada &amp; Co</a>"#))
        #expect(html.contains(#"<a href="/customers/2">2</a>"#))
        let row = try client.get("/orders/2.json")
        #expect(try row.json()["row", "display", "code"]?.text == "Pen")
        let shown = try client.get("/orders/2", accept: "text/html").body
        #expect(shown.contains(#"<a href="/products?code=c1">Pen</a>"#))
        let pairs = try client.get("/order_products?limit=4", accept: "text/html").body
        #expect(pairs.contains(#"<a href="/products/p.json.html">Pen</a>"#))
        #expect(pairs.contains(#"<a href="/products/q%2F2">Ink</a>"#))
        let hidden = try client.get("/orders.json?limit=4&columns=total")
        #expect(try labels("customerId", hidden) == ["-", "-", "-", "-"])
    }

    @Test("people are labelled by both names, or by the chosen columns", arguments: Shop.installed)
    func names(shop: Shop) throws {
        let statements = """
            CREATE TABLE people (id integer PRIMARY KEY, "firstName" text, "lastName" text,
                city text);
            CREATE TABLE notes (id integer PRIMARY KEY, person_id integer REFERENCES people (id));
            INSERT INTO people VALUES (1, 'Ada', 'Byron', 'Rom'), (2, NULL, 'Cher', ''),
                (3, '', NULL, 'Oslo');
            INSERT INTO notes VALUES (1, 1), (2, 2), (3, 3);
            """
        let lists = try shop.lists(in: folder, of: statements)
        let client = try Client(lists)
        #expect(try labels("person_id", client.get("/notes.json")) == ["Ada Byron", "Cher", "3"])
        let row = try client.get("/people/1", accept: "text/html").body
        #expect(row.contains("<h1><bdi>Ada Byron"))
        var options = ServiceOptions()
        options.relations.labels = ["people": ["city", "lastName"]]
        let chosen = try Client(lists, options: options)
        #expect(
            try labels("person_id", chosen.get("/notes.json")) == ["Rom Byron", "Cher", "Oslo"]
        )
        #expect(
            try chosen.get("/people/1", accept: "text/html").body.contains("<h1><bdi>Rom Byron")
        )
    }

    @Test("a key in the first column leads to the row it names, beside a link to its own row")
    func keyInFront() throws {
        let client = try Client(try Shop.sqlite.lists(in: folder))
        let html = try client.get("/order_products?columns=sku&limit=4", accept: "text/html").body
        let heading =
            #"<th scope="row"><a dir="auto" href="/order_products/3,q%2F2" class="open" "#
            + #"aria-label="Open row 3,q/2" title="Open row 3,q/2">⤢</a> "#
            + #"<a href="/products/q%2F2">Ink</a></th>"#
        #expect(html.contains(heading))
        let cards = try client.get("/order_products?columns=sku&layout=grid", accept: "text/html")
        #expect(cards.body.contains(#"⤢</a> <a href="/products/q%2F2">Ink</a></h2>"#))
    }

    @Test("a condition on a key shows the label of its row", arguments: Shop.installed)
    func labelledConditions(shop: Shop) throws {
        let (lists, counts) = try shop.countedLists(in: folder)
        let client = try Client(lists)
        func conditions(_ query: String, language: String = "en") throws -> String {
            let fields = [(FieldName.accept, "text/html"), (.acceptLanguage, language)]
            let html = try client.ask(.get, "/orders?\(query)", fields: fields).body
            let start = try #require(html.firstRange(of: "<ul class=\"chips\"")).lowerBound
            let end = try #require(html[start...].firstRange(of: "</ul>")).upperBound
            return String(html[start..<end])
        }
        let one = try conditions("customerId=1")
        #expect(one.contains("<summary>Customer is Ada &amp; Co</summary>"))
        #expect(one.contains(#"aria-label="Remove: Customer is Ada &amp; Co""#))
        #expect(one.contains(#"<p class="n">1: Ada &amp; Co</p>"#))
        #expect(counts["customers"]?.reads == 1)
        #expect(
            try conditions("customerId__ne=3", language: "de").contains(">Customer ist nicht Cy<")
        )
        // The column is not shown, and no row is left.
        #expect(try conditions("customerId=4&columns=total").contains(">Customer is Di<"))
        #expect(
            try conditions("customerId__in=1,3").contains(">Customer is one of Ada &amp; Co, Cy<")
        )
        #expect(
            try conditions("or=(customerId=1,total__gt=5)")
                .contains("Customer is Ada &amp; Co or Total above 5")
        )
        // Unknown keys and other comparisons have the value.
        #expect(try conditions("customerId=99").contains(">Customer is 99<"))
        #expect(try conditions("customerId__gte=3").contains(">Customer at least 3<"))
    }

    @Test("labels that two keys share have their values besides")
    func sharedLabels() throws {
        let statements =
            Shop.tables + "INSERT INTO customers VALUES (5, 'Cy', 'Rome', NULL);"
            + "INSERT INTO orders VALUES (1, 3, NULL, 1), (2, 5, NULL, 1);"
        let client = try Client(try Shop.sqlite.lists(in: folder, of: statements))
        let html = try client.get(
            "/orders?customerId__in=3,5&facets=customerId",
            accept: "text/html"
        )
        #expect(html.body.contains("Customer is one of Cy (3), Cy (5)"))
        #expect(html.body.contains("><bdi>Cy (5)</bdi> <span"))
    }

    @Test("a page without labels leaves those of the next one alone")
    func labelsAfterNone() throws {
        let client = try Client(try Shop.sqlite.lists(in: folder))
        #expect(try labels("customerId", client.get("/orders.json?limit=1&id=4")) == ["-"])
        #expect(try labels("customerId", client.get("/orders.json?limit=1")) == ["Ada & Co"])
    }

    @Test("counted values and headers of sections show labels", arguments: Shop.installed)
    func groups(shop: Shop) throws {
        let (lists, counts) = try shop.countedLists(in: folder)
        let client = try Client(lists)
        let page = try client.get("/orders.json?facets=customerId&group=customerId&limit=50").json()
        let values = page["facets"]?.elements.first?["values"]?.elements ?? []
        #expect(values.map { $0["value"]?.integer } == [1, 2, 3, nil])
        #expect(
            values.map { $0["label"]?.text } == ["Ada & Co", "2", "Cy", "No customer"]
        )
        let headers = (page["sections"]?.elements ?? []).map { $0["header", "title"]?.text }
        #expect(headers == ["Ada & Co", "2", "Cy", "No customer"])
        #expect(counts["customers"]?.reads == 1)
        let html = try client.get("/orders?group=customerId&facets=customerId", accept: "text/html")
        #expect(html.body.contains("<bdi>Ada &amp; Co</bdi> <span class=\"n\">15</span>"))
    }

    @Test("exports have the values alone", arguments: ["csv", "ndjson"])
    func exports(format: String) throws {
        let client = try Client(try Shop.sqlite.lists(in: folder))
        let whole = try client.get("/orders.\(format)")
        #expect(!whole.body.contains("Ada"))
        #expect(try !client.get("/orders.\(format)?limit=2").body.contains("Ada"))
    }

    @Test("the schema names the lists that columns refer to", arguments: Shop.installed)
    func schema(shop: Shop) throws {
        let client = try Client(try shop.lists(in: folder))
        let references = try client.get("/orders/-/schema.json").json()["references"]?.elements
        let texts = (references ?? []).map { reference in
            ["column", "list", "key"].map { reference[$0]?.text ?? "-" }.joined(separator: " ")
                + " "
                + (reference["labels"]?.elements ?? []).compactMap(\.text).joined(separator: "+")
        }
        #expect(texts == ["customerId customers id name", "code products code title"])
        let html = try client.get("/orders/-/schema", accept: "text/html").body
        #expect(html.contains(#"→ <a href="/customers">customers</a>"#))
    }

    @Test(
        "a page takes one query for each key, a row one for each list that refers to it",
        arguments: Shop.installed
    )
    func queries(shop: Shop) throws {
        let (lists, counts) = try shop.countedLists(in: folder)
        let client = try Client(lists)
        #expect(try labels("customerId", client.get("/orders.json?limit=50")).count == 50)
        #expect(
            counts.mapValues(\.reads) == [
                "orders": 1, "customers": 1, "products": 1, "order_products": 0,
            ]
        )
        #expect(try client.get("/customers/1.json").status == 200)
        #expect(
            counts.mapValues(\.reads) == [
                "orders": 2, "customers": 3, "products": 1, "order_products": 0,
            ]
        )
        _ = try client.get("/orders.json?limit=50&columns=total")
        #expect(counts["customers"]?.reads == 3)
    }

    @Test("a row has the rows that refer to it, with their number", arguments: Shop.installed)
    func related(shop: Shop) throws {
        let client = try Client(try shop.lists(in: folder))
        let related = try client.get("/customers/3.json").json()["related"]?.elements ?? []
        #expect(related.map { $0["list"]?.text } == ["customers", "orders"])
        #expect(related.map { $0["title"]?.text } == ["Customers: Boss", "Orders"])
        #expect(related.map { $0["total", "value"]?.integer } == [1, 15])
        #expect(
            related.map { $0["links", "self"]?.text } == [
                "/customers?boss_id=3", "/orders?customerId=3",
            ]
        )
        #expect(related[0]["rows"]?.elements.map { $0["label"]?.text } == ["Di"])
        #expect(
            related[1]["rows"]?.elements.map { $0["href"]?.text } == [
                "/orders/3", "/orders/7", "/orders/11", "/orders/15", "/orders/19",
            ]
        )
        let html = try client.get("/customers/3", accept: "text/html").body
        #expect(
            html.contains(#"<a href="/orders?customerId=3">Orders</a> <span class="n">15</span>"#)
        )
        let head = #"<thead><tr><th scope="col">ID</th><th scope="col">Code</th>"#
        #expect(html.contains(head + #"<th scope="col" class="num">Total</th></tr></thead>"#))
        #expect(html.contains(#"<p><a href="/orders?customerId=3">all 15</a></p>"#))
        let chosen = try client.get("/customers/3.json?columns=name").json()
        #expect(chosen["related"] == nil)
    }

    @Test("a table of pairs shows the rows on its other side", arguments: Shop.installed)
    func pairs(shop: Shop) throws {
        let client = try Client(try shop.lists(in: folder))
        let related = try client.get("/orders/3.json").json()["related"]?.elements ?? []
        #expect(related.map { $0["list"]?.text } == ["products"])
        #expect(related[0]["through"]?.text == "order_products")
        #expect(related[0]["total", "value"]?.integer == 2)
        #expect(related[0]["rows"]?.elements.map { $0["label"]?.text } == ["Pen", "Ink"])
        #expect(
            related[0]["rows"]?.elements.map { $0["href"]?.text } == [
                "/products/p.json.html", "/products/q%2F2",
            ]
        )
        let other = try client.get("/products/q%2F2.json").json()["related"]?.elements ?? []
        let far = try #require(other.first { $0["through"] != nil })
        #expect(far["list"]?.text == "orders")
        #expect(far["total", "value"]?.integer == 20)
    }

    @Test("labels and related rows are those that the caller may see", arguments: Shop.installed)
    func scopes(shop: Shop) throws {
        let client = try AuthorizedClient(
            try shop.lists(in: folder),
            [
                ("all", "orders:read customers:read products:read order_products:read"),
                ("oslo", "orders:read customers:read:city=Oslo products:read order_products:read"),
                ("orders", "orders:read order_products:read"),
                (
                    "few",
                    "customers:read orders:read:total__lt=100 products:read:title=Pen "
                        + "order_products:read:order_id__lt=4"
                ),
            ]
        )
        func labels(as name: String) throws -> [String] {
            try self.labels("customerId", client.ask(.get, "/orders.json?limit=4", as: name))
        }
        // In turn, so that nothing that was prepared for one caller serves another.
        for _ in 0..<2 {
            #expect(try labels(as: "all") == ["Ada & Co", "2", "Cy", "-"])
            #expect(try labels(as: "oslo") == ["-", "-", "Cy", "-"])
            #expect(try labels(as: "orders") == ["-", "-", "-", "-"])
        }
        let hidden = try client.ask(
            .get,
            "/orders?limit=4",
            as: "oslo",
            fields: [(.accept, "text/html")]
        )
        #expect(!hidden.body.contains("/customers/1"))
        let tags = try ["all", "oslo", "orders"].map { name in
            try client.ask(.get, "/orders.json?limit=4", as: name).field("ETag")
        }
        #expect(Set(tags).count == 3)
        let related = try client.ask(.get, "/customers/3.json", as: "few").json()["related"]
        let orders = try #require(related?.elements.first { $0["list"]?.text == "orders" })
        #expect(orders["total", "value"]?.integer == 2)
        #expect(orders["rows"]?.elements.map { $0["id"]?.text } == ["3", "7"])
        let pairs = try client.ask(.get, "/orders/3.json", as: "few").json()["related"]?.elements
        // The second product has no label and no title here, only the value of the pair.
        #expect(pairs?.first?["rows"]?.elements.map { $0["label"]?.text } == ["Pen", "q/2"])
        let alone = try client.ask(.get, "/orders/3.json", as: "orders").json()
        #expect(alone["related"]?.elements.map { $0["list"]?.text } == ["order_products"])
        let schema = try client.ask(.get, "/orders/-/schema.json", as: "orders").json()
        #expect(schema["references"] == nil)
    }

    @Test("a condition on a row that a key names finds what SQL finds", arguments: Shop.installed)
    func conditions(shop: Shop) throws {
        // Other tests keep the machine busy.
        var options = ServiceOptions()
        options.readingTimes.rows = .seconds(20)
        let client = try Client(try shop.lists(in: folder), options: options)
        // Order n is of customer n % 4; customer 2 has no name, and 0 is no customer.
        let cases: [(String, (Int) -> Bool)] = [
            ("customer.name=Cy", { $0 == 3 }), ("customer.name__ne=Cy", { $0 != 3 }),
            ("customer.name__contains=A", { $0 == 1 }),
            ("customer.name__in=Cy,Di", { $0 == 3 }), ("customer.name__nin=Cy,Di", { $0 != 3 }),
            ("customer.name__isnull=true", { $0 == 0 || $0 == 2 }),
            ("customer.name__isnull=false", { $0 == 1 || $0 == 3 }),
            ("customer.name=nobody", { _ in false }), ("customer.name__ne=nobody", { _ in true }),
            ("customer.id__in=1,2", { $0 == 1 || $0 == 2 }),
            ("customer.city=Bonn&customer.name__isnull=true", { $0 == 2 }),
            ("customer.boss_id=1&customerId=3", { $0 == 3 }),
        ]
        for (question, isMet) in cases {
            let page = try client.get("/orders.json?limit=500&\(question)").json()
            let ids = (1...60).filter { isMet($0 % 4) }
            let rows = page["sections"]?.elements.flatMap { $0["rows"]?.elements ?? [] } ?? []
            #expect(rows.compactMap { $0["cells", "id"]?.integer } == ids, "\(question)")
            #expect(page["total", "value"]?.integer == ids.count, "\(question)")
        }
        let walked = try client.get("/orders.json?limit=4&sort=-total&customer.name=Cy").json()
        let next = try #require(walked["links", "next"]?.text)
        #expect(next.contains("customer.name=Cy"))
        let second = try client.get(next)
        #expect(try rows(second).map { $0["id"]?.text } == ["43", "39", "35", "31"])
        let html = try client.get("/orders?customer.name=Cy", accept: "text/html").body
        #expect(html.contains(#"<li class="chip"><span>customer.name=Cy</span>"#))
        #expect(
            try client.get("/orders.csv?customer.name=Cy").body.split(separator: "\r\n").count == 16
        )
        #expect(
            try client.get("/orders.json?code.title=Pen&count=exact").json()["total", "value"]
                == .number(30)
        )
    }

    @Test("an invalid condition on another list says what is wrong")
    func invalidConditions() throws {
        let client = try Client(try Shop.sqlite.lists(in: folder))
        func error(_ query: String) throws -> [String] {
            try client.get("/orders.json?\(query)").errorLines()
        }
        #expect(
            try error("customer.nam=x") == [
                "customer.nam unknown-parameter: No column or parameter 'nam'. "
                    + "Columns: id, name, city, boss_id.; suggestion customer.name"
            ]
        )
        #expect(
            try error("customer.id__lt=x").first?.hasPrefix("customer.id__lt wrong-type") == true
        )
        #expect(try error("customer.name__like=x").first?.contains("unknown-operator") == true)
        #expect(
            try error("client.name=x").first?.hasPrefix("client.name unknown-parameter") == true
        )
        let many = (0..<6).map { "customer.city__ne=\($0)" }.joined(separator: "&")
        #expect(try error(many).first?.contains("too-many-filters") == true)
    }

    @Test("a condition finds only rows that the caller may see", arguments: Shop.installed)
    func conditionScopes(shop: Shop) throws {
        let client = try AuthorizedClient(
            try shop.lists(in: folder),
            [
                ("oslo", "orders:read customers:read:city=Oslo"), ("orders", "orders:read"),
            ]
        )
        func total(_ question: String, as name: String) throws -> Int? {
            let answer = try client.ask(.get, "/orders.json?\(question)", as: name)
            return answer.status == 200 ? try answer.json()["total", "value"]?.integer : nil
        }
        #expect(try total("customer.name__contains=c", as: "oslo") == 15)
        #expect(try total("customer.name__contains=ada", as: "oslo") == 0)
        // A row that the caller may not see is as if it were missing.
        #expect(try total("customer.name__isnull=true", as: "oslo") == 45)
        #expect(try total("customer.name__isnull=true", as: "orders") == nil)
    }

    @Test("a page is another one when the list of its labels has changed")
    func versions() throws {
        func lists(_ counter: UInt64) throws -> [ListDefinition] {
            let shelf = Item(id: "s1", title: "Shelf \(counter)")
            var items = try ListDefinition.items([Item(id: "a", shelf: "s1")])
            items.relations = [ListRelation(list: "items", column: "shelf", target: "shelves")]
            return [items, try .items([shelf], list: "shelves", counter: counter)]
        }
        let first = try Client(try lists(1)).get("/items.json")
        let client = try Client(try lists(2))
        let tag = try #require(first.field("ETag"))
        let second = try client.ask(.get, "/items.json", fields: [(.ifNoneMatch, tag)])
        #expect(second.status == 200)
        #expect(try labels("shelf", second) == ["Shelf 2"])
        let own = try #require(second.field("ETag"))
        #expect(
            try client.ask(.get, "/items.json", fields: [(.ifNoneMatch, own)]).status == 304
        )
        // The tag of a row is for writes; its labels change without it.
        let row = try #require(try client.get("/items/a.json").field("ETag"))
        let again = try client.ask(.get, "/items/a.json", fields: [(.ifNoneMatch, row)])
        #expect(again.status == 200)
    }

    @Test("a list that cannot be read leaves the values without labels")
    func unavailable() throws {
        var items = try ListDefinition.items([Item(id: "a", shelf: "s1")])
        items.relations = [ListRelation(list: "items", column: "shelf", target: "shelves")]
        var source = CountingSource(base: try MemorySource.items([Item(id: "s1", title: "One")]))
        source.failure = { _ in .unavailable(reason: "gone") }
        var shelves = ListDefinition("shelves", source: source)
        shelves.relations = [ListRelation(list: "shelves", column: "note", target: "items")]
        let client = try Client([items, shelves])
        #expect(try labels("shelf", client.get("/items.json")) == ["-"])
        let related = try client.get("/items/a.json").json()["related"]?.elements
        #expect(related?.first?["unavailable"] == .boolean(true))
        #expect(related?.first?["total"] == .null)
    }
}
