import Bytes
import HTTP
import Testing

@Suite("Deadlines and draining")
struct DeadlineTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let head = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"

    @Test("a connection without a request closes quietly after 30 s")
    func idle() {
        var fresh = Conversation()
        fresh.wait(.milliseconds(29_999))
        #expect(fresh.ending == .open)
        fresh.wait(.milliseconds(1))
        #expect(fresh.ending == .closed)
        #expect(fresh.text.isEmpty)
        var used = Conversation()
        used.wait(.seconds(20))
        used.receive(Self.get + "\r\n")
        used.wait(.seconds(29))
        #expect(used.ending == .open)
        used.wait(.seconds(1))
        #expect(used.ending == .closed)
        #expect(used.answers.map(\.status) == [200])
    }

    @Test("a head has 10 s from its first byte, however steadily it drips")
    func head() {
        var conversation = Conversation()
        conversation.wait(.seconds(25))
        conversation.receive("G")
        for _ in 0..<9 {
            conversation.wait(.seconds(1))
            conversation.receive("E")
        }
        #expect(conversation.ending == .open)
        conversation.wait(.seconds(1))
        #expect(conversation.answers.map(\.status) == [408])
        #expect(conversation.answers.first?.fields["connection"] == "close")
        #expect(conversation.takeRefusal() == .requestTimeout)
        #expect(conversation.ending == .lingering)
    }

    @Test("an answer made elsewhere has its own time, however the one before it has left")
    func deferredBehindAnother() {
        let limits = HTTPLimits()
        let now = HTTPTime(monotonic: .now, secondsSince1970: 0)
        var machine = HTTPConnectionStateMachine(
            rules: HTTPConnectionConfiguration(limits: limits),
            at: now
        )
        var output = HTTPOutput()
        var response = HTTPResponse()
        let requests = Array((Self.get + Self.get).utf8)
        var action = machine.bytesReceived(requests.span, at: now, into: &output)
        #expect(action == .respond)
        response.body.append("first")
        action = machine.responseReady(&response, at: now, into: &output)
        #expect(action == .respond)
        action = machine.responseDeferred(at: now, output)
        #expect(action == .write)
        // The loop gives the place to others before it tells the machine that all was written.
        output.removeFirst(output.count)
        action = machine.responseDeferred(at: now, output)
        #expect(action == .waitForResponse)
        #expect(machine.deadline == now.monotonic + limits.handlerTimeout)
    }

    @Test("a body may not stand still for 10 s")
    func stalledBody() {
        var conversation = Conversation()
        conversation.receive(Self.head)
        conversation.wait(.seconds(9))
        conversation.receive([UInt8](repeating: 0, count: 50_000))
        conversation.wait(.seconds(9))
        #expect(conversation.ending == .open)
        conversation.wait(.seconds(1))
        #expect(conversation.answers.map(\.status) == [408])
        #expect(conversation.ending == .lingering)
    }

    @Test("after 10 s a body must have come at 1 KiB/s on average")
    func slowBody() {
        var slow = Conversation()
        slow.receive(Self.head)
        for _ in 0..<10 {
            slow.wait(.seconds(1))
            slow.receive([UInt8](repeating: 0, count: 1000))
        }
        #expect(slow.answers.map(\.status) == [408])
        var steady = Conversation()
        steady.receive(Self.head)
        for _ in 0..<97 {
            steady.receive([UInt8](repeating: 0, count: 1030))
            steady.wait(.seconds(1))
        }
        #expect(steady.ending == .open)
        steady.receive([UInt8](repeating: 0, count: 100_000 - 97 * 1030))
        #expect(steady.answers.map(\.status) == [200])
    }

    @Test("trailers dripping byte by byte are a slow body")
    func drippingTrailers() {
        var conversation = Conversation()
        conversation.receive(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nx: "
        )
        for _ in 0..<11 {
            conversation.wait(.seconds(1))
            conversation.receive("y")
        }
        #expect(conversation.answers.map(\.status) == [408])
    }

    @Test("a client that takes nothing for 20 s is reset")
    func stalledWrite() {
        var conversation = Conversation()
        conversation.room = 10
        conversation.receive(Self.get)
        conversation.wait(.seconds(5))
        conversation.makeRoom(1)
        conversation.wait(.seconds(19))
        #expect(conversation.ending == .open)
        conversation.wait(.seconds(1))
        #expect(conversation.ending == .reset)
    }

    @Test("a client whose system takes a little now and then is slow, and is not reset")
    func slowReader() {
        var conversation = Conversation { _, response in
            response.body.append([UInt8](repeating: 0, count: 3_000_000))
        }
        conversation.room = 10
        conversation.receive(Self.get)
        for waiting in [2_500_000, 2_400_000, 1_499_999] {
            conversation.wait(.seconds(20), waiting: waiting)
            #expect(conversation.ending == .open)
        }
        conversation.wait(.seconds(20), waiting: 1_499_999)
        #expect(conversation.ending == .reset)
    }

    @Test("after 30 s a client must have taken 1 KiB/s on average")
    func slowWrite() {
        var conversation = Conversation { _, response in
            response.body.append([UInt8](repeating: 0, count: 1_000_000))
        }
        conversation.room = 10
        conversation.receive(Self.get)
        for _ in 0..<29 {
            conversation.wait(.seconds(1))
            conversation.makeRoom(1000)
        }
        #expect(conversation.ending == .open)
        conversation.wait(.seconds(1))
        #expect(conversation.ending == .reset)
    }

    @Test("the wait for the next request begins when the answer has left")
    func restart() {
        var conversation = Conversation()
        conversation.room = 10
        conversation.receive(Self.get + "GET /b")
        conversation.wait(.seconds(15))
        conversation.makeRoom(nil)
        conversation.wait(.seconds(9))
        conversation.receive(" HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(conversation.requests == ["GET /a ", "GET /b "])
    }

    @Test("lingering ends after 5 s, however much comes in")
    func lingering() {
        var conversation = Conversation()
        conversation.receive("\n")
        for _ in 0..<5 {
            #expect(conversation.ending == .lingering)
            conversation.wait(.seconds(1))
            conversation.receive("more")
        }
        #expect(conversation.ending == .closed)
    }

    @Test("a drain closes an idle connection at once")
    func drainIdle() {
        var fresh = Conversation()
        fresh.drain()
        #expect(fresh.ending == .closed)
        var used = Conversation()
        used.receive(Self.get)
        used.drain()
        #expect(used.ending == .closed)
        #expect(used.answers.count == 1)
    }

    @Test("a drain lets a request that has begun finish, with close")
    func drainBusy() {
        var head = Conversation()
        head.receive("GET /a HTTP/1.1\r\n")
        head.drain()
        head.receive("Host: a\r\n\r\n" + Self.get)
        #expect(head.answers.map { $0.fields["connection"] } == ["close"])
        #expect(head.ending == .lingering)
        var body = Conversation()
        body.receive("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na")
        body.drain()
        body.receive("b")
        #expect(body.requests == ["POST /a ab"])
        #expect(body.answers.map { $0.fields["connection"] } == ["close"])
    }

    @Test("a drain while an answer leaves closes behind it, or answers what is here with close")
    func drainWriting() {
        var last = Conversation()
        last.room = 10
        last.receive(Self.get)
        last.drain()
        #expect(last.ending == .open)
        last.makeRoom(nil)
        #expect(last.answers.map(\.status) == [200])
        #expect(last.ending == .lingering)
        var limits = HTTPLimits()
        limits.maximumGatheredBytes = 0
        var pipelined = Conversation(limits: limits)
        pipelined.room = 10
        pipelined.receive(Self.get + Self.get + Self.get)
        pipelined.drain()
        pipelined.makeRoom(nil)
        #expect(pipelined.answers.map { $0.fields["connection"] } == [nil, "close"])
        #expect(pipelined.ending == .lingering)
    }
}
