import Foundation
import TestSupport
import Testing

@Suite("Two processes serve and write one PostgreSQL", .needsPostgres)
struct PostgresServingTests {
    private let cluster: PostgresCluster
    private let schema = "i\(UInt64.random(in: 0...UInt64.max))"
    private let arguments: [String]

    init() throws {
        cluster = try #require(PostgresCluster.shared)
        try cluster.run(
            """
            CREATE SCHEMA \(schema); SET search_path = \(schema);
            CREATE TABLE users (id serial PRIMARY KEY, "firstName" text, "lastName" text,
                occupation text, mail text UNIQUE);
            INSERT INTO users ("firstName", "lastName", occupation, mail)
                VALUES ('Ada', 'Lovelace', 'Writer', 'a@b.c');
            CREATE VIEW few AS SELECT id FROM users;
            """
        )
        arguments = [cluster.address(schema: schema), "--loops", "1", "--allow-anonymous-writes"]
    }

    @Test("what a constraint or a policy refuses is told by its name, without SQL")
    func refusals() throws {
        try cluster.run(
            """
            SET search_path = \(schema);
            CREATE TABLE orders (id int PRIMARY KEY, amount int CHECK (amount > 0), owner text);
            INSERT INTO orders VALUES (1, 1, 'me');
            ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
            CREATE POLICY mine ON orders USING (owner = 'me');
            GRANT USAGE ON SCHEMA \(schema) TO secretive;
            GRANT ALL ON orders TO secretive;
            """
        )
        let address = cluster.address(user: "secretive:correct%20horse", schema: schema)
        let server = try RosterProcess(serving: [
            address, "--loops", "1", "--allow-anonymous-writes",
        ])
        #expect(!server.lines.contains { $0.contains("stay in memory") })
        let check = try ask(server, "PATCH", "/orders/1", #"{"amount":-1}"#)
        #expect(check.status == 422 && check.text.contains(#""pointer":"/amount""#))
        #expect(check.text.contains("The value violates 'orders_amount_check' of the database."))
        let policy = try ask(server, "PATCH", "/orders/1", #"{"owner":"you"}"#)
        #expect(policy.status == 403 && policy.text.contains("row-level security policy"))
    }

    @Test("a json column takes every value of JSON, an array column arrays only")
    func scalars() throws {
        try cluster.run(
            """
            SET search_path = \(schema);
            CREATE TABLE docs (id int PRIMARY KEY, data jsonb, doc json, tags text[]);
            INSERT INTO docs VALUES (1, '{}', '{}', '{}');
            """
        )
        let server = try RosterProcess(serving: arguments)
        for value in [
            "5", "-1.50", "true", #""a \"b\" \\ é""#, "[1,\"x\"]", #"{"a":null}"#, "null",
        ] {
            let row = #"{"data":\#(value),"doc":\#(value)}"#
            let answer = try ask(
                server,
                "PATCH",
                "/docs/1",
                row,
                fields: "Prefer: return=representation\r\n"
            )
            #expect(
                answer.status == 200 && answer.text.contains(#""data":\#(value)"#),
                "\(answer.text)"
            )
            #expect(answer.text.contains(#""doc":\#(value)"#), "\(answer.text)")
        }
        for value in ["5", #""x""#, "{}"] {
            let answer = try ask(server, "PATCH", "/docs/1", #"{"tags":\#(value)}"#)
            #expect(
                answer.status == 422 && answer.text.contains(#""pointer":"/tags""#),
                "\(answer.text)"
            )
        }
        for (value, status) in [("%22x%22", 200), ("5", 200), ("x", 400)] {
            #expect(try server.get("/docs?data=\(value)").status == status)
        }
    }

    @Test("rows of a table whose key has another name are found by the key, in one batch")
    func otherKeys() throws {
        try cluster.run(
            """
            SET search_path = \(schema);
            CREATE TABLE stock (shop text, item int, price int, mark text,
                PRIMARY KEY (shop, item));
            INSERT INTO stock VALUES ('a', 1, 10, 'x'), ('a', 2, 20, 'y');
            """
        )
        let server = try RosterProcess(serving: arguments)
        func write(_ verb: String, _ rows: String) throws -> RawResponse {
            try ask(server, "POST", "/stock/-/rows?on_duplicate=\(verb)", rows)
        }
        let merged = try write(
            "merge",
            #"[{"shop":"a","item":1,"price":11},{"shop":"b","item":1}]"#
        )
        #expect(merged.text.contains(#""status":200,"id":"a,1","effect":"changed""#))
        #expect(merged.text.contains(#""status":201,"id":"b,1","effect":"created""#))
        let replaced = try write("replace", #"[{"shop":"a","item":2,"price":21}]"#)
        #expect(replaced.text.contains(#""effect":"changed""#), "\(replaced.text)")
        let rows = try server.get("/stock.csv").text
        #expect(rows.contains("a,1,11,x") && rows.contains("a,2,21,\r\n"), "\(rows)")
        let lines = "shop,item,price\na,1,12\nc,1,1\n"
        let client = try server.connect()
        try client.send(
            "POST /stock/-/import?on_duplicate=merge HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: text/csv\r\n"
                + "Content-Length: \(lines.utf8.count)\r\n\r\n\(lines)"
        )
        let location = try #require(try client.receiveResponse(to: "POST").field("location"))
        var state = ""
        while !state.contains(#""state":"done""#), !state.contains(#""state":"failed""#) {
            state = try server.get(location).text
        }
        #expect(state.contains(#""state":"done""#), "\(state)")
        #expect(try server.get("/stock.csv").text.contains("a,1,12,x"))
    }

    @Test("forms leave out what the database makes, and a removed row returns without it")
    func madeValues() throws {
        try cluster.run(
            """
            SET search_path = \(schema);
            CREATE TABLE bills (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, net int,
                gross int GENERATED ALWAYS AS (net * 2) STORED, scan bytea);
            INSERT INTO bills (net) VALUES (5), (6);
            """
        )
        let server = try RosterProcess(serving: arguments)
        for form in ["/bills/-/new", "/bills/1/-/edit"] {
            let page = try ask(server, "GET", form, fields: "Accept: text/html\r\n").text
            #expect(page.contains(#"name="net""#), "\(page)")
            for name in ["number", "gross", "scan"] {
                #expect(!page.contains(#"name="\#(name)""#), "\(form) \(name)")
            }
        }
        let list = try server.get("/bills.html").text
        let name = #"name="form__column""#
        let start = try #require(list.range(of: name, options: .backwards)).upperBound
        let menu = try #require(list[start...].split(separator: "</select").first)
        #expect(menu.contains(#"value="net""#) && !menu.contains(#"value="gross""#), "\(menu)")
        // The script sends the old values of the fields of the form.
        #expect(try ask(server, "DELETE", "/bills/1").status == 204)
        #expect(try ask(server, "POST", "/bills", #"{"id":"1","net":5}"#).status == 201)
        #expect(try ask(server, "DELETE", "/bills/2").status == 204)
        let line = #"[{"id":"2","net":6,"scan":null}]"#
        let lines = try ask(server, "POST", "/bills/-/rows", line)
        #expect(lines.status == 200, "\(lines.text)")
        let rows = try server.get("/bills.csv?columns=number,net,gross&sort=number").text
        #expect(rows.contains("1,5,10") && rows.contains("2,6,12"), "\(rows)")
        let refused = try ask(server, "PATCH", "/bills/1", #"{"gross":1}"#)
        #expect(refused.text.contains("The database makes this value; leave it out."))
    }

    private func ask(
        _ server: RosterProcess,
        _ method: String,
        _ target: String,
        _ body: String = "",
        fields: String = ""
    ) throws -> RawResponse {
        let client = try server.connect()
        try client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return try client.receiveResponse(to: method)
    }

    @Test("what one has acknowledged the other shows, and a key asked twice is done once")
    func replicas() throws {
        let first = try RosterProcess(serving: arguments)
        let second = try RosterProcess(serving: arguments)
        #expect(first.lines.contains { $0.contains("'few' can only be read: ") })
        let tag = try #require(try first.get("/users").field("ETag"))
        let user = #"{"firstName":"Bo","lastName":"Li","occupation":"Cook","mail":"d@e.f"}"#
        let key = "Idempotency-Key: one\r\n"
        let made = try ask(first, "POST", "/users", user, fields: key)
        #expect(made.status == 201)
        let location = try #require(made.field("Location"))
        #expect(try second.get(location).text.contains("\"mail\":\"d@e.f\""))
        #expect(try second.get("/users", fields: "If-None-Match: \(tag)\r\n").status == 200)
        let again = try ask(second, "POST", "/users", user, fields: key)
        #expect(again.status == 201 && again.field("Location") == location)
        first.send(SIGKILL)
        let third = try RosterProcess(serving: arguments)
        #expect(try ask(third, "POST", "/users", user, fields: key).field("Location") == location)
        let rowTag = try #require(try second.get(location).field("ETag"))
        let condition = "If-Match: \(rowTag)\r\n"
        #expect(
            try ask(third, "PATCH", location, #"{"mail":"x@y.z"}"#, fields: condition).status == 200
        )
        let late = try ask(second, "DELETE", location, fields: condition)
        #expect(late.status == 412 && late.text.contains("x@y.z"))
        let taken = try ask(second, "PATCH", "/users/1", #"{"mail":"x@y.z"}"#)
        #expect(taken.status == 409)
        #expect(taken.text.contains("Another row has what may be there once; nothing was written."))
        #expect(taken.text.contains(#""pointer":"/mail","code":"taken-value""#))
        #expect(try ask(second, "DELETE", location).status == 204)
        #expect(try third.get(location).status == 404)
    }

    @Test("columns and tables that come and go are seen by both, and writes go on")
    func schemas() throws {
        // Other tests keep the machine busy.
        let patient = arguments + ["--rows-time", "20000"]
        let servers = try (0..<2).map { _ in try RosterProcess(serving: patient) }
        func alter(_ sql: String) throws { try cluster.run("SET search_path = \(schema); \(sql)") }
        let address = "/users.ndjson?limit=1"
        for server in servers { #expect(try server.get(address).text.contains("mail")) }
        try alter("ALTER TABLE users ADD COLUMN shoe int DEFAULT 42")
        for server in servers {
            let rows = try server.get(address).text
            #expect(rows.contains(#""shoe":42"#), "\(rows)")
        }
        #expect(try ask(servers[0], "PATCH", "/users/1", #"{"shoe":43}"#).status == 200)
        // A prepared statement no longer fits the column.
        try alter("ALTER TABLE users ALTER COLUMN shoe TYPE bigint")
        for server in servers {
            let rows = try server.get(address).text
            #expect(rows.contains(#""shoe":43"#), "\(rows)")
        }
        try alter("ALTER TABLE users DROP COLUMN mail; DROP VIEW few")
        for server in servers {
            let rows = try server.get(address).text
            #expect(rows.contains(#""shoe":43"#) && !rows.contains("mail"), "\(rows)")
            #expect(try server.get("/users?sort=mail").status == 400)
            #expect(try server.get("/few").status == 404)
        }
        #expect(try ask(servers[1], "PATCH", "/users/1", #"{"shoe":44}"#).status == 200)
        try alter("CREATE TABLE fresh (id int PRIMARY KEY, n text); INSERT INTO fresh VALUES (5)")
        for server in servers {
            server.send(SIGHUP)
            try server.waitForLine { $0.contains("list 'fresh' is new") }
            #expect(try server.get("/fresh.ndjson").text.contains(#""id":5"#))
            #expect(server.lines.count { $0.contains("list 'users' is another than before") } == 3)
        }
    }

    @Test("an answer that is not sure says so")
    func uncertain() throws {
        let server = try RosterProcess(serving: arguments)
        try cluster.run(
            """
            SET search_path = \(schema);
            CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER last AFTER UPDATE ON users DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION die();
            """
        )
        let answer = try ask(server, "PATCH", "/users/1", #"{"mail":null}"#)
        #expect(answer.status == 503)
        #expect(answer.text.contains("The connection to the database broke during the commit."))
        #expect(try server.get("/users/1").status == 200)
    }
}
