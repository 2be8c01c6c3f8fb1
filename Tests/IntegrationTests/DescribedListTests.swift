import Foundation
import SQLite
import TestSupport
import Testing

@Suite("A file describes lists for people and programs")
struct DescribedListTests {
    private let folder: TemporaryFolder
    private let path: String

    private static let schema = """
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, secret TEXT, phone TEXT);
        CREATE TABLE invoices (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id),
            country TEXT, total_eur NUMERIC, cover TEXT, meta TEXT);
        INSERT INTO customers VALUES (1, 'Ada', 'topsecret', '+44 20 1'), (2, 'Bo', 'x', '+49 30 2');
        INSERT INTO invoices VALUES (1, 1, 'Norway', 5.5, 'https://cdn.example/a.png', '{"a":1}'),
            (2, 2, 'Chile', 12, 'https://other.example/b.png', '{"a":2}');
        """

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("shop.db")
        try DatabaseConnection(.file(path), access: .readWrite).execute(Self.schema)
    }

    private func serve(_ text: String, _ arguments: [String] = []) throws -> RosterProcess {
        let file = try folder.write(text, to: "lists.json")
        return try RosterProcess(serving: [path, "--describe", file] + arguments)
    }

    @Test("pages show the chosen columns at first, and all others on request")
    func shownColumns() throws {
        let server = try serve(
            """
            {"lists": {"invoices": {"show": ["total_eur", "id"], "order": ["country"],
              "columns": {"meta": {"hidden": true}}}}}
            """
        )
        func headers(_ target: String) throws -> [String] {
            let page = try server.get(target, fields: "Accept: text/html\r\n").text
            return page.matches(of: /<th scope="col"[^>]*><a[^>]*>([^<]*)/).map { String($0.1) }
        }
        #expect(try headers("/invoices") == ["Total eur", "ID"])
        #expect(try headers("/invoices?columns=cover,id") == ["Cover", "ID"])
        let page = try server.get("/invoices", fields: "Accept: text/html\r\n").text
        #expect(page.contains("<b>2/5</b>"))
        let all = "country,id,customer,total_eur,cover"
        #expect(page.contains("name=\"columns\" value=\"\(all)\""))
        #expect(try headers("/invoices?columns=\(all)").count == 5)
        #expect(!page.contains("/invoices?columns="))
        let row = try server.get("/invoices/1", fields: "Accept: text/html\r\n").text
        #expect(row.contains("<dt>Cover</dt>"))
        #expect(try server.get("/invoices.csv").text.hasPrefix("country,id,customer,"))
        #expect(try server.get("/invoices.json?limit=1").text.contains("\"cover\":"))
        let schema = try server.get("/invoices/-/schema.json").text
        #expect(schema.contains(#""show":["total_eur","id"]"#))
    }

    @Test("labels, formats, the order and the explanation of a list are shown")
    func presentation() throws {
        let server = try serve(
            """
            {"lists": {"invoices": {
              "title": "Bills", "description": "All bills.", "source": "https://a.example/b",
              "license": "MIT", "sort": "-total_eur", "order": ["country", "total_eur"],
              "columns": {
                "total_eur": {"label": "Sum", "format": "currency:EUR", "description": "With tax"},
                "cover": {"format": "image"}, "meta": {"format": "json", "width": "wide"}
              }
            }, "customers": {"label": "phone"}}}
            """,
            ["--image-hosts", "cdn.example"]
        )
        let answer = try server.get("/invoices", fields: "Accept: text/html\r\n")
        let page = answer.text
        #expect(page.contains("All bills. · Source: <a href=\"https://a.example/b\""))
        #expect(page.contains("title=\"With tax\""))
        #expect(page.contains(">€12.00</td>") && page.contains(">€5.50</td>"))
        #expect(page.contains(">+49 30 2</a>"))
        #expect(page.contains("src=\"https://cdn.example/a.png\""))
        #expect(!page.contains("src=\"https://other.example"))
        let policy = answer.field("Content-Security-Policy") ?? ""
        #expect(policy.contains("img-src 'self' http://cdn.example https://cdn.example;"))
        let other = try server.get("/customers", fields: "Accept: text/html\r\n")
        #expect(other.field("Content-Security-Policy")?.contains("img-src 'self';") == true)
        #expect(try server.page("/invoices.json").ids == ["2", "1"])
        let schema = try server.get("/invoices/-/schema.json").text
        #expect(schema.contains(#""title":"Bills","description":"All bills.""#))
        #expect(schema.contains(#""label":"Sum","description":"With tax""#))
        #expect(schema.contains(#""format":"currency:EUR""#))
        #expect(schema.contains(#""width":"wide""#))
        let row = try server.get("/invoices/1", fields: "Accept: text/html\r\n").text
        #expect(row.contains("<pre>{\n  &quot;a&quot;: 1\n}</pre>"))
        let description = try server.get("/-/openapi.json").text
        #expect(description.contains("Bills\\n\\nAll bills.\\n\\nSource: https://a.example/b"))
    }

    @Test("a hidden column is nowhere: not in rows, conditions, orders, searches and exports")
    func hiddenColumns() throws {
        let server = try serve(
            #"{"lists": {"customers": {"columns": {"secret": {"hidden": true}}}}}"#
        )
        for address in [
            "/customers.json", "/customers/1.json", "/customers.csv", "/customers.ndjson",
            "/customers.html", "/customers/1.html", "/customers/-/schema.json", "/-/openapi.json",
            "/invoices.json?embed=customer", "/customers.json?q=topsecret",
        ] {
            let answer = try server.get(address)
            let text = answer.text.replacing("q=topsecret", with: "")
            #expect(answer.status == 200 && !text.contains("secret"), "\(address): \(text)")
        }
        #expect(try server.page("/customers.json?q=topsecret").ids.isEmpty)
        for query in [
            "secret=topsecret", "secret__contains=top", "sort=secret", "group=secret",
            "columns=secret", "facets=secret", "max=secret", "or=(secret=x,name=y)",
        ] {
            #expect(try server.get("/customers.json?\(query)").status == 400, "\(query)")
        }
        for query in ["customer.secret=topsecret", "embed=customer(secret)"] {
            #expect(try server.get("/invoices.json?\(query)").status == 400, "\(query)")
        }
    }

    @Test("paths, groups, embeds and statistics of a hidden column answer as without the column")
    func hiddenPaths() throws {
        let server = try serve(
            """
            {"lists": {"customers": {"columns": {"secret": {"hidden": true}}},
              "invoices": {"columns": {"meta": {"hidden": true}}}}}
            """
        )
        let without = folder.path("without.db")
        try DatabaseConnection(.file(without), access: .readWrite).execute(
            Self.schema + "ALTER TABLE customers DROP COLUMN secret;"
                + "ALTER TABLE invoices DROP COLUMN meta;"
        )
        let other = try RosterProcess(serving: [without])
        func bare(_ text: String) -> String {
            text.replacing(/"instance":"[^"]*"/, with: "").replacing(/"version":"[^"]*"/, with: "")
        }
        for address in [
            "invoices.json?sort=customer.secret", "invoices.json?sort=-customer.secre",
            "invoices.json?customer.secret=topsecret", "invoices.json?customer.secret__gt=a",
            "invoices.json?customer.secret__contains=top", "invoices.json?facets=customer.secret",
            "invoices.json?or=(customer.secret=topsecret,id=1)",
            "invoices.json?not=(customer.secret__isnull=true)",
            "invoices.json?group=customer.secret",
            "invoices.json?embed=customer(secret)", "invoices.json?embed=customer(name,secret)",
            "invoices.json?meta.a=1", "invoices.json?sort=meta.a", "invoices.json?facets=meta.a",
            "invoices.json?facets=meta[]", "invoices.json?meta__has=1", "invoices.json?max=meta.a",
            "invoices.json?group=meta.a", "invoices.json?statistics=meta", "invoices.json?sort=mta",
            "customers.json?statistics=secret", "customers.json?min=secret",
            "customers.json?sort=secret.a", "customers.json?secret:year=2024",
            "customers/1.json?columns=secret", "customers/1/secret", "invoices/1/meta",
        ] {
            let (hidden, absent) = (try server.get("/\(address)"), try other.get("/\(address)"))
            #expect(hidden.status == absent.status, "\(address)")
            #expect(bare(hidden.text) == bare(absent.text), "\(address)")
        }
        for address in ["invoices.json?facets=?&limit=1", "customers.json?facets=?&limit=1"] {
            let (hidden, absent) = (try server.get("/\(address)"), try other.get("/\(address)"))
            let suggestions = /"suggestions":.*/
            #expect(hidden.status == 200)
            #expect(
                hidden.text.firstMatch(of: suggestions)?.0
                    == absent.text.firstMatch(of: suggestions)?.0,
                "\(address)"
            )
        }
    }

    @Test("a search of an imported list does not find the values of a hidden column")
    func hiddenWords() throws {
        let source = try folder.write(
            "id,name,secret\n1,Ada,topsecret word\n2,Bo,x\n",
            to: "people.csv"
        )
        let file = try folder.write(
            #"{"lists": {"people": {"columns": {"secret": {"hidden": true}}}}}"#,
            to: "lists.json"
        )
        let server = try RosterProcess(serving: [
            source, "--describe", file, "--allow-anonymous-writes",
        ])
        #expect(try server.page("/people.json?q=topsecret").ids.isEmpty)
        #expect(try server.page("/people.json?q=word").ids.isEmpty)
        #expect(try server.page("/people.json?q=Ada").ids == ["1"])
        #expect(!(try server.get("/people.csv").text.contains("secret")))
        // A changed file is imported again, with the same description.
        try folder.write("id,name,secret\n1,Eve,topsecret\n", to: "people.csv")
        let line = try server.waitForLine { $0.hasSuffix("imported 1 rows from \(source)") }
        #expect(line != nil, "\(server.lines)")
        #expect(try server.page("/people.json?q=Eve").ids == ["1"])
        #expect(!(try server.get("/people.json").text.contains("secret")))
    }

    @Test("a hidden list is not served, and others lose their relation to it")
    func hiddenLists() throws {
        let server = try serve(#"{"lists": {"customers": {"hidden": true}}}"#)
        #expect(try server.get("/customers.json").status == 404)
        #expect(try server.get("/invoices.json").status == 200)
        #expect(!(try server.get("/.json").text.contains("customers")))
    }

    @Test(
        "a name or format of no use ends the start, with its place and a suggestion",
        arguments: [
            (#"{"lists": {"invoice": {}}}"#, "1:12: no list 'invoice'; did you mean invoices?"),
            (
                #"{"lists": {"custmers": {"hidden": true}}}"#,
                "1:12: no list 'custmers'; did you mean customers?"
            ),
            (
                #"{"lists": {"invoices": {"columns": {"contry": {}}}}}"#,
                "1:37: 'invoices' has no column 'contry'; did you mean 'country'?"
            ),
            (
                #"{"lists": {"invoices": {"show": ["id", "contry"]}}}"#,
                "1:40: 'invoices' has no column 'contry'; did you mean 'country'?"
            ),
            (
                #"{"lists": {"invoices": {"show": ["id", "cover", "id"]}}}"#,
                "1:49: 'id' is shown twice"
            ),
            (
                #"{"lists": {"invoices": {"sort": "-totl"}}}"#,
                "1:33: 'invoices' has no column 'totl'; it has id, customer, country, total_eur, "
                    + "cover, meta"
            ),
            (
                #"{"lists": {"invoices": {"columns": {"cover": {"format": "bytes"}}}}}"#,
                "1:57: format 'bytes' does not suit 'cover', whose type is text"
            ),
            (
                #"{"lists": {"customers": {"label": "secret", "columns": {"secret": {"hidden": true}}}}}"#,
                "1:35: column 'secret' is hidden"
            ),
            (
                #"{"lists": {"customers": {"columns": {"id": {"hidden": true}}}}}"#,
                "1:38: the ids of rows cannot be hidden"
            ),
            (
                #"{"lists": {"invoices": {"columns": {"customer": {"relation": "custmers"}}}}}"#,
                "1:62: no list 'custmers'; did you mean customers?"
            ),
        ]
    )
    func errors(text: String, error: String) throws {
        let file = try folder.write(text, to: "lists.json")
        let ended = try RosterProcess.run([path, "--describe", file, "--port", "0"])
        #expect(ended.ending == .exit(78))
        #expect(ended.lines == ["roster: \(file):\(error)"])
    }

    @Test("what roster describe writes is accepted unchanged, and names formats and relations")
    func roundTrip() throws {
        let written = try RosterProcess.run(["describe", path]).output
        #expect(written.contains("\"relation\": \"customers\""))
        #expect(written.contains("\"format\": \"currency:EUR\""))
        #expect(written.contains("\"format\": \"phone\""))
        let server = try serve(written)
        let schema = try server.get("/invoices/-/schema.json").text
        #expect(schema.contains(#""format":"currency:EUR""#))
        #expect(schema.contains(#""format":"json""#))
        #expect(schema.contains(#""list":"customers""#))
    }

    @Test("roster describe chooses twelve columns of a table with more, none of them JSON")
    func chosenColumns() throws {
        let wide = folder.path("wide.db")
        let names = (1...14).map { "c\($0)" }
        try DatabaseConnection(.file(wide), access: .readWrite).execute(
            "CREATE TABLE wide (id INTEGER PRIMARY KEY, meta TEXT, "
                + names.map { "\($0) TEXT" }.joined(separator: ", ") + ");"
                + "INSERT INTO wide (meta, c1) VALUES ('{\"a\":1}', 'x'), ('{\"a\":2}', 'y');"
        )
        let written = try RosterProcess.run(["describe", wide]).output
        let shown = (["id"] + names.prefix(11)).map { "\"\($0)\"" }
        let list = try #require(written.firstMatch(of: /"show": \[([^\]]*)\]/)).1
        #expect(list.split { ", \n".contains($0) }.map(String.init) == shown)
        let file = try folder.write(written, to: "lists.json")
        let server = try RosterProcess(serving: [wide, "--describe", file])
        let page = try server.get("/wide", fields: "Accept: text/html\r\n").text
        #expect(page.contains("<b>12/16</b>"))
        // A table of twelve columns shows them all.
        #expect(!(try RosterProcess.run(["describe", path]).output.contains("\"show\"")))
    }

    @Test(
        "a description of PostgreSQL is accepted unchanged, and hides columns of writable tables",
        .needsPostgres
    )
    func postgres() throws {
        let cluster = try #require(PostgresCluster.shared)
        let schema = "d\(UInt64.random(in: 0...UInt64.max))"
        try cluster.run("CREATE SCHEMA \(schema); SET search_path = \(schema); \(Self.schema)")
        let address = cluster.address(schema: schema)
        let written = try RosterProcess.run(["describe", address]).output
        #expect(written.contains("\"relation\": \"customers\""))
        #expect(written.contains("\"format\": \"currency:EUR\""))
        let hidden = written.replacing(
            "\"label\": \"Secret\"",
            with: "\"label\": \"Secret\", \"hidden\": true"
        )
        #expect(hidden != written)
        for (text, isShown) in [(written, true), (hidden, false)] {
            let file = try folder.write(text, to: "lists.json")
            let server = try RosterProcess(serving: [
                address, "--describe", file, "--allow-anonymous-writes",
            ])
            let rows = try server.get("/customers.json").text
            #expect(rows.contains("topsecret") == isShown)
            let page = try server.get("/invoices", fields: "Accept: text/html\r\n").text
            #expect(page.contains(">€12.00</td>"))
            let client = try server.connect()
            let body = #"{"name":"Bob"}"#
            try client.send(
                "PATCH /customers/2 HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body
            )
            #expect(try client.receiveResponse().status == 200)
        }
    }
}
