import HTTPServer
import TestSupport
import Testing

@Suite("Behind a proxy")
struct ProxyTests {
    @Test(
        "no request fails when one of two servers behind nginx stops",
        .enabled(if: PeerServer.Kind.nginx.program != nil, "nginx is not installed")
    )
    func nginx() throws { try stopOne(behind: .nginx) }

    @Test(
        "no request fails when one of two servers behind HAProxy stops",
        .enabled(if: PeerServer.Kind.haproxy.program != nil, "haproxy is not installed")
    )
    func haproxy() throws { try stopOne(behind: .haproxy) }

    private func stopOne(behind kind: PeerServer.Kind) throws {
        let (staying, leaving) = (try TestServer.sample(), try TestServer.sample())
        let proxy = try PeerServer(kind, before: [staying.port, leaving.port])
        let clients = try (0..<8).map { _ in try proxy.connect() }
        for round in 0..<60 {
            for client in clients { try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n") }
            // Requests are on their way, and connections to it are kept.
            if round == 20 { leaving.server.stop() }
            for client in clients { #expect(try client.receiveResponse().text == "hello\n") }
        }
        #expect(try leaving.waitForEnding() == .drained)
    }
}
