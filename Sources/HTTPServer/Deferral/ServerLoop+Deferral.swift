import HTTP
import Sockets

/// What a connection waits for while its answer is made elsewhere.
final class DeferredAnswer {
    let deferral: any HTTPDeferral

    /// When the answer was begun, for the access log.
    let start: AnswerStart?

    /// Whether the client has stopped sending, which most do only when they leave.
    var hasClientLeft = false

    init(_ deferral: any HTTPDeferral, since start: AnswerStart?) {
        self.deferral = deferral
        self.start = start
    }
}

extension ServerLoop {
    /// Lets somebody else make the answer.
    func begin(
        _ deferral: any HTTPDeferral,
        for connection: HTTPConnection,
        _ machine: inout HTTPConnectionMachine,
        since start: AnswerStart?,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        guard deferral.begin(waker: wokenStreams.waker(for: connection.token)) else {
            return machine.handlerOverloaded(at: time, into: &output)
        }
        connection.deferred = DeferredAnswer(deferral, since: start)
        return machine.answerDeferred(at: time, output)
    }

    /// Sends the answer that was made elsewhere, if it is made.
    mutating func finish(
        _ deferred: DeferredAnswer,
        for connection: HTTPConnection,
        _ machine: inout HTTPConnectionMachine,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        do {
            guard try deferred.deferral.take(into: &response) else {
                return machine.answerDeferred(at: time, output)
            }
        } catch {
            connection.deferred = nil
            // Whoever has left is told nothing, and that its handler gave up is no failure.
            guard !deferred.hasClientLeft else { return .close }
            return handlerFailed(error, for: connection, &machine, since: deferred.start, &output)
        }
        connection.deferred = nil
        // Who has waited for something to tell may have to wait again until it is read.
        if let next = response.deferral.take() {
            response.reset()
            return begin(next, for: connection, &machine, since: deferred.start, &output)
        }
        return send(to: connection, &machine, since: deferred.start, &output)
    }

    /// Takes note that a client whose answer is being made, or a piece of it, sends no more.
    mutating func clientLeft(_ connection: HTTPConnection) {
        if let deferred = connection.deferred {
            deferred.hasClientLeft = true
            deferred.deferral.clientLeft()
        }
        // It stays true for ever; only that the client cannot read either is still of interest.
        _ = watch(connection, for: [])
    }

    /// Drops an answer that nobody waits for any more.
    func dropDeferredAnswer(of connection: HTTPConnection) {
        connection.deferred.take()?.deferral.cancel()
    }
}
