import Bytes
import HTTP
import System

extension EventLoop {
    /// Adds the response of a connection to the batch, if it may be batched.
    mutating func letWait(
        _ output: borrowing HTTPOutput,
        of connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine
    ) -> Bool {
        guard departures.mayWait(body: output.body.count), output.file == nil,
            machine.releaseRequest()
        else { return false }
        departures.append(connection.token, bytes: output.heldBytes)
        connection.isDeparting = true
        return true
    }

    /// Sends the batch.
    mutating func depart() {
        guard !departures.tokens.isEmpty else { return }
        for token in departures.tokens {
            guard let connection = connections[token: token] else { continue }
            connection.isDeparting = false
            advance(connection) { _, _ in .write }
        }
        departures.goOn(at: turnStart.age)
    }
}
