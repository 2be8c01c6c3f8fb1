import HTTP
import HTTPServer
import System
import TestSupport
import Testing

@testable import RosterProgram

@Suite("A watchdog tells that every event loop answers")
struct WatchdogTests {
    @Test("nothing is told while a loop does not answer, and again once it does")
    func blockedLoop() throws {
        let (isBlocked, release) = (try Gate(), try Gate())
        let server = try TestServer(
            configure: { $0.loops = 2 },
            makeHandler: { _ in
                ClosureHandler { _, _ in
                    isBlocked.open()
                    _ = try release.wait()
                }
            }
        )
        let signs = try EventFD()
        let watchdog = try Watchdog(of: server.server, within: .milliseconds(40)) { signs.wake() }
        func isAlive(within time: Duration) throws -> Bool {
            signs.reset()
            return try signs.descriptor.wait(for: .reading, until: .now.advanced(by: time))
        }
        #expect(try isAlive(within: .seconds(30)))
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try isBlocked.wait())
        // One sign may be on its way.
        _ = try isAlive(within: .milliseconds(100))
        #expect(try !isAlive(within: .milliseconds(400)))
        release.open()
        #expect(try isAlive(within: .seconds(30)))
        #expect(try client.receiveResponse().status == 200)
        withExtendedLifetime(watchdog) {}
        #expect(try server.stop() == .drained)
    }
}
