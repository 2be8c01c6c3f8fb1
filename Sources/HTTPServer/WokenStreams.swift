import HTTP
import Locks
import Sockets

/// The body streams and answers of a loop that were woken since it last looked.
final class WokenStreams: Sendable {
    private let tokens = Locked<Set<UInt64>>([])
    private let wakeUp: WakeUp

    /// Creates an empty list.
    ///
    /// - Parameter wakeUp: Ends the wait of the loop.
    init(_ wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    /// What wakes the stream of a connection.
    func waker(for token: UInt64) -> HTTPStreamWaker {
        HTTPStreamWaker { [self] in
            let isFirst = tokens.withLock { tokens in
                // A stream that is woken often is asked once.
                tokens.insert(token)
                return tokens.count == 1
            }
            if isFirst { wakeUp.wake() }
        }
    }

    /// Takes the connections whose streams were woken.
    func take() -> Set<UInt64> {
        tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
    }
}

extension ServerLoop {
    /// Asks the streams that were woken for their next pieces, and sends the answers made elsewhere.
    mutating func goOnWithStreams() {
        var tokens = wokenStreams.take()
        if tokens.remove(Token.wakeUp) != nil {
            letHandlerLook()
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

    /// Lets the handler do what it does of its own accord.
    mutating func letHandlerLook() { handlerTime = timedHandler?.look(at: time.monotonic) }
}
