import HTTP
import Locks
import System

final class WakeQueue: Sendable {
    private let tokens = Locked<Set<UInt64>>([])
    private let wakeUp: EventFD

    init(_ wakeUp: EventFD) {
        self.wakeUp = wakeUp
    }

    func waker(for token: UInt64, of client: UInt64? = nil) -> HTTPStreamWaker {
        HTTPStreamWaker(of: client) { [self] in
            let isFirst = tokens.withLock { tokens in
                // A stream that is woken several times is read once.
                tokens.insert(token)
                return tokens.count == 1
            }
            if isFirst { wakeUp.wake() }
        }
    }

    func take() -> Set<UInt64> {
        tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
    }
}

extension EventLoop {
    mutating func goOnWithStreams() {
        var tokens = wokenStreams.take()
        if tokens.remove(Token.wakeUp) != nil {
            tickHandler()
            tokens.formUnion(wokenStreams.take())
        }
        for token in tokens {
            // A connection that has been closed since has another token.
            guard let connection = connections[token: token] else { continue }
            let time = time
            advance(connection) { [hasDeferred = connection.deferred != nil] machine, output in
                hasDeferred ? .respond : machine.streamReady(at: time, into: &output)
            }
        }
    }

    mutating func tickHandler() { handlerTime = timedHandler?.tick(at: time.monotonic) }
}
