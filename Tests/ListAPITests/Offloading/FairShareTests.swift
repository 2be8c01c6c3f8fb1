import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Clients that share the threads")
struct FairShareTests {
    private static func get(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    }

    private static func status(_ target: String, _ client: RawConnection) throws -> Int {
        try client.send(get(target))
        return try client.receiveResponse().status
    }

    @Test(
        "a client that leaves ends its search, and the thread serves another client",
        arguments: [true, false]
    )
    func leaving(isOrderly: Bool) throws {
        let (endless, table) = (try EndlessTable(), try BlockingTable())
        table.mayGoOn.open()
        let lists = [try endless.list(), try table.list()]
        let server = try turnServer(lists, readers: WorkerPool(threads: 1))
        let (live, other) = (try server.connect(), try server.connect())
        // Starts the thread, which then takes the search at once.
        #expect(try Self.status("/people/7", other) == 200)
        do {
            let leaving = try server.connect()
            try leaving.send(Self.get("/numbers.json?name__contains=x"))
            #expect(try Self.status("/-/live", live) == 200)
            try other.send(Self.get(BlockingTable.question))
            for _ in 0..<100 { #expect(try Self.status("/-/live", live) == 200) }
            if !isOrderly { try leaving.resetWhenReleased() }
        }
        #expect(try other.receiveResponse().status == 200)
    }

    @Test("while one client uses its share of the threads, another client is served first")
    func shares() throws {
        let table = try BlockingTable()
        let server = try turnServer([table.list()], readers: WorkerPool(threads: 4))
        let slow = try server.connect()
        try slow.send(Self.get(BlockingTable.question))
        #expect(try table.found.wait())
        let waiting = try server.connect()
        try waiting.send(Self.get("/people.json?name__contains=p1&limit=1"))
        #expect(try Self.status("/-/live", server.connect()) == 200)
        let other = try RawConnection(port: server.port, from: "127.0.0.2")
        let before = table.shownCount
        #expect(try Self.status("/people.json?name__contains=p2&limit=1", other) == 200)
        // The request that came first has not been begun.
        #expect(table.shownCount == before + 1)
        table.mayGoOn.open()
        #expect(try slow.receiveResponse().status == 200)
        #expect(try waiting.receiveResponse().status == 200)
    }

    @Test("callers with tokens of one address have a share each")
    func callers() throws {
        let (table, folder) = (try BlockingTable(), try ScratchFolder())
        let list = try table.list()
        let scopes = [(name: "ada", scopes: "people:read"), (name: "bob", scopes: "people:read")]
        try folder.write(Array(AuthorizedClient.lines(scopes).utf8), to: "tokens")
        let openness = AccessPolicy.Openness(reading: false)
        let access = try AccessPolicyStore(folder.path + "/tokens", [list], openness)
        let server = try turnServer([list], readers: WorkerPool(threads: 4)) {
            $0.access = access
        }
        func send(_ target: String, as name: String) throws -> RawConnection {
            let client = try server.connect()
            try client.send(
                "GET \(target) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(AuthorizedClient.token(of: name))\r\n\r\n"
            )
            return client
        }
        let slow = try send(BlockingTable.question, as: "ada")
        #expect(try table.found.wait())
        let waiting = try send("/people.json?name__contains=p1&limit=1", as: "ada")
        #expect(try Self.status("/-/live", server.connect()) == 200)
        let other = try send("/people.json?name__contains=p2&limit=1", as: "bob")
        #expect(try other.receiveResponse().status == 200)
        #expect(table.shownCount == 2)
        table.mayGoOn.open()
        for client in [slow, waiting] { #expect(try client.receiveResponse().status == 200) }
    }

    @Test("a search whose turn comes too late gets 503 with Retry-After, and nothing is read")
    func late() throws {
        let table = try BlockingTable()
        let server = try turnServer([table.list()], longestReadWait: .zero)
        let client = try server.connect()
        try client.send(Self.get("/people.json?name__contains=p1"))
        let refused = try client.receiveResponse()
        #expect(refused.status == 503)
        #expect(refused.field("Retry-After") == "5")
        #expect(refused.text.contains("Too many requests are in progress"))
        #expect(table.shownCount == 0)
        #expect(try Self.status("/-/live", client) == 200)
    }
}
