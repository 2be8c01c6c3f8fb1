import HTTPServer
import Locks
import System
import TestSupport
import Testing

@Suite("Rest")
struct RestTests {
    @Test(
        "a server says once that nothing happens, and again when something has",
        arguments: [1, 3]
    )
    func rest(loops: Int) throws {
        let rests = Locked(0)
        let hasRested = try EventFD()
        let server = try TestServer.sample {
            $0.loops = loops
            $0.idleDelay = .milliseconds(20)
            $0.onIdle = {
                rests.withLock { $0 += 1 }
                hasRested.wake()
            }
        }
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        #expect(try hasRested.descriptor.wait(for: .reading, until: end))
        #expect(rests.withLock { $0 } == 1)
        hasRested.reset()
        let client = try server.connect()
        try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        #expect(try hasRested.descriptor.wait(for: .reading, until: end))
        #expect(rests.withLock { $0 } >= 2)
        #expect(try server.stop() == .drained)
    }

    @Test("a server that is never at rest does not say so")
    func busy() throws {
        let rests = Locked(0)
        let server = try TestServer.sample {
            $0.idleDelay = .seconds(60)
            $0.onIdle = { rests.withLock { $0 += 1 } }
        }
        let client = try server.connect()
        for _ in 0..<100 {
            try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveResponse().status == 200)
        }
        #expect(try server.stop() == .drained)
        #expect(rests.withLock { $0 } == 0)
    }
}
