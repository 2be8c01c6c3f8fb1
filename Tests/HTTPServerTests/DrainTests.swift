import Bytes
import HTTP
import HTTPServer
import System
import TestSupport
import Testing

@Suite("Draining")
struct DrainTests {
    private func server(
        probe: Probe = Probe(),
        _ configure: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) throws -> TestServer {
        try .sample(probe) {
            // Clients of these tests do not hang up by themselves.
            $0.limits.lingerTimeout = .milliseconds(50)
            configure(&$0)
        }
    }

    /// A connection that has been answered once and is kept.
    private func keptClient(of server: TestServer) throws -> RawConnection {
        let client = try server.connect()
        try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().field("Connection") == nil)
        return client
    }

    @Test("a server without clients ends at once", arguments: [1, 2, 3])
    func withoutClients(loops: Int) throws {
        let server = try server { $0.loops = loops }
        #expect(try server.stop() == .drained)
        #expect(throws: SystemError.self) { try server.connect() }
    }

    @Test("a server stopped before it runs ends when it runs")
    func stoppedBefore() throws {
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        configuration.handlesSignals = false
        let server = try HTTPServer(configuration) { _ in SampleHandler() }
        server.stop()
        #expect(try server.run() == .drained)
    }

    @Test("before it drains a server serves on for a while, and every answer says close")
    func delay() throws {
        let state = HTTPServerState()
        let leaving = try EventFD()
        let server = try server {
            $0.state = state
            $0.drainDelay = .seconds(3_600)
            $0.eventLog = { event in if case .leavingBegan = event { leaving.wake() } }
        }
        let kept = try keptClient(of: server)
        server.server.stop()
        #expect(try leaving.descriptor.wait(for: .reading, until: .now.advanced(by: .seconds(20))))
        #expect(state.isDraining)
        for request in ["GET /hello", "BREW /hello"] {
            let client = try server.connect()
            try client.send("\(request) HTTP/1.1\r\nHost: h\r\n\r\n")
            let response = try client.receiveResponse()
            #expect(response.status == (request == "GET /hello" ? 200 : 501))
            #expect(response.field("Connection") == "close")
            try client.endOutput()
            #expect(try client.isEndedByServer())
        }
        try kept.send("BREW /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try kept.receiveResponse().field("Connection") == "close")
        let idle = try server.connect()
        server.server.stopAtOnce()
        #expect(try server.waitForEnding() == .drained)
        #expect(try idle.isEndedByServer())
    }

    @Test("what waits to be read when draining begins is answered with close, refusals too")
    func refusedWhileDraining() throws {
        let probe = try DeferralProbe()
        let server = try TestServer { _, response in
            probe.entered.open()
            guard try probe.mayAnswer.wait() else { throw SampleHandler.Failure() }
            response.body.append("answer")
        }
        let others = try (0..<3).map { _ in try server.connect() }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try probe.entered.wait())
        // The loop is kept busy while these arrive and the server is told to stop.
        for other in others { try other.send("BREW / HTTP/1.1\r\nHost: h\r\n\r\n") }
        server.server.stop()
        probe.mayAnswer.open()
        #expect(try client.receiveResponse().field("Connection") == "close")
        for other in others {
            let response = try other.receiveResponse()
            #expect(response.status == 501)
            #expect(response.field("Connection") == "close")
            try other.endOutput()
        }
        try client.endOutput()
        #expect(try server.waitForEnding() == .drained)
    }

    @Test("stopping at once waits for nobody")
    func atOnce() throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET /stream?1000000000 HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try client.receive(count: 1)
        server.server.stop()
        server.server.stopAtOnce()
        #expect(try server.waitForEnding() == .cut(connections: 1))
    }

    @Test("clients that the kernel has taken before the end are served")
    func backlog() throws {
        let probe = Probe()
        let server = try server(probe: probe)
        // While the handler of this request is kept busy, others connect and send.
        let clients = try (0..<50).map { _ in
            let client = try server.connect()
            try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
            return client
        }
        server.server.stop()
        for client in clients { #expect(try client.receiveResponse().status == 200) }
        #expect(try server.waitForEnding() == .drained)
    }

    @Test("a handler that cannot be made stops every loop")
    func handlerCannotBeMade() throws {
        let server = try TestServer(
            configure: { $0.loops = 3 },
            makeHandler: { loop in
                guard loop != 2 else { throw SampleHandler.Failure() }
                return SampleHandler()
            }
        )
        #expect(throws: SampleHandler.Failure.self) { try server.waitForEnding() }
    }
}
