import HTTP
import Locks
import System

final class PendingResponse {
    let deferral: any DeferredResponse

    /// For the access log.
    let start: ResponseStart?

    /// Whether the client has ended its input, as most clients do only when they disconnect.
    var hasClientLeft = false

    init(_ deferral: any DeferredResponse, since start: ResponseStart?) {
        self.deferral = deferral
        self.start = start
    }
}

extension EventLoop {
    func begin(
        _ deferral: any DeferredResponse,
        for connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
        since start: ResponseStart?,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        let waker = wokenStreams.waker(for: connection.token, of: connection.network)
        guard deferral.begin(waker: waker) else {
            return machine.handlerOverloaded(at: time, into: &output)
        }
        connection.deferred = PendingResponse(deferral, since: start)
        return machine.responseDeferred(at: time, output)
    }

    mutating func finish(
        _ deferred: PendingResponse,
        for connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        do {
            guard try deferred.deferral.take(into: &response) else {
                return machine.responseDeferred(at: time, output)
            }
        } catch {
            connection.deferred = nil
            // A client that has gone receives nothing, and its cancelled handler did not fail.
            guard !deferred.hasClientLeft else { return .close }
            return handlerFailed(error, for: connection, &machine, since: deferred.start, &output)
        }
        connection.deferred = nil
        // A response may be deferred again, for example until its data is read.
        if let next = response.deferral.take() {
            response.reset()
            return begin(next, for: connection, &machine, since: deferred.start, &output)
        }
        return send(to: connection, &machine, since: deferred.start, &output)
    }

    /// Handles the end of the client's input while its response, or a piece of it, is made.
    mutating func clientLeft(_ connection: HTTPConnection) {
        guard let deferred = connection.deferred else {
            // The end of input stays readable. From now on only a full close matters.
            _ = watch(connection, for: [])
            return
        }
        deferred.hasClientLeft = true
        deferred.deferral.clientLeft()
        let time = time
        advance(connection) { machine, output in machine.probeClient(at: time, into: &output) }
    }

    func dropPendingResponse(of connection: HTTPConnection) {
        connection.deferred.take()?.deferral.cancel()
    }
}

extension Mailbox where Value == Result<HTTPResponse, any Error> {
    /// Does what `DeferredResponse.take(into:)` does.
    func take(into response: inout HTTPResponse) throws -> Bool {
        guard let result = take() else { return false }
        response = try result.get()
        return true
    }
}
