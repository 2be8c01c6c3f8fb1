import Bytes
import HTTP
import Testing

@Suite("Streams that wait")
struct WaitingStreamTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private final class Mailbox: HTTPBodyStream {
        var letters: [String] = []
        var isOver = false
        private(set) var asked = 0
        private let onRelease: () -> Void

        private let longest: Duration

        init(longest: Duration = .seconds(15), onRelease: @escaping () -> Void = {}) {
            self.longest = longest
            self.onRelease = onRelease
        }

        deinit { onRelease() }

        func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
            asked += 1
            for letter in letters { buffer.append(letter) }
            letters = []
            return isOver ? .finished : .waiting(atMost: longest)
        }
    }

    private func conversation(_ mailbox: Mailbox) -> Conversation {
        Conversation { _, response in response.stream = mailbox }
    }

    @Test("an answer begins, waits, goes on when woken, and the connection is kept")
    func waiting() {
        let mailbox = Mailbox()
        var conversation = conversation(mailbox)
        conversation.receive(Self.get)
        #expect(conversation.text.hasSuffix("Transfer-Encoding: chunked\r\n\r\n"))
        #expect(conversation.streamWaits == 1)
        conversation.wakeStream()
        #expect(conversation.streamWaits == 2)
        mailbox.letters = ["one ", "two "]
        conversation.wakeStream()
        #expect(conversation.text.hasSuffix("\r\n\r\n8\r\none two \r\n"))
        mailbox.isOver = true
        mailbox.letters = ["end"]
        conversation.wakeStream()
        #expect(conversation.answers.map(\.body) == ["one two end"])
        #expect(conversation.answers.allSatisfy { $0.isComplete })
        #expect(conversation.ending == .open)
        conversation.receive(Self.get)
        #expect(conversation.answers.count == 2)
    }

    @Test("a stream that nobody wakes is asked again when its time is over")
    func heartbeat() {
        let mailbox = Mailbox()
        var conversation = conversation(mailbox)
        conversation.receive(Self.get)
        conversation.wait(.seconds(14))
        #expect(mailbox.asked == 1)
        mailbox.letters = [":\n"]
        conversation.wait(.seconds(1))
        #expect(mailbox.asked == 2)
        #expect(conversation.text.hasSuffix("2\r\n:\n\r\n"))
        for _ in 0..<1000 { conversation.wait(.seconds(15)) }
        #expect(conversation.ending == .open)
    }

    @Test("what wakes a stream while its last piece is stuck is not lost")
    func wokenWhileWriting() {
        let mailbox = Mailbox()
        var conversation = conversation(mailbox)
        conversation.room = 10
        conversation.receive(Self.get)
        mailbox.letters = ["late"]
        conversation.wakeStream()
        #expect(mailbox.asked == 1)
        conversation.makeRoom(nil)
        #expect(conversation.text.hasSuffix("4\r\nlate\r\n"))
    }

    @Test("a client that leaves ends the stream at once")
    func vanishing() {
        var isReleased = false
        do {
            var conversation = Conversation { _, response in
                response.stream = Mailbox { isReleased = true }
            }
            conversation.receive(Self.get)
            #expect(!isReleased)
            conversation.finishSending()
            #expect(conversation.ending == .closed)
        }
        #expect(isReleased)
    }

    @Test("requests behind a waiting stream are kept up to a bound")
    func pipelined() {
        let mailbox = Mailbox()
        var kept = conversation(mailbox)
        kept.receive(Self.get + Self.get)
        mailbox.isOver = true
        kept.wakeStream()
        #expect(kept.answers.count == 2)
        var flooding = conversation(Mailbox())
        flooding.receive(Self.get)
        flooding.receive([UInt8](repeating: 0, count: 64 * 1024))
        #expect(flooding.ending == .open)
        flooding.receive([0])
        #expect(flooding.ending == .closed)
    }

    @Test("a drain asks the stream once more, and closes when it ends")
    func drain() {
        let mailbox = Mailbox()
        var conversation = conversation(mailbox)
        conversation.receive(Self.get)
        mailbox.isOver = true
        mailbox.letters = ["bye"]
        conversation.drain()
        #expect(conversation.answers.map(\.body) == ["bye"])
        #expect(conversation.ending == .lingering)
    }

    @Test("a stream that goes on waiting is not asked again and again, drained or not")
    func patience() {
        let mailbox = Mailbox(longest: .zero)
        var conversation = conversation(mailbox)
        conversation.receive(Self.get)
        #expect(mailbox.asked == 2)
        conversation.drain()
        #expect(mailbox.asked == 3)
        mailbox.letters = ["one"]
        conversation.wakeStream()
        #expect(mailbox.asked == 5)
        #expect(conversation.ending == .open)
    }

    @Test("a client that takes a stream by drops is reset, piece after piece or not")
    func slowReader() {
        final class EndlessStream: HTTPBodyStream {
            func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
                buffer.append([UInt8](repeating: 1, count: 1000))
                return .more
            }
        }
        var conversation = Conversation { _, response in response.stream = EndlessStream() }
        conversation.room = 0
        conversation.receive(Self.get)
        for _ in 0..<40 where conversation.ending == .open {
            conversation.wait(.seconds(1))
            guard conversation.ending == .open else { break }
            conversation.makeRoom(1000)
        }
        #expect(conversation.ending == .reset)
    }
}
