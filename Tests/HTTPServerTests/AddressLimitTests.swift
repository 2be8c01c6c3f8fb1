import HTTP
import HTTPServer
import Locks
import TestSupport
import Testing

@Suite("Connections per client address (§6.8)")
struct AddressLimitTests {
    private static let get = "GET /hello HTTP/1.1\r\nHost: h\r\n\r\n"

    private func server(
        _ limit: Int?,
        loops: Int = 1,
        refused: Locked<[String]> = Locked([])
    ) throws -> TestServer {
        try .sample {
            $0.host = "0.0.0.0"
            $0.loops = loops
            $0.limits.maximumConnectionsPerAddress = limit
            $0.eventLog = { event in
                if case .addressAtLimit(let host) = event { refused.withLock { $0.append(host) } }
            }
        }
    }

    /// A connection from one of the addresses of this machine; nil when it is closed unanswered.
    private func answered(_ server: TestServer, from source: String) throws -> RawConnection? {
        let client = try RawConnection(port: server.port, from: source)
        do {
            try client.send(Self.get)
            return try client.receiveResponse().status == 200 ? client : nil
        } catch {
            return nil
        }
    }

    @Test(
        "an address over its limit is refused, others are served, on every loop",
        arguments: [1, 3]
    )
    func limit(loops: Int) throws {
        let refused = Locked<[String]>([])
        let server = try server(2, loops: loops, refused: refused)
        var kept: [RawConnection] = []
        for source in ["127.0.0.2", "127.0.0.3"] {
            for _ in 0..<2 { kept.append(try #require(try answered(server, from: source))) }
            for _ in 0..<3 { #expect(try answered(server, from: source) == nil) }
        }
        #expect(try answered(server, from: "127.0.0.4") != nil)
        for client in kept {
            try client.send(Self.get)
            #expect(try client.receiveResponse().status == 200)
        }
        let hosts = refused.withLock { $0 }
        #expect(!hosts.isEmpty && Set(hosts).isSubset(of: ["127.0.0.2", "127.0.0.3"]))
    }

    @Test("a connection that ends makes room for another of its address")
    func room() throws {
        let server = try server(1)
        for _ in 0..<5 {
            let client = try #require(try answered(server, from: "127.0.0.5"))
            #expect(try answered(server, from: "127.0.0.5") == nil)
            try client.endOutput()
            #expect(try client.isEndedByServer())
        }
    }

    @Test("without a limit an address has any number")
    func withoutLimit() throws {
        let server = try server(nil)
        let clients = try (0..<40).map { _ in try answered(server, from: "127.0.0.6") }
        #expect(clients.allSatisfy { $0 != nil })
    }

    @Test("a client that floods the server with connections does not keep another from its answers")
    func fairness() throws {
        let server = try server(nil)
        let client = try #require(try answered(server, from: "127.0.0.7"))
        var flood: [RawConnection] = []
        for _ in 0..<20 {
            for _ in 0..<25 {
                flood.append(try RawConnection(port: server.port, from: "127.0.0.8"))
            }
            try client.send(Self.get)
            #expect(try client.receiveResponse().status == 200)
        }
        for connection in flood { try connection.send(Self.get) }
        for connection in flood { #expect(try connection.receiveResponse().status == 200) }
    }
}
