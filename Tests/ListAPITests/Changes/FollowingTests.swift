import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import Locks
import MemoryLists
import RosterProgram
import TestSupport
import Testing

@Suite("A page is followed as events, or by an answer that waits")
struct FollowingTests {
    private static func server(
        loops: Int = 1,
        configure: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) throws -> TestServer {
        var configuration = Configuration()
        configuration.allowsAnonymousWrites = true
        let lists = try ListRegistry(configuration).lists
        return try server(lists, loops: loops, configure: configure)
    }

    private static func server(
        _ lists: [ListDefinition],
        loops: Int = 1,
        configure: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) throws -> TestServer {
        let state = HTTPServerState()
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        let shared = options
        return try TestServer {
            $0.loops = loops
            $0.state = state
            configure(&$0)
        } makeHandler: { _ in
            Middleware(try APIHandler(lists, options: shared, isDraining: { state.isDraining }))
        }
    }

    private static func rename(_ id: String, _ city: String, _ client: Client) throws {
        let answer = try client.send(.patch, "/users/\(id)", #"{"city":"\#(city)"}"#)
        #expect(answer.status == 200)
    }

    @Test("a stream tells what changes, from what the client holds", arguments: [1, 2])
    func events(loops: Int) throws {
        let server = try Self.server(loops: loops)
        let client = try Client(of: server)
        let target = "/users?section=Writer&limit=5"
        var replica = try PageReplica(client.get(target).json())
        let reader = try EventReader(server, replica.changes)
        for line in [
            "Content-Type: text/event-stream\r\n", "Cache-Control: no-store\r\n",
            "x-accel-buffering: no\r\n",
        ] { #expect(reader.fields.contains(line), "\(reader.fields)") }
        #expect(!reader.fields.contains("Content-Encoding"))
        #expect(try reader.next()?.retry == "2000")
        for city in ["Lund", "Oslo", "Lund"] {
            try Self.rename(replica.sections[0].rows[1], city, client)
            let event = try #require(try reader.nextEvent())
            #expect(event.name == "changes")
            try replica.apply(event.json())
            #expect(event.id == replica.version)
            #expect(try replica.difference(from: client.get(target).json()) == nil)
        }
    }

    @Test("the event told last wins over the address, so that a reconnect resumes")
    func resume() throws {
        let server = try Self.server()
        let client = try Client(of: server)
        let first = try PageReplica(client.get("/users?limit=5").json())
        try Self.rename(first.sections[0].rows[0], "Lund", client)
        var second = try PageReplica(client.get("/users?limit=5").json())
        try Self.rename(first.sections[0].rows[1], "Lund", client)
        let reader = try EventReader(server, first.changes, lastEventID: second.version)
        try second.apply(#require(try reader.nextEvent()).json())
        #expect(try second.difference(from: client.get("/users?limit=5").json()) == nil)
        #expect(throws: EventReader.Refused.self) {
            try EventReader(server, first.changes, lastEventID: "mangled")
        }
    }

    @Test("what cannot be told is a reset, and the stream goes on from there")
    func reset() throws {
        let items = [Item].numbered(6)
        let other = ListDefinition("items", title: "Things", source: try MemorySource.items(items))
        let held = try PageReplica(Client([other]).get("/items").json())
        var registry = ControllerRegistry()
        let source = try DataSource(models: items, using: registry.register(ItemController()))
        let schema = try ListSchema(columns: ItemController().columns)
        let list = ListDefinition("items", source: DataSourceList(source, schema: schema))
        let server = try Self.server([list])
        let reader = try EventReader(server, held.changes)
        let reset = try #require(try reader.nextEvent())
        #expect(reset.name == "reset")
        let data = #"{"reason":"version-expired","reload":"/items"}"#
        #expect(try reset.json() == (try JSON(data)))
        var replica = try PageReplica(Client(of: server).get("/items").json())
        #expect(reset.id == replica.version)
        try source.update { snapshot in try snapshot.remove(["item3"]) }
        try replica.apply(#require(try reader.nextEvent()).json())
        #expect(replica.sections[0].rows.count == 5)
    }

    @Test("a page whose section is gone is to be read again")
    func goneSection() throws {
        let server = try Self.server()
        let client = try Client(of: server)
        let body = #"{"firstName":"A","lastName":"B","occupation":"Astronaut"}"#
        #expect(try client.send(.put, "/users/9001", body).status == 201)
        let page = try client.get("/users/-/sections/Astronaut").json()
        let replica = try PageReplica(page)
        let reader = try EventReader(server, replica.changes)
        #expect(try client.ask(.delete, "/users/9001").status == 204)
        #expect(try reader.nextEvent()?.name == "reset")
        #expect(try client.get(replica.changes).status == 410)
    }

    @Test("an answer waits for a change, and says that it would")
    func longPoll() throws {
        let server = try Self.server(loops: 2)
        let client = try Client(of: server)
        var replica = try PageReplica(client.get("/users?limit=5").json())
        let waiting = try server.connect()
        let fields = "Host: localhost\r\nPrefer: wait=100\r\n"
        try waiting.send("GET \(replica.changes) HTTP/1.1\r\n\(fields)\r\n")
        try Self.rename(replica.sections[0].rows[0], "Lund", client)
        let answer = try waiting.receiveResponse()
        #expect(answer.status == 200)
        #expect(
            answer.fields.contains {
                $0.name.lowercased() == "preference-applied" && $0.value == "wait=25"
            }
        )
        try replica.apply(JSON(answer.text))
        #expect(try replica.difference(from: client.get("/users?limit=5").json()) == nil)
        // Where nothing changes, that is the answer.
        try waiting.send("GET \(replica.changes) HTTP/1.1\r\nHost: a\r\nPrefer: wait=1\r\n\r\n")
        let nothing = try JSON(waiting.receiveResponse().text)
        #expect(nothing["to"]?.text == replica.version)
        #expect(nothing["stages"] == .array([]))
    }

    @Test("a client that sends no more is answered at once")
    func halfClosed() throws {
        let server = try Self.server()
        let client = try Client(of: server)
        let replica = try PageReplica(client.get("/users?limit=5").json())
        let waiting = try server.connect()
        try waiting.send("GET \(replica.changes) HTTP/1.1\r\nHost: a\r\nPrefer: wait=25\r\n\r\n")
        try waiting.endOutput()
        #expect(try waiting.receiveResponse().status == 200)
    }

    @Test("a server that stops says goodbye to its streams, and answers who waits")
    func draining() throws {
        let server = try Self.server { $0.limits.lingerTimeout = .zero }
        let client = try Client(of: server)
        let replica = try PageReplica(client.get("/users?limit=5").json())
        let reader = try EventReader(server, replica.changes)
        _ = try reader.next()
        let waiting = try server.connect()
        try waiting.send("GET \(replica.changes) HTTP/1.1\r\nHost: a\r\nPrefer: wait=25\r\n\r\n")
        // Until the request is there, the connection is idle and just closed.
        _ = try client.get("/users?limit=1")
        server.server.stop()
        #expect(try reader.next()?.comment == "the server stops")
        #expect(try reader.next() == nil)
        #expect(try waiting.receiveResponse().status == 200)
        #expect(try server.waitForEnding() == .drained)
    }

    @Test("there are so many streams, of all and of each address")
    func limits() throws {
        let server = try Self.server { $0.limits.maximumStreams = 3 }
        let replica = try PageReplica(Client(of: server).get("/users?limit=5").json())
        var readers = try (0..<3).map { _ in try EventReader(server, replica.changes) }
        for reader in readers { #expect(try reader.next()?.retry == "2000") }
        do {
            _ = try EventReader(server, replica.changes)
            Issue.record("a fourth stream")
        } catch let error as EventReader.Refused {
            #expect(error.status == 503)
            #expect(error.fields.contains("Retry-After: 5\r\n"))
        }
        readers.removeLast()
        // The server learns that a client has gone when its connection says so.
        var again: EventReader?
        while again == nil { again = try? EventReader(server, replica.changes) }
        #expect(try again?.next()?.retry == "2000")

        let strict = try Self.server { $0.limits.maximumStreamsPerAddress = 1 }
        let own = try EventReader(strict, replica.changes)
        #expect(throws: EventReader.Refused.self) { try EventReader(strict, replica.changes) }
        let other = try RawConnection(port: strict.port, from: "127.0.0.2")
        #expect(try EventReader(replica.changes, on: other).next()?.retry == "2000")
        #expect(try own.next()?.retry == "2000")
    }

    @Test("HEAD opens no stream, and a list that cannot be followed makes browsers ask no more")
    func noStream() throws {
        let source = UnversionedSource(source: try MemorySource.items(.numbered(3)))
        let server = try Self.server([
            ListDefinition("items", source: source), .items(.numbered(3), list: "others"),
        ]) { $0.limits.maximumStreams = 1 }
        let client = try Client(of: server)
        let replica = try PageReplica(client.get("/others").json())
        let stream: [(FieldName, String)] = [(.accept, "text/event-stream")]
        for _ in 0..<3 {
            let head = try client.ask(.head, replica.changes, fields: stream)
            #expect(head.status == 200)
            #expect(head.mediaType == "text/event-stream")
        }
        #expect(try EventReader(server, replica.changes).next()?.retry == "2000")
        #expect(try client.ask(.get, "/items/-/changes", fields: stream).status == 204)
    }

    @Test("a client that does not read is let go, and the others notice nothing")
    func slowReader() throws {
        let server = try Self.server { $0.limits.writeTimeout = .seconds(1) }
        let client = try Client(of: server)
        var replica = try PageReplica(client.get("/users?limit=200").json())
        let deaf = try EventReader(server, replica.changes + "&include=html")
        let reader = try EventReader(server, replica.changes)
        let rows = replica.sections.flatMap(\.rows)
        // What the kernel holds for a client that does not read is megabytes.
        let city = String(repeating: "L", count: 60_000)
        var isOpen = true
        for round in 0..<400 where isOpen {
            for row in rows.prefix(3) {
                try Self.rename(row, "\(round)\(city)", client)
            }
            try replica.apply(#require(try reader.nextEvent()).json())
            isOpen = server.server.openStreams == 2
        }
        #expect(!isOpen)
        #expect(throws: (any Error).self) { while try deaf.next() != nil {} }
    }
}
