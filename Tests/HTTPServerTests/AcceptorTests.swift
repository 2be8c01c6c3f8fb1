import System
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Pauses in accepting")
struct AcceptorTests {
    @Test("last longer each time, up to a second, until a connection could be taken")
    func backOff() throws {
        let eventLoop = try Poller()
        let listener = try Listener(try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0])
        var acceptor = try Acceptor([SharedListener(listener)])
        var pauses: [Duration] = []
        var hopeless: [Bool] = []
        for _ in 0..<6 {
            try acceptor.watch(with: eventLoop)
            pauses.append(acceptor.pause(.exhaustion, of: eventLoop))
            hopeless.append(acceptor.isHopeless)
        }
        #expect(pauses == [100, 200, 400, 800, 1_000, 1_000].map { .milliseconds($0) })
        #expect(hopeless == [false, false, false, true, true, true])
        acceptor.connectionTaken()
        try acceptor.watch(with: eventLoop)
        #expect(acceptor.pause(.cap, of: eventLoop) == .milliseconds(100))
        let isHopeless = acceptor.isHopeless
        #expect(!isHopeless)
    }

    @Test("a paused listener is not told of, a watched one is")
    func watching() throws {
        var eventLoop = try Poller()
        let listener = try Listener(try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0])
        let port = try listener.address.port
        var acceptor = try Acceptor([SharedListener(listener)])
        try acceptor.watch(with: eventLoop)
        let client = try RawConnection(port: port)
        #expect(try eventLoop.wait(until: .now.advanced(by: .seconds(10))) == 1)
        _ = acceptor.pause(.exhaustion, of: eventLoop)
        #expect(try eventLoop.wait(until: .now) == 0)
        try acceptor.watch(with: eventLoop)
        #expect(try eventLoop.wait(until: .now.advanced(by: .seconds(10))) == 1)
        _ = client
    }

    @Test("clients that cannot be served are told so by the end of their connection")
    func turningAway() throws {
        let listener = try Listener(try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0])
        let port = try listener.address.port
        var acceptor = try Acceptor([SharedListener(listener)])
        let clients = try (0..<3).map { _ in try RawConnection(port: port) }
        acceptor.turnAway(atMost: 2)
        #expect(try clients[0].isEndedByServer())
        #expect(try clients[1].isEndedByServer())
        acceptor.close()
        #expect(try clients[2].isEndedByServer())
    }
}
