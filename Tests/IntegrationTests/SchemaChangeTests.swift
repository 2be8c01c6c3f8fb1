import Foundation
import SQLite
import TestSupport
import Testing

@Suite("A list is what its table is, when another program has changed its columns")
struct SchemaChangeTests {
    private let folder: TemporaryFolder
    private let file: String
    private let other: DatabaseConnection

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path("shop.sqlite")
        other = try DatabaseConnection(.file(file), access: .readWrite)
        try other.execute(
            """
            CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT, price INTEGER, shelf TEXT);
            INSERT INTO goods VALUES (1, 'a', 3, 'x'), (2, 'b', 2, 'x'), (3, 'c', 1, 'y');
            CREATE TABLE old (id INTEGER PRIMARY KEY, name TEXT);
            """
        )
    }

    private func link(_ name: String, _ answer: RawResponse) throws -> String {
        let page = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        let links = try #require(page?["links"] as? [String: Any])
        return try #require(links[name] as? String)
    }

    @Test("columns that come and go are shown by the next answer", arguments: ["1", "2"])
    func columns(loops: String) throws {
        let server = try RosterProcess(serving: [file, "--loops", loops])
        #expect(try server.get("/goods.ndjson?limit=1").text.contains(#""price":3,"shelf":"x"}"#))
        try other.execute("ALTER TABLE goods ADD COLUMN colour TEXT DEFAULT 'red'")
        for _ in 0..<4 {
            let rows = try server.get("/goods.ndjson?limit=1").text
            #expect(rows.contains(#""shelf":"x","colour":"red"}"#))
        }
        #expect(try server.get("/goods?colour=red&limit=1").status == 200)
        let sorted = try server.get("/goods?sort=price&limit=1")
        let (next, changes) = (try link("next", sorted), try link("changes", sorted))
        let followed = try link("changes", server.get("/goods?limit=1"))
        try other.execute("ALTER TABLE goods DROP COLUMN price")
        for _ in 0..<4 {
            let rows = try server.get("/goods.ndjson?limit=1").text
            #expect(rows.contains(#""name":"a","shelf":"x","colour":"red"}"#))
        }
        for address in [next, changes] {
            let answer = try server.get(address)
            #expect(answer.status == 400)
            #expect(answer.text.contains("No column 'price'"))
            #expect(try link("list", answer) == "/goods")
        }
        let expired = try server.get(followed)
        #expect(expired.status == 410)
        #expect(try link("reload", expired) == "/goods.json?limit=1")
        #expect(try server.get("/goods/-/schema").text.contains("price") == false)
        #expect(try server.get("/-/openapi.json").text.contains("price") == false)
        try server.stop()
    }

    @Test("a new column is known to the first request, whichever it is", arguments: ["1", "2"])
    func firstRequest(loops: String) throws {
        let server = try RosterProcess(serving: [file, "--loops", loops])
        #expect(try server.get("/goods?limit=1").status == 200)
        for (column, address) in [
            ("a", "/goods?a=1&limit=1"), ("b", "/goods?sort=b"), ("c", "/goods?facets=c"),
            ("d", "/goods/1?columns=d"), ("e", "/goods/1/-/cells/e"),
        ] {
            try other.execute("ALTER TABLE goods ADD COLUMN \(column) TEXT DEFAULT '1'")
            #expect(try server.get(address).status == 200, "\(address)")
        }
        try other.execute("ALTER TABLE goods ADD COLUMN f TEXT")
        #expect(try server.get("/goods/-/schema").text.contains(#""f""#))
        try server.stop()
    }

    @Test("a table that is new is a list, one that is gone is none, and others stay as they are")
    func tables() throws {
        let server = try RosterProcess(serving: [file, "--loops", "1"])
        let tag = try #require(try server.get("/goods").field("ETag"))
        try other.execute(
            "CREATE TABLE fresh (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO fresh VALUES (5, 'e');"
                + "DROP TABLE old;"
        )
        // Whatever is asked next of the database.
        #expect(try server.get("/goods").field("ETag") != nil)
        #expect(try server.get("/fresh.ndjson").text.contains(#""id":5"#))
        #expect(try server.get("/old").status == 404)
        let directory = try server.get("/").text
        #expect(directory.contains("/fresh") && !directory.contains("/old"))
        try server.waitForLine { $0.hasSuffix("list 'old' is gone") }
        #expect(server.lines.contains { $0.hasSuffix("list 'fresh' is new, with id, n") })
        #expect(!server.lines.contains { $0.contains("list 'goods' is another") })
        #expect(tag.isEmpty == false)
        try server.stop()
    }

    @Test("SIGHUP has the tables be looked at, too")
    func signal() throws {
        let server = try RosterProcess(serving: [file])
        try other.execute("CREATE TABLE fresh (id INTEGER PRIMARY KEY, n TEXT)")
        server.send(SIGHUP)
        #expect(try server.waitForLine { $0.hasSuffix("list 'fresh' is new, with id, n") } != nil)
        #expect(try server.get("/fresh").status == 200)
        try server.stop()
    }

    @Test("who follows a page is told to read it again, by an event or by the answer")
    func followers() throws {
        let server = try RosterProcess(serving: [file, "--loops", "1"])
        let address = try link("changes", server.get("/goods?limit=2"))
        let reader = try EventReader(address, on: server.connect())
        #expect(try reader.next()?.retry == "2000")
        let connection = try server.connect()
        try connection.send(
            "GET \(address) HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=25\r\n\r\n"
        )
        try other.execute("ALTER TABLE goods DROP COLUMN price")
        #expect(try connection.receiveResponse().status == 410)
        #expect(try reader.nextEvent() == nil)
        let again = try EventReader(address, on: server.connect())
        let event = try #require(try again.nextEvent())
        #expect(event.name == "reset")
        try server.stop()
    }

    @Test("a scope that names a column which is gone shows nothing, and never more")
    func scopes() throws {
        let run = try RosterProcess.run(["token", "ann", "goods:read:shelf=x", "old:read"])
        let token = try #require(run.lines.first?.split(separator: " ").last)
        let tokens = try folder.write(run.output, to: "tokens")
        let server = try RosterProcess(
            serving: [file, "--tokens", tokens, "--anonymous", "none", "--group-by", "goods=shelf"]
        )
        func ask(_ target: String) throws -> RawResponse {
            try server.get(target, fields: "Authorization: Bearer \(token)\r\n")
        }
        let rows = try ask("/goods.ndjson").text
        #expect(rows.split(separator: "\n").count == 2)
        // The scope's column has another place, which is that of no other column's condition.
        try other.execute("ALTER TABLE goods DROP COLUMN name")
        #expect(try ask("/goods.ndjson").text.split(separator: "\n").count == 2)
        try other.execute("ALTER TABLE goods RENAME COLUMN shelf TO place")
        for target in ["/goods.ndjson", "/goods", "/goods/1", "/goods/-/schema", "/goods.csv"] {
            #expect(try ask(target).status == 404, "\(target)")
        }
        #expect(try ask("/old").status == 200)
        try server.waitForLine { $0.contains("tokens:1: goods: shelf: ") }
        try server.waitForLine { $0.hasSuffix("no list makes sections of 'shelf' any more") }
        try server.stop()
    }
}
