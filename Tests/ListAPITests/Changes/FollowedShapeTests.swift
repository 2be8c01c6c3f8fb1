import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import Locks
import MemoryLists
import TestSupport
import Testing

@Suite("Outlines and collapsed sections are followed")
struct FollowedShapeTests {
    private struct Follower {
        let target: String
        let client: Client
        private let reader: EventReader
        private let waiting: RawConnection
        private(set) var streamed: PageReplica
        private(set) var polled: PageReplica

        init(_ server: TestServer, _ target: String) throws {
            self.target = target
            client = try Client(of: server)
            streamed = try PageReplica(client.get(target).json())
            polled = streamed
            reader = try EventReader(server, streamed.changes)
            #expect(try reader.next()?.retry == "2000")
            waiting = try server.connect()
        }

        mutating func expectTold(_ change: () throws -> Void) throws {
            let head = "GET \(polled.changes) HTTP/1.1\r\nHost: localhost\r\n"
            try waiting.send(head + "Prefer: wait=20\r\n\r\n")
            try change()
            try streamed.apply(#require(try reader.nextEvent()).json())
            try polled.apply(JSON(waiting.receiveResponse().text))
            let fresh = try client.get(target).json()
            #expect(try streamed.difference(from: fresh) == nil)
            #expect(try polled.difference(from: fresh) == nil)
        }

        var ids: [String] { streamed.sections.flatMap(\.rows) }
    }

    private static func serve(_ list: ListDefinition) throws -> TestServer {
        let state = HTTPServerState()
        return try TestServer {
            $0.loops = 1
            $0.state = state
        } makeHandler: { _ in
            Middleware(try APIHandler([list], isDraining: { state.isDraining }))
        }
    }

    @Test("columns that are called as what asks for changes are not taken for it")
    func columnNames() throws {
        var registry = ControllerRegistry()
        let registration = try registry.register(
            ClosureController<Item>(columns: [column("since", \.id), column("include", \.id)])
        )
        let schema = try ListSchema(columns: registration.columns)
        let items = ["a", "b"].map { Item(id: $0) }
        let source = try DataSource(sections: [Section("all", Run(items, using: registration))])
        let list = DataSourceList(source, schema: schema)
        let server = try Self.serve(ListDefinition("items", source: list))
        let client = try Client(of: server)
        for target in ["/items.json", "/items.json?since=a", "/items.json?include=b&since__ne=a"] {
            let page = try PageReplica(client.get(target).json())
            let answer = try client.get(page.changes)
            #expect(answer.status == 200, "\(target): \(page.changes)")
        }
        let described = try client.get("/-/openapi.json").json()
        let changes = described["paths", "/items/-/changes", "get", "parameters"]
        let parameters = (changes?.elements ?? []).compactMap { parameter in
            parameter["name"]?.text
                ?? parameter["$ref"]?.text?.split(separator: ".").last.map(String.init)
        }
        #expect(parameters.contains { $0.hasSuffix("/since") })
        let conditions = described["components", "schemas", "items.Conditions", "properties"]
        #expect(conditions?["since__ne"] != nil)
        #expect(Set(parameters).count == parameters.count, "\(parameters)")
    }

    /// A list of two sections of its own, of four items each.
    private static func shelves() throws -> (DataSource, TestServer) {
        var registry = ControllerRegistry()
        let registration = try registry.register(ItemController())
        let sections = ["a", "b"].map { shelf in
            let items = (1...4).map { Item(id: "\(shelf)\($0)", title: "T", shelf: shelf) }
            return Section(SectionID(shelf), header: shelf, Run(items, using: registration))
        }
        let source = try DataSource(sections: sections)
        let schema = try ListSchema(columns: ItemController().columns)
        let list = DataSourceList(source, schema: schema)
        return (source, try serve(ListDefinition("items", source: list)))
    }

    @Test("rows below rows come, go and change where their row is open")
    func outline() throws {
        let below = Locked(["docs": ["guides", "tours"], "guides": ["one", "two"]])
        let bound = Locked<Registration<Item>?>(nil)
        var events = RowEvents<Item>()
        events.canExpand = { context in below.withLock { $0[context.model.id] != nil } }
        events.children = { context in
            guard let ids = below.withLock({ $0[context.model.id] }) else { return nil }
            let items = ids.map { Item(id: $0, title: "Title of \($0)", shelf: "below") }
            return bound.withLock { $0 }.map { Run(items, using: $0) }
        }
        var registry = ControllerRegistry()
        let registration = try registry.register(ItemController(), on: events)
        bound.withLock { $0 = registration }
        // The registration holds what holds it.
        defer { bound.withLock { $0 = nil } }
        let items = ["docs", "notes", "todo"].map { Item(id: $0, title: $0, shelf: "top") }
        let source = try DataSource(models: items, using: registration)
        let schema = try ListSchema(columns: ItemController().columns)
        let server = try Self.serve(
            ListDefinition("tree", source: DataSourceList(source, schema: schema))
        )
        var follower = try Follower(server, "/tree?expanded=docs&expanded=docs%3Eguides")
        try follower.expectTold {
            below.withLock { $0["guides"] = ["zero", "one"] }
            try source.update { try $0.reconfigure(["docs"]) }
        }
        #expect(
            follower.ids == [
                "docs", "docs>guides", "docs>guides>zero", "docs>guides>one", "docs>tours",
                "notes", "todo",
            ]
        )
        try follower.expectTold {
            below.withLock { $0["guides"] = nil }
            try source.update { try $0.reconfigure(["docs"]) }
        }
        #expect(follower.ids == ["docs", "docs>guides", "docs>tours", "notes", "todo"])
        try follower.expectTold { try source.update { try $0.move("docs", after: "notes") } }
        #expect(follower.ids == ["notes", "docs", "docs>guides", "docs>tours", "todo"])
        try follower.expectTold { try source.update { try $0.remove(["docs"]) } }
        #expect(follower.ids == ["notes", "todo"])
    }

    @Test("a section that its list collapses loses its rows, and gets them back")
    func collapsed() throws {
        let (source, server) = try Self.shelves()
        var follower = try Follower(server, "/items")
        try follower.expectTold { try source.update { try $0.collapseSection("a") } }
        #expect(follower.ids == ["b1", "b2", "b3", "b4"])
        // What happens behind the closed header is not seen, and what follows is told as ever.
        try source.update { try $0.remove(["a2"]) }
        try follower.expectTold { try source.update { try $0.remove(["b2"]) } }
        #expect(follower.ids == ["b1", "b3", "b4"])
        try follower.expectTold { try source.update { try $0.expandSection("a") } }
        #expect(follower.ids == ["a1", "a3", "a4", "b1", "b3", "b4"])
    }

    @Test("a section that a reader has collapsed stays without rows, and the others are told")
    func collapsedByReader() throws {
        let (source, server) = try Self.shelves()
        var follower = try Follower(server, "/items?collapsed=a")
        #expect(follower.ids == ["b1", "b2", "b3", "b4"])
        try follower.expectTold {
            try source.update { snapshot in
                try snapshot.remove(["a2"])
                try snapshot.move("b4", before: "b1")
            }
        }
        #expect(follower.ids == ["b4", "b1", "b2", "b3"])
        try follower.expectTold { try source.update { try $0.removeSection("a") } }
        #expect(follower.streamed.sections.map(\.id) == ["b"])
    }
}
