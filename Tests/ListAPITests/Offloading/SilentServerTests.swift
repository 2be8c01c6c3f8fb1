import Database
import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import Postgres
import TestSupport
import Testing

@Suite("PostgreSQL is never waited for on a loop", .needsPostgres)
struct SilentServerTests {
    private let schema = "t\(UInt64.random(in: 0...UInt64.max))"
    private let cluster: PostgresCluster

    init() throws {
        cluster = try #require(PostgresCluster.shared)
        try cluster.run(
            """
            CREATE SCHEMA \(schema); SET search_path = \(schema);
            CREATE TABLE people (id integer PRIMARY KEY, name text);
            INSERT INTO people SELECT n, 'p' || n FROM generate_series(1, 100) n
            """
        )
    }

    private func list(at address: String) throws -> ListDefinition {
        var timeouts = PostgresDatabase.Timeouts()
        timeouts.connect = .seconds(60)
        let known = try #require(PostgresAddress(cluster.address(schema: schema)))
        let catalog = try PostgresCatalog(PostgresDatabase(known))
        let table = try #require(catalog.lists.first { $0.name == "people" })
        let location = try #require(PostgresAddress(address))
        var registry = ControllerRegistry()
        let source = TableSource(
            database: PostgresDatabase(location, timeouts: timeouts),
            table: table.table,
            schema: try ListSchema(columns: table.columns, idType: table.table.idType),
            registration: try registry.register(
                RecordController(list: "people", columns: table.columns)
            )
        )
        return ListDefinition("people", source: source)
    }

    @Test("a server that takes bytes and says nothing delays nobody who asks for something else")
    func silence() throws {
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        configuration.loops = 1
        configuration.handlesSignals = false
        // It listens and is never run: the kernel takes what comes.
        var silent: HTTPServer? = try HTTPServer(configuration) { _ in ClosureHandler { _, _ in } }
        let port = try #require(silent).port
        let address = "postgres://tester@127.0.0.1:\(port)/postgres?sslmode=disable"
        let known = try Client([list(at: cluster.address(schema: schema))])
        let changes = try PageReplica(known.get("/people.json?limit=3").json()).changes
        let server = try turnServer([ListDefinition.sampleUsers(), list(at: address)])
        // Who follows a page is told of its changes as soon as there is somebody to ask.
        let reader = try EventReader(server, changes)
        #expect(try reader.next()?.retry == "2000")
        let slow = try server.connect()
        let other = try server.connect()
        for target in ["/people.json", "/people/1", "/", changes, "/people.csv"] {
            let one = target == "/people.json" ? slow : try server.connect()
            try one.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            for target in ["/users.json?limit=5", "/-/live", "/users.html"] {
                try other.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try other.receiveResponse().status == 200)
            }
        }
        silent = nil
        let answer = try slow.receiveResponse()
        #expect(answer.status == 503)
        #expect(answer.text.contains("The rows of this list cannot be read at the moment."))
    }

    @Test("a page is followed by those who may wait, as events and by an answer that waits")
    func following() throws {
        let server = try turnServer([list(at: cluster.address(schema: schema))])
        let client = try Client(of: server)
        var replica = try PageReplica(client.get("/people.json?limit=3").json())
        var other = replica
        let reader = try EventReader(server, replica.changes)
        #expect(try reader.next()?.retry == "2000")
        let waiting = try server.connect()
        for name in ["first", "second", "third"] {
            try waiting.send(
                "GET \(other.changes) HTTP/1.1\r\nHost: a\r\nPrefer: wait=25\r\n\r\n"
            )
            try cluster.run("UPDATE \(schema).people SET name = '\(name)' WHERE id = 1")
            let event = try #require(try reader.nextEvent())
            #expect(event.name == "changes")
            #expect(event.data.contains(name))
            try replica.apply(event.json())
            let answer = try waiting.receiveResponse()
            #expect(answer.status == 200)
            #expect(answer.text.contains(name))
            try other.apply(JSON(answer.text))
            #expect(other.version == replica.version)
        }
        // Who comes back with what was there before the last change is told of that one.
        try cluster.run("DELETE FROM \(schema).people WHERE id = 2")
        let late = try EventReader(server, other.changes)
        try other.apply(#require(try late.nextEvent()).json())
        #expect(try other.difference(from: client.get("/people.json?limit=3").json()) == nil)
        try waiting.send("GET \(other.changes) HTTP/1.1\r\nHost: a\r\nPrefer: wait=1\r\n\r\n")
        #expect(try waiting.receiveResponse().text.contains(#""stages":[]"#))
    }

    @Test("a page that is kept is sent again for as long as the table is the same")
    func kept() throws {
        let server = try turnServer([list(at: cluster.address(schema: schema))])
        let client = try Client(of: server)
        let first = try client.get("/people.json?limit=3")
        #expect(first.field("Server-Timing") != nil)
        let second = try client.get("/people.json?limit=3")
        // Anybody's write moves the version, those of other tests too.
        #expect(second.body == first.body || second.field("Server-Timing") != nil)
        try cluster.run("UPDATE \(schema).people SET name = 'other' WHERE id = 1")
        let third = try client.get("/people.json?limit=3")
        #expect(third.body.contains("\"other\""))
        let tag = try #require(third.field("ETag"))
        let fourth = try client.ask(.get, "/people.json?limit=3", fields: [(.ifNoneMatch, tag)])
        #expect([200, 304].contains(fourth.status))
    }
}
