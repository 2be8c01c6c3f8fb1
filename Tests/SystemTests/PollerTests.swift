import Glibc
import System
import Testing

@Suite("Event loops")
struct EventLoopTests {
    private var soon: ContinuousClock.Instant { .now.advanced(by: .seconds(10)) }

    @Test("readiness is told until it is used, with the token it was asked by")
    func levelTriggered() throws {
        var loop = try Poller()
        let wakeUp = try EventFD()
        try loop.add(wakeUp.descriptor, token: 0xFEDC_BA98_7654_3210, interest: .reading)
        #expect(try loop.wait(until: .now) == 0)
        wakeUp.wake()
        wakeUp.wake()
        for _ in 0..<3 {
            #expect(try loop.wait(until: soon) == 1)
            let event = loop.event(at: 0)
            #expect(event.token == 0xFEDC_BA98_7654_3210)
            #expect(event.isReadable)
            #expect(!event.isBroken)
        }
        wakeUp.reset()
        #expect(try loop.wait(until: .now) == 0)
    }

    @Test("a wait ends at its deadline, not before")
    func deadline() throws {
        var loop = try Poller()
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(20))
        #expect(try loop.wait(until: deadline) == 0)
        #expect(ContinuousClock.now >= deadline)
    }

    @Test("another thread ends a wait")
    func wakeUp() throws {
        var loop = try Poller()
        let wakeUp = try EventFD()
        try loop.add(wakeUp.descriptor, token: 1, interest: .reading)
        var threads = ThreadGroup()
        try threads.start(named: "waker") { wakeUp.wake() }
        #expect(try loop.wait(until: soon) == 1)
        threads.join()
    }

    @Test("an interest is changed and dropped")
    func interests() throws {
        var loop = try Poller()
        let pair = try SocketPair()
        try loop.add(pair.server, token: 5, interest: [.reading, .writing])
        #expect(try loop.wait(until: soon) == 1)
        #expect(loop.event(at: 0).isWritable)
        #expect(!loop.event(at: 0).isReadable)
        try loop.modify(pair.server, token: 6, interest: .reading)
        #expect(try loop.wait(until: .now) == 0)
        _ = try pair.client.send([1].span, [UInt8]().span)
        #expect(try loop.wait(until: soon) == 1)
        #expect(loop.event(at: 0).token == 6)
        try loop.modify(pair.server, token: 6, interest: [])
        #expect(try loop.wait(until: .now) == 0)
        try loop.remove(pair.server)
        #expect(throws: SystemError(call: "epoll_ctl", code: ENOENT)) {
            try loop.modify(pair.server, token: 6, interest: .reading)
        }
    }

    @Test("a reset is told even when nothing is wanted, and the end of input when it is asked for")
    func hangUps() throws {
        var loop = try Poller()
        let pair = try SocketPair()
        try loop.add(pair.server, token: 1, interest: .endOfInput)
        try pair.client.endOutput()
        #expect(try loop.wait(until: soon) == 1)
        #expect(loop.event(at: 0).isEndOfInput)
        #expect(!loop.event(at: 0).isBroken)
        try loop.modify(pair.server, token: 1, interest: [])
        try pair.client.resetWhenClosed()
        let server = pair.closingClient()
        #expect(try loop.wait(until: soon) == 1)
        #expect(loop.event(at: 0).isBroken)
        _ = consume server
    }
}
